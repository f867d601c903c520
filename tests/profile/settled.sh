#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# settled.sh CALLS... - the cost of the first switch to a task after all CPUs were read, by the
# number of different calls that the task has made
. /script/guest.sh

echo 1 >$evtlog/profile/control || die "profile: cannot be started"
for calls; do
	settled "$calls" 200 "cat $evtlog/profile/all >/tmp/all" >/tmp/told || die "settled: $?"
	read -r pid first next </tmp/told
	# Paths that are not waits have a place in the CPU's profile.
	paths=$(awk -v pid="$pid" '/^[a-z]/ { mine = $1 == "task" && $2 == pid }
		mine && /^  / && $1 !~ /(runqueue|preempted|interruptible|uninterruptible|io|stopped|waiting)$/ { n++ }
		END { print n + 0 }' /tmp/all)
	echo "$calls $paths $first $next" | tee -a "$OUT/settled"
done
evtlog check --profile || die "evtlog check --profile: $?"
