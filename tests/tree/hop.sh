#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hop.sh - a cgroup joins a tree while its threads move in another hierarchy
. /script/guest.sh

threads=20
for hierarchy in job other; do
	mkdir -p /tmp/$hierarchy
	mount -t cgroup -o none,name=$hierarchy none /tmp/$hierarchy || die "cgroup: $?"
done
mkdir /tmp/job/77 /tmp/other/one /tmp/other/two
sh -c 'echo $$ >/tmp/job/77/cgroup.procs; exec enter hop /tmp/other '$threads &
hopper=$!
all_hop() {
	[ "$(wc -l </tmp/job/77/tasks)" = $((threads + 1)) ]
}
until_true 20 all_hop || die "$(wc -l </tmp/job/77/tasks) tasks"
has_passed() {
	[ "$(awk '$1 == "passes" { print $2 }' $evtlog/sampler)" -gt "$before" ]
}
exec 5</tmp/job/77
for trial in $(seq 40); do
	before=$(awk '$1 == "passes" { print $2 }' $evtlog/sampler)
	echo +4194304 >$evtlog/trees && echo '=4194304 cgroup:5' >$evtlog/trees || die "trees: $?"
	echo 'interval=1ms tree=4194304' >$evtlog/sampler && echo 1 >$evtlog/enable || die "start: $?"
	until_true 10 has_passed || die "no pass"
	found=$(awk '$1 == "tasks" { print $2 }' $evtlog/sampler)
	[ "$found" = $((threads + 1)) ] || die "trial $trial: $found of $((threads + 1)) tasks are in the tree"
	echo 0 >$evtlog/enable && echo off >$evtlog/sampler && echo -4194304 >$evtlog/trees || die "stop: $?"
	echo 16 >$evtlog/buffers || die "buffers: $?"
done
exec 5<&-
kill $hopper
wait $hopper || true
