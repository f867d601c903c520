#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# boost-order.sh MEMBERS - counts the cost of one order: walks through its group, visits to members,
# and wake-ups of the boosting threads. The counts come from kprobes and the scheduler's tracepoint.
# The groups have MEMBERS tasks and a leader, on all CPUs and on two.
. /script/sched-guest.sh
# Above all hogs, so that they do not delay the sender; below the group and the threads
above 45 "$@"
tracing=/sys/kernel/tracing
mount -t tracefs none $tracing 2>/dev/null || true
set_key 1 $key
{
	echo "p:walk evtlog_boost_group_visit"
	echo "p:visit visit_task"
} >$tracing/kprobe_events || die "no kprobes"
echo 'comm ~ "evtlog_boost*"' >$tracing/events/sched/sched_waking/filter
echo 1 >$tracing/events/kprobes/enable
echo 1 >$tracing/events/sched/sched_waking/enable
age_key

# hits PROBE - prints the number of hits
hits() {
	awk -v probe="$1" '$1 == probe { print $2 }' $tracing/kprobe_profile
}

# asleep NUMBER - do NUMBER tasks of $group sleep?
asleep() {
	[ "$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v group="$group" '$5 == group && $3 == "S"' | wc -l)" = "$1" ]
}

# begun - has the kernel walked through the group? No task is boosted earlier.
begun() {
	[ "$(hits walk)" -gt "$walks" ]
}

# count NAME COUNT HOGS - sends one order for $group, a leader and COUNT members, HOGS of them hogs;
# prints the cost
count() {
	# New tasks may not sleep yet.
	await 60 asleep $(($2 + 1 - $3))
	walks=$(hits walk) visits=$(hits visit)
	: >$tracing/trace
	send reply=0 kind=$pgid group="$group" for=300000000 $me $me sched
	# The message can wait for ksoftirqd, which has a lower priority than this script.
	await 20 begun
	await 10 ended
	boosted=$(status_of boost_boosted)
	grep sched_waking: $tracing/trace >/tmp/waking || true
	others=$(grep -c 'comm=evtlog_boost/[1-9]' /tmp/waking || true)
	echo "order $1 cpus $(grep -c ^processor /proc/cpuinfo) members $(($2 + 1))" \
		"boosted $((boosted - before)) walks $(($(hits walk) - walks))" \
		"visits $(($(hits visit) - visits)) wakeups $(wc -l </tmp/waking) others $others"
	before=$boosted
}

# specs COUNT BODY CPUS - COUNT members, distributed over CPUS CPUs
specs() {
	seq "$1" | awk -v body="$2" -v cpus="$3" '
		{ printf "m%d:other:0:0:0:%s:%d ", $1, body, $1 % cpus }'
}

# count_all CPUS COUNT - orders for sleepers on CPU 0, for sleepers on all, and with a hog on each
count_all() {
	cpus=$1
	# shellcheck disable=SC2046
	group group $(specs "$2" sleep 1)
	count here "$2" 0
	kill -KILL -"$group"
	# shellcheck disable=SC2046
	group group $(specs "$2" sleep "$cpus")
	count asleep "$2" 0
	kill -KILL -"$group"
	# shellcheck disable=SC2046
	group group $(specs "$cpus" hog "$cpus") $(specs $(($2 - cpus)) sleep "$cpus")
	count runnable "$2" "$cpus"
	kill -KILL -"$group"
}

before=0
# CPU 0 receives the messages.
taskset -p 1 $$ >/dev/null
count_all $((last_cpu + 1)) "$1"
for cpu in $(seq 2 "$last_cpu"); do
	echo 0 >/sys/devices/system/cpu/cpu"$cpu"/online
done
count_all 2 "$1"
