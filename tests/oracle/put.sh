#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# put.sh - loads a module that calls evtlog_put() from every context: once while
# nothing records, once in a run.
. /script/guest.sh

insmod evtlog_put_test.ko count=10 || die "insmod: $?"
rmmod evtlog_put_test
dmesg | grep "evtlog_put_test: id" >"$OUT/idle.txt"
dmesg -c >/dev/null

start_logd
echo 1 >$evtlog/enable
insmod evtlog_put_test.ko count="$1" || die "insmod: $?"
echo 0 >$evtlog/enable
stop_logd
rmmod evtlog_put_test
dmesg | grep "evtlog_put_test: id" >"$OUT/put.txt"
cp $log/*.evl "$OUT"
evtlog check "$OUT"/*.evl >"$OUT/check.txt" || [ $? = 4 ] || die "evtlog check: $(cat "$OUT/check.txt")"
