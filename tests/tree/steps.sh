#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# steps.sh - records a job in two hierarchies of cgroups; all steps but one begin after the start
. /script/guest.sh

mkdir -p /tmp/v2 /tmp/v1
mount -t cgroup2 none /tmp/v2 || die "cgroup2: $?"
mount -t cgroup -o none,name=v1 none /tmp/v1 || die "cgroup: $?"
job=/tmp/v2/slurm/job_77 old=/tmp/v1/slurm/uid_0/job_77
mkdir -p $job/step_0 $old /tmp/v2/other
sleep 3600 &
first=$!
echo $first >$job/step_0/cgroup.procs
echo "first $first 0" >"$OUT/steps.txt"

# A cgroup that is not below the job is outside the tree.
cat >/tmp/steps <<END
set -e
mkdir -p $job/step_1/user/task_0 $old/step_1
enter self /tmp/v2/other 5 >>$OUT/others.txt
enter self $job/step_1/user/task_0 5
enter clone $job/step_1/user/task_0 5
enter moved $job/step_1/user/task_0 20
enter self $old/step_1 5
enter moved $old/step_1 20
enter thread $old/step_1 5
# A task that left the job stays in the tree, even after its directory is removed.
sh -c 'echo \$\$ >$old/step_1/cgroup.procs; echo \$\$ >/tmp/v1/cgroup.procs; echo "left \$\$ 0"; exec env true'
rmdir $old/step_1 $old
enter self $job/step_0 5
END
evtlog record --tree job:77 --sample 1ms -e +user_exit,+user_enter,+event --buffers 64x16 -o "$OUT/steps.evl" -- \
	sh /tmp/steps >>"$OUT/steps.txt" || die "record: $?"
[ -z "$(cat $evtlog/trees)" ] || die "left: $(cat $evtlog/trees)"

# A job that has no process yet
kill $first
wait $first || true
evtlog record --tree cgroup:/slurm/job_77 -e sched -o "$OUT/empty.evl" -- enter self $job/step_1 5 >"$OUT/empty.txt" ||
	die "record: $?"

# Invalid input of trees
must_refuse() {
	! echo "$1" >$evtlog/trees 2>/dev/null || die "trees took '$1'"
}
exec 5<$job 6</tmp
echo +4194304 >$evtlog/trees || die "trees: $?"
for text in +4194304 '=4194304 cgroup:6' '=4194304 cgroup:99' '=4194304 cgroup:-1' '=4194304 cgroup:' '=4194304 cgroup:5x' \
	'=cgroup:5' '+cgroup:5' '=4194305 cgroup:5' -4194305; do
	must_refuse "$text"
done
echo '=4194304 cgroup:5' >$evtlog/trees || die "trees: $?"
evtlog filter sched_waking 'tree==4194304' || die "filter: $?"
evtlog filter del sched_waking
echo "interval=10ms tree=4194304" >$evtlog/sampler || die "sampler: $?"
grep -q "^tree [0-9]* bit 0x[0-9a-f]* pid 4194304 holders 2$" $evtlog/trees || die "$(cat $evtlog/trees)"
echo off >$evtlog/sampler
echo -4194304 >$evtlog/trees || die "trees: $?"
exec 5<&- 6<&-
rmdir $job/step_0 $job/step_1/user/task_0 $job/step_1/user $job/step_1 $job || die "rmdir: $?"
