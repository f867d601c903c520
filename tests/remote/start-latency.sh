#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# start-latency.sh RUNS - starts and stops runs by message, in an armed kernel under load
. /script/control-guest.sh

set_key 1 $key
age_key
start_logd
echo arm >$evtlog/enable
records() {
	[ "$(status_of state)" = "$1" ] && [ "$(status_of run)" = "$2" ]
}

while :; do :; done &
hog=$!
for run in $(seq "$1"); do
	send reply=0 name="r$run" $me $me start || die "start $run: $?"
	until_true 50 records recording "$run" || die "start $run"
	sleep 0.05
	send reply=0 $me $me stop || die "stop $run: $?"
	until_true 50 records stopped "$run" || die "stop $run"
	sleep 0.05
done
kill $hog
stop_logd
cp $log/*.evl "$OUT"
