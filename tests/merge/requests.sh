#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# requests.sh - sends a guest with more load than CPUs repeated requests to run a group at once.
. /script/sched-guest.sh
requests=$1

set_key 1 $key
age_key
group group a:other:0:5:0:hog b:other:0:5:0:hog c:other:0:0:0:nap d:other:0:0:0:sleep
for rival in 1 2 3 4; do
	while :; do :; done &
	rivals="${rivals:-} $!"
done
start_logd
evtlog start -e +all >/dev/null || die "evtlog start"
# A busy host may take a CPU for 50 ms: a shorter boost may have no effect.
for round in $(seq "$requests"); do
	boost 0 $pgid "$group" 200000000
	sleep 0.3
done
# A sleeping group is requested, too: no CPU runs it.
group group x:other:0:0:0:sleep
boost 0 $pgid "$group" 200000000
sleep 0.3
# A group that does not exist
boost 3 $pgid 4194000 50000000
sleep 0.1
evtlog stop --timeout 60 || die "evtlog stop: $?"
# shellcheck disable=SC2086 # pids
kill $rivals
stop_logd
cp $log/*.evl "$OUT"
