#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# boost-rights.sh - compares what boosted tasks and others may change of their policies with a group
# that does the same and is never boosted
. /script/sched-guest.sh
above 55 "$@"
set_key 1 $key
cp "$(command -v members)" /tmp/members-suid
chmod 4755 /tmp/members-suid
nothing=/tmp/nothing
: >$nothing

# asked NUMBER - have all members of the group made their requests?
asked() {
	policies "$1" >/tmp/asked
	[ "$(grep -c '+\(ok\|no\) ' /tmp/asked)" = "$asking" ]
}

end_boost() {
	boost 0 $pgid "$other" 1000000
	await 8 ended
}

echo "== forks and changes of policy take no lock while there is nobody to boost"
group session z:other:0:0:0:sleep
other=$group
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs none $tracing
echo 'p:looked_up evtlog_boost_table_find' >>$tracing/kprobe_events
looked_up() {
	awk '$1 == "looked_up" { print $2 }' $tracing/kprobe_profile
}
forks() {
	for i in $(seq 50); do
		/bin/true
	done
	for i in $(seq 10); do
		members set "$other" z batch 0
		members set "$other" z other 0
	done
	looked_up
}
echo 1 >$tracing/events/kprobes/looked_up/enable
[ "$(forks)" = 0 ] || die "$(looked_up) look-ups for 50 forks, with a key and no order"
age_key
boost 0 $pgid "$other" 1000000
await 8 ended
before=$(looked_up)
[ "$before" -gt 0 ] || die "the probe sees nothing"
[ "$(forks)" = "$before" ] || die "$(looked_up) look-ups, $before before 50 forks, nobody boosted"
echo 0 >$tracing/events/kprobes/looked_up/enable

echo "== what a task may without a boost, and no more"
# The limit is 20. Higher priorities come from the task's own policy, or from the boost.
rights='a:other:0:0:1:set=rr,48 b:other:0:0:1:set=fifo,48 c:other:0:0:1:set=fifo,47
	d:other:0:3:1:set=rr,20 e:idle:0:0:1:set=other,0 f:batch:0:4:1:set=idle,0
	g:fifo:10:0:1:set=fifo,15 h:fifo:10:0:1:set=fifo,30 i:rr:10:0:1:set=rr,5
	j:fifo:30:0:1:set=fifo,25 k:fifo:30:0:1:set=rr,30 l:rr:10:0:1:param=5
	m:rr:10:0:1:param=21 n:other:0:2:1:suid o:rr:30:0:1:set=rr,31
	p:idle:0:0:1:set=fifo,20 q:idle:0:5:1:param=47
	r:other:0:0:0:plain=other,0 s:other:0:0:0:plain=batch,0 t:other:0:0:0:plain=idle,0
	u:fifo:10:0:0:plain=other,0 v:other:0:0:1:plain=batch,0 w:other:0:0:0:plain=fifo,30'
asking=23
# shellcheck disable=SC2086 - a list
group session $rights
witness=$group
kill -USR1 -"$witness"
await 60 asked "$witness"
# Do not read again: a member that executes exec has another name for a moment.
cp /tmp/asked /tmp/expected
grep -c '+ok' /tmp/expected | grep -qx 11 || {
	cat /tmp/expected
	die "without a boost other things are allowed than one knows"
}
kill -KILL -"$witness"
# shellcheck disable=SC2086
group session $rights
boost 0 $pgid "$group" 10000000000
kill -USR1 -"$group"
await 60 asked "$group"
cp /tmp/asked /tmp/while
# A second boost: policies of the first boost must not count as the tasks' own.
boost 0 $sid "$group" 10000000000
end_boost
policies "$group" >/tmp/now
same /tmp/expected /tmp/now "boosted tasks have other policies than they may"
kill -KILL -"$group"

echo "== an administrator's change is kept, and children have it"
admin='a:other:0:5:0:fork b:batch:0:0:0:fork c:idle:0:0:0:fork d:rr:9:0:1:fork e:fifo:3:0:0:fork'
change() {
	members set "$1" a fifo 5
	members set "$1" b fifo 48
	members set "$1" c other 0
	members set "$1" d batch 0
	kill -USR1 -"$1"
	await 60 born "$1"
}
born() {
	[ "$(policies "$1" | grep -c '^.+c ')" = 5 ]
}
# shellcheck disable=SC2086
group session $admin
witness=$group
change "$witness"
policies "$witness" >/tmp/expected
kill -KILL -"$witness"
# shellcheck disable=SC2086
group session $admin
boost 0 $pgid "$group" 10000000000
change "$group"
policies "$group" | grep '^.+c ' >/tmp/now
grep '^.+c ' /tmp/expected >/tmp/children
same /tmp/children /tmp/now "children have not what the administrator gave"
end_boost
policies "$group" >/tmp/now
same /tmp/expected /tmp/now "the administrator's change was undone"
kill -KILL -"$group"

echo "== workers of io_uring"
has_workers() {
	[ "$(policies "$1" | grep -c '^iou-wrk')" = 3 ]
}
# The names contain the number of the task.
workers_of() {
	policies "$1" | sed 's/^iou-wrk-[0-9]*/worker/' | sort
}
owners='a:other:0:7:0:worker b:idle:0:0:0:worker c:fifo:4:0:0:worker'
# shellcheck disable=SC2086
group session $owners
witness=$group
kill -USR1 -"$witness"
await 60 has_workers "$witness"
workers_of "$witness" >/tmp/expected
kill -KILL -"$witness"
# shellcheck disable=SC2086
group session $owners
boost 0 $pgid "$group" 10000000000
kill -USR1 -"$group"
await 60 has_workers "$group"
end_boost
workers_of "$group" >/tmp/now
same /tmp/expected /tmp/now "workers have not what their task would have given them"
kill -KILL -"$group"

echo "== a limit of real-time CPU time"
group session a:other:0:0:0:limited b:other:0:4:0:nap
policies "$group" >/tmp/before
skipped=$(status_of boost_skipped)
boost 0 $sid "$group" 1000000000
answered 'tasks 2'
! policies "$group" | grep '^a ' | grep -q fifo || die "it was boosted"
await 8 ended
policies "$group" >/tmp/now
same /tmp/before /tmp/now "somebody was killed, or kept something"
[ "$(status_of boost_skipped)" = $((skipped + 1)) ] ||
	die "$(status_of boost_skipped) were skipped, $skipped before"
kill -KILL -"$group"

echo "== the control group of all tasks"
mkdir /tmp/cgroup
mount -t cgroup2 none /tmp/cgroup
for name in '' / ///; do
	boost 22 $cgroup 0 1000000 "name=$name"
done
ended || die "somebody is boosted"
policies "$other" | grep -q ' fifo 48 ' && die "somebody has FIFO 48"
grep ^boost $evtlog/status
