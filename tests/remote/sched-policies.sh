#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sched-policies.sh - boosts groups of tasks with every policy, and checks their policies during and
# after the boost
. /script/sched-guest.sh
above 55 "$@"
set_key 1 $key

# A boost of 10 s lasts longer than "await 8".

# The last word of a member is what it does on SIGUSR1.
start_all() {
	group session a:other:0:0:0:sleep b:other:0:5:0:nap c:batch:0:3:0:nap \
		d:idle:0:0:0:nap e:fifo:10:0:0:nap f:rr:20:0:1:nap g:fifo:60:0:0:nap \
		h:other:0:-5:1:nap i:deadline:0:0:0:nap j:other:0:7:0:fork k:rr:5:4:0:fork \
		l:other:0:2:0:thread m:batch:0:0:0:exec n:other:0:0:0:exit \
		o:other:0:0:0:change p:fifo:3:0:0:leave q:other:0:1:0:renice \
		r:other:0:0:0:threads s:fifo:48:0:0:nap t:other:0:8:1:fork \
		u:rr:9:9:1:fork v:idle:0:0:0:fork w:other:0:-4:0:thread
}

# acted NUMBER - have all members of the group acted?
acted() {
	policies "$1" >/tmp/acted
	[ "$(grep -c '^.+c ' /tmp/acted)" = 5 ] && [ "$(grep -c '^[lw] ' /tmp/acted)" = 4 ] &&
		! grep -q '^n ' /tmp/acted && grep -q '^o rr 7 ' /tmp/acted &&
		grep -q '^q [a-z]* [0-9]* 4 ' /tmp/acted
}

# A group that is never boosted shows what the members do to themselves.
start_all
witness=$group
policies "$witness" >/tmp/before
kill -USR1 -"$witness"
await 60 acted "$witness"
policies "$witness" >/tmp/expected
kill -KILL -"$witness"
age_key

echo "== members while boosted, and after everything that can happen to a task"
group group z:other:0:0:0:sleep
other=$group
start_all
policies "$group" >/tmp/now
same /tmp/before /tmp/now "two groups of the same members differ"
boost 0 $pgid "$group" 10000000000
found=$(sed -n 's/^tasks //p' /tmp/answer)
policies "$group" >/tmp/now
[ "$(status_of boost_tasks)" = "$found" ] || die "answered $found, boosted $(status_of boost_tasks)"
# g and s have at least the boost's priority; i is a deadline task.
[ "$found" = $(($(wc -l </tmp/before) - 3)) ] || die "$found of $(wc -l </tmp/before) boosted"
[ "$(grep -c ' fifo 48 -\?[0-9]* 1 -49 ' /tmp/now)" = "$found" ] || {
	cat /tmp/now
	die "not all of them have FIFO 48"
}
for name in g i s; do
	[ "$(grep "^$name " /tmp/now)" = "$(grep "^$name " /tmp/before)" ] ||
		die "$name was touched"
done
kill -USR1 -"$group"
await 60 acted "$group"
# Children that were born during the boost have the policy that they would have without it.
policies "$group" | grep '^.+c ' >/tmp/born
grep '^.+c ' /tmp/expected >/tmp/expected.born
same /tmp/expected.born /tmp/born "children of boosted tasks differ from others"
# The boost of two other tasks begins and ends.
boost 0 $pgid "$other" 1000000
await 60 ended
policies "$group" >/tmp/now
same /tmp/expected /tmp/now "after the boost somebody has another policy"
left=$(status_of boost_left)
# n has ended, o has changed its policy.
[ "$left" = 2 ] || die "$left tasks were left"
[ $(($(status_of boost_restored) + left)) = "$(status_of boost_boosted)" ] ||
	die "not all restored"
kill -KILL -"$group"

echo "== a second message extends the first, another group's takes its place"
group session a:other:0:3:0:nap b:rr:7:0:1:sleep c:idle:0:0:0:nap
one=$group
policies "$one" >/tmp/one
group session a:batch:0:3:0:nap d:fifo:8:0:0:sleep
two=$group
policies "$two" >/tmp/two
boosted=$(status_of boost_boosted)
boost 0 $sid "$one" 10000000000
answered 'tasks 4'
boost 0 $pgid "$one" 10000000000
answered 'tasks 4'
[ "$(status_of boost_boosted)" = $((boosted + 4)) ] || die "boosted twice: $boosted, then $(grep ^boost $evtlog/status)"
boost 0 $sid "$two" 10000000000
answered 'tasks 3'
[ "$(status_of boost_tasks)" = 3 ] || die "$(status_of boost_tasks) boosted"
policies "$one" >/tmp/now
same /tmp/one /tmp/now "the first group kept something"
[ "$(policies "$two" | grep -c ' fifo 48 ')" = 3 ] || die "the second group is not boosted"
# The boost ends while it is reported. The members count as boosted, by the previous order.
for duration in $(seq 1000 "${1:-2500}" 60000); do
	boost 0 $sid "$two" 10000000000
	boost 0 $sid "$two" "$duration"
	answered 'tasks 3'
