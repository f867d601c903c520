#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# boost-storm.sh SECONDS SEED - orders, while groups' tasks change their policy, CPUs and group,
# CPUs go offline and come back, runs start and stop, and the key is removed and set. After the last
# boost, the machine is as before.
. /script/sched-guest.sh
set_key 1 $key
echo 20 >/proc/sys/kernel/hung_task_timeout_secs
mkdir /tmp/cgroup
mount -t cgroup2 none /tmp/cgroup
mkdir -p /tmp/cgroup/a/b
start_logd
age_key

is_raging() {
	kill -0 "$storm" 2>/dev/null
}

# The kernel may still be busy with the previous change.
set_cpu() {
	until echo "$2" >/sys/devices/system/cpu/cpu"$1"/online; do
		sleep 0.1
	done 2>/dev/null
}

take_cpus() {
	while is_raging; do
		for cpu in $(seq 1 "$last_cpu"); do
			set_cpu "$cpu" 0
			sleep 0.2
			set_cpu "$cpu" 1
		done
	done
}

run_and_stop() {
	while is_raging; do
		echo "1 storm" >$evtlog/enable
		sleep 0.2
		echo 0 >$evtlog/enable
		sleep 0.1
	done
}

# A message is obeyed only after the key is old enough.
change_key() {
	while is_raging; do
		sleep 11
		echo "1 -" >$evtlog/remote_key
		set_key 1 $key
	done
}

make_groups() {
	while is_raging; do
		mkdir -p /tmp/cgroup/a/c/d && rmdir /tmp/cgroup/a/c/d /tmp/cgroup/a/c
		sleep 0.01
	done
}

storm "$1" "$2" &
storm=$!
also take_cpus
also run_and_stop
also change_key
also make_groups
wait "$storm"
# The longest boost takes half a second; a busy machine needs longer.
await 10 ended
join
stop_logd
# A task may end a moment after its parent.
nobody_left() {
	! cat /proc/[0-9]*/task/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) (\(.*\)) /\1 \2 /' |
		awk '$2 == "storm" || $2 == "true"' | grep -q .
}
await 10 nobody_left
# Field 18, the kernel's priority: only kernel threads have a real-time priority.
for stat in /proc/[0-9]*/task/[0-9]*/stat; do
	line=$(sed 's/^.*) //' "$stat" 2>/dev/null) || continue
	[ -n "$line" ] || continue
	# shellcheck disable=SC2086 - fields
	set -- $line
	[ "${16}" -ge 0 ] || [ $(($7 & 0x200000)) != 0 ] || die "$stat: priority ${16}: $line"
done
set_key 1 $key
age_key
group session a:other:0:3:0:sleep
boost 0 $sid "$group" 500000000
answered 'tasks 2'
await 8 ended

# How often the threads of other CPUs have run. The machine is idle; all members and the sender are
# on CPU 0.
others_ran() {
	for stat in /proc/[0-9]*/status; do
		awk '$1 == "Name:" { ours = $2 ~ /^evtlog_boost.[1-9]/ }
			ours && $1 ~ /ctxt_switches/ { n += $2 } END { print n + 0 }' "$stat"
	done 2>/dev/null | awk '{ n += $1 } END { print n }'
}
kill -KILL -"$group"
: >/tmp/group
taskset 1 members group a:other:0:0:0:hog b:other:0:0:0:sleep c:other:0:0:0:sleep >/tmp/group &
await 30 grep -q . /tmp/group
group=$(cat /tmp/group)
ran=$(others_ran)
[ "$ran" -gt 0 ] || die "no other CPU's thread has ever run"
for round in 1 2 3 4 5; do
	taskset 1 send reply=0 kind=$pgid group="$group" for=100000000 $me $me sched
	await 8 ended
done
[ "$(others_ran)" = "$ran" ] || die "CPUs without members were woken: $ran, then $(others_ran)"
grep -e ^boost -e ^remote_obeyed $evtlog/status
[ "$(status_of boost_tasks)" = 0 ] || die "$(status_of boost_tasks) are boosted"
[ "$(status_of boost_boosted)" = $(($(status_of boost_restored) + $(status_of boost_left))) ] ||
	die "whom it boosted it did not all give back"
