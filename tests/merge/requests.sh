#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# requests.sh - asks a guest with more load than CPUs to run a group at once, again and again.
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
# A busy host may take a CPU for 50 ms: who is boosted for less may be so for no time at all.
for round in $(seq "$requests"); do
	boost 0 $pgid "$group" 200000000
	sleep 0.3
done
# A group that sleeps is asked for as well: no CPU runs it.
group group x:other:0:0:0:sleep
boost 0 $pgid "$group" 200000000
sleep 0.3
# There is no such group
boost 3 $pgid 4194000 50000000
sleep 0.1
evtlog stop -t 60 || die "evtlog stop: $?"
# shellcheck disable=SC2086 # pids
kill $rivals
stop_logd
cp $log/*.evl "$OUT"
