#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nodes.sh SECONDS - each guest logs while it pings the other ten times a second.
. /script/guest.sh
peer=10.99.0.$((3 - NODE))

await_host "$peer"
start_logd
echo 1 >$evtlog/enable
ping -q -i 0.1 -c $((10 * $1)) "$peer" >"$OUT/ping.txt"
# The other may still wait for an answer.
sleep 2
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT"
