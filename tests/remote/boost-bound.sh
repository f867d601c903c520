#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# boost-bound.sh ORDERS - boosts hogs that leave no CPU to others, first as a session and then as a
# control group, while other tasks create and remove control groups. Each boost ends, even if it
# interrupts one of these tasks under the lock that is needed to find a control group.
. /script/sched-guest.sh
above 55 "$@"
set_key 1 $key
mkdir /tmp/cgroup
mount -t cgroup2 none /tmp/cgroup
mkdir /tmp/cgroup/job
group session a:other:0:0:0:hog b:other:0:0:0:hog
job=$group
for pid in $(members pids "$job"); do
	echo "$pid" >/tmp/cgroup/job/cgroup.procs
done
policies "$job" >/tmp/before
group session x:other:0:0:0:churn y:other:0:0:0:churn z:other:0:0:0:churn
# Real-time throttling takes no CPU time from the group.
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
age_key
rounds_boosted=0
for round in $(seq "$1"); do
	boosted=$(status_of boost_boosted)
	send reply=0 kind=$sid group="$job" for=200000000 $me $me sched
	sleep 0.01
	send reply=0 kind=$cgroup name=/job for=200000000 $me $me sched
	until_true 5 ended || {
		status_of boost_tasks
		die "5 s later boost $round of 0.2 s is not over"
	}
	[ "$(status_of boost_boosted)" = "$boosted" ] || rounds_boosted=$((rounds_boosted + 1))
	sleep 0.05
done
[ $rounds_boosted -gt $(($1 / 2)) ] || die "only $rounds_boosted of $1 boosted the group"

echo "== the key is removed while nobody else can run"
send reply=0 kind=$sid group="$job" for=10000000000 $me $me sched
sleep 0.01
send reply=0 kind=$cgroup name=/job for=10000000000 $me $me sched
echo "1 -" >$evtlog/remote_key
policies "$job" >/tmp/now
same /tmp/before /tmp/now "somebody kept something"