done
boost 0 $sid "$two" 1
await 8 ended
policies "$two" >/tmp/now
same /tmp/two /tmp/now "the second group kept something"

echo "== a control group, and those below it"
mkdir /tmp/cgroup
mount -t cgroup2 none /tmp/cgroup
mkdir -p /tmp/cgroup/job/step
echo "$one" >/tmp/cgroup/job/cgroup.procs
echo "$two" >/tmp/cgroup/job/step/cgroup.procs
boost 0 $cgroup 0 10000000000 name=/job
answered 'tasks 2'
[ "$(policies "$one" | grep -c ' fifo 48 ')" = 1 ] || die "not who is in the group"
[ "$(policies "$two" | grep -c ' fifo 48 ')" = 1 ] || die "not who is below it"
boost 0 $cgroup 0 10000000000 name=job/step
answered 'tasks 1'
boost 0 $pgid "$other" 1000000
await 8 ended
policies "$one" >/tmp/now
same /tmp/one /tmp/now "the control group kept something"
boost 3 $cgroup 0 1000000 name=/jobs
boost 3 $cgroup 0 1000000 name=/job/cgroup.procs

echo "== what is refused"
boost 3 $pgid 0 1000000
boost 3 $pgid 999999999999 1000000
boost 3 $sid $((two + 1)) 1000000
boost 22 0 "$one" 1000000
boost 22 4 "$one" 1000000
boost 22 $pgid "$one" 0
boost 22 $pgid "$one" 10000000001
ended || die "something is boosted"

echo "== throttling is told"
boost 0 $pgid "$one" 950000000
answered 'throttled 0'
boost 0 $pgid "$one" 2000000000
answered 'throttled 1'
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
boost 0 $pgid "$one" 2000000000
answered 'throttled 0'
echo 950000 >/proc/sys/kernel/sched_rt_runtime_us

if [ "$last_cpu" -gt 0 ]; then
	echo "== a CPU goes, and comes back"
	group session a:other:0:0:0:nap:$last_cpu b:rr:7:0:1:sleep:$last_cpu c:idle:0:0:0:nap
	policies "$group" >/tmp/one
	boost 0 $pgid "$group" 10000000000
	echo 0 >/sys/devices/system/cpu/cpu$last_cpu/online
	[ "$(status_of boost_tasks)" = 4 ] || die "$(status_of boost_tasks) boosted"
	boost 0 $pgid "$group" 10000000000
	answered 'tasks 4'
	boost 0 $pgid "$group" 1000000
	echo 1 >/sys/devices/system/cpu/cpu$last_cpu/online
	await 8 ended
	policies "$group" >/tmp/now
	same /tmp/one /tmp/now "a CPU's tasks kept something"
	boost 0 $pgid "$group" 10000000000
	echo 0 >/sys/devices/system/cpu/cpu$last_cpu/online
	echo 1 >/sys/devices/system/cpu/cpu$last_cpu/online
	boost 0 $pgid "$group" 1000000
	await 8 ended
	policies "$group" >/tmp/now
	same /tmp/one /tmp/now "after its return a CPU's tasks kept something"
fi

echo "== the key is removed, and set again"
policies "$group" >/tmp/one
boost 0 $pgid "$group" 10000000000
[ "$(status_of boost_tasks)" -gt 0 ] || die "nobody boosted"
policies "$group" | grep -q ' fifo 48 ' || die "nobody has FIFO 48"
echo "1 -" >$evtlog/remote_key
ended || die "somebody is boosted without a key"
policies "$group" >/tmp/now
same /tmp/one /tmp/now "without a key somebody kept something"
! ls /proc/*/comm | xargs grep -l '^evtlog_boost' 2>/dev/null || die "threads are left"
set_key 1 $key
age_key
boost 0 $pgid "$group" 1000000
await 8 ended
grep ^boost $evtlog/status
