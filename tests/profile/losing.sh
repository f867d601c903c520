#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# losing.sh - profiles while a run has much less room than events
. /script/guest.sh

echo 4 >$evtlog/buffer_kb
for type in user_exit user_enter exception_entry exception_exit; do
	echo "+$type" >$evtlog/events
done
loads=
start_logd
echo 1 >$evtlog/profile/control || die "profiles cannot be started"
for round in $(seq 10); do
	echo 1 >$evtlog/enable
	for load in 1 2 3 4; do
		dd if=/dev/zero of=/dev/null bs=1 count=3000 2>/dev/null & loads="$loads $!"
	done
	wait $!
	sleep 0.1
	echo 0 >$evtlog/enable
done
grep '^cpu' $evtlog/status
grep -q '^cpu.* lost_full [1-9]' $evtlog/status || die "nothing is lost"
cat $evtlog/profile/all >"$OUT/all"
echo 0 >$evtlog/profile/control
evtlog check --profile || die "evtlog check --profile: $?"
# shellcheck disable=SC2086 # words
wait $loads
stop_logd
