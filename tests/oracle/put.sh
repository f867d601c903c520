#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# put.sh - loads a module that calls evtlog_put() from every context: once without a run, once in a
# run.
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

# The same with a named buffer, without a run
mkdir "$OUT/named"
evtlog buffer add marks --events put,put_at --buffers 32x256 || die "buffer add"
also evtlog buffer record marks -o "$OUT/named/marks.evl"
dmesg -c >/dev/null
insmod evtlog_put_test.ko count="$1" || die "insmod: $?"
rmmod evtlog_put_test
evtlog buffer end marks || die "buffer end"
for pid in $jobs; do
	# 4: events of NMIs are lost.
	wait "$pid" || [ $? = 4 ] || die "buffer record"
done
evtlog buffer del marks
dmesg | grep "evtlog_put_test: id" >"$OUT/named/put.txt"
evtlog check "$OUT"/*.evl >"$OUT/check.txt" || [ $? = 4 ] || die "evtlog check: $(cat "$OUT/check.txt")"
