#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# netns.sh SECONDS - pings between two network namespaces of one guest, under load
. /script/guest.sh

other_namespace
start_logd
echo 1 >$evtlog/enable
load "$1" 10 &
busy=$!
ping -q -i 0.1 -c $((10 * $1)) 10.88.0.2 >"$OUT/ping.txt"
wait $busy
echo 0 >$evtlog/enable
stop_logd
kill $inside
cp $log/*.evl "$OUT"
