#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# row.sh TASKS... - the time with interrupts off while a CPU's profile is read, with TASKS tasks
. /script/guest.sh

# Prints the number, the total and the longest of the CPU's parts.
parts() {
	awk '/^cpu/ { cpu = 1 } cpu && /function:read_row / { print "'"$1"'", $1, $2, $3, $5 }' \
		$evtlog/profile/all
}

echo 20000 >/proc/sys/kernel/pid_max
for tasks; do
	evtlog probe add read_row%timer || die "probe add: $?"
	echo 1 >$evtlog/profile/control || die "profile: cannot be started"
	setsid forks "$tasks" 0 600 & forks=$!
	until_true 100 has_tasks "$tasks" || die "not $tasks tasks: $(cat /proc/loadavg)"
	sleep 0.2
	# No task has settled with the CPU before.
	evtlog check --profile || die "evtlog check --profile: $?"
	parts "$tasks" | tee -a "$OUT/parts"
	evtlog check --profile || die "again: $?"
	kill -KILL -$forks
	wait $forks || true
	echo 0 >$evtlog/profile/control
	evtlog check --profile || die "stopped: $?"
	evtlog probe del '*'
done
