#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# guest.sh [ROUNDS [REQUESTS]] - the demo's part in each guest: logd through its init script, one run of
# all nodes, started and stopped from node1, with a real load, and a group of tasks
# scheduled by message. Lines that begin with "guest: " are shown. ROUNDS: how long the load
# computes (60000). REQUESTS: how often the group is scheduled (5).
set -eu
. ./waiting.sh

rounds=${1:-60000} requests=${2:-5}
job=/sys/fs/cgroup/job
nodes="node[1-$NODES]"

say() {
	echo "guest: $*"
}

compute() {
	i=0
	while [ $i -lt "$rounds" ]; do
		i=$((i + 1))
	done
}

# Tasks that compute, sleep, pipe and fork; disk and network; pings to the next node.
load() {
	next=$((NODE % NODES + 1))
	ping -c 30 -i 0.1 -q node$next >/dev/null &
	compute &
	(for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done) &
	dd if=/dev/zero bs=512 count=4000 2>/dev/null | cat | wc -c >/dev/null &
	(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do /bin/true; done) &
	(dd if=/dev/zero of=/mnt/file bs=64k count=200 conv=fsync 2>/dev/null
	 md5sum /mnt/file >/dev/null) &
	(echo hello | nc -l -p 7777 >/dev/null & sleep 0.3; head -c 300000 /dev/zero | nc 127.0.0.1 7777 >/dev/null) &
	wait
}

# The parallel program that messages ask for: a task for each CPU, on every node.
start_job() {
	mkdir $job
	for cpu in $(seq "$(nproc)"); do
		sh -c "echo \$\$ >$job/cgroup.procs; while :; do :; done" &
		jobs="${jobs:-} $!"
	done
}

is_recording() {
	grep -q 1 /proc/evtlog/enable
}

await() {
	until_true "$@" || { say "node$NODE: waited too long for: $*"; exit 1; }
}

is_stopped() {
	! is_recording
}

all_answer() {
	evtlog remote status "$nodes" >/dev/null 2>&1
}

[ "$NODE" != 1 ] || say "$NODES nodes, Linux $(uname -r) on $(nproc) CPUs each"
mke2fs -q /dev/vda 2>/dev/null || mkfs.ext2 /dev/vda >/dev/null
mount /dev/vda /mnt
/etc/init.d/evtlog start

if [ "$NODE" = 1 ]; then
	await 40 all_answer
	start_job
	say "evtlog remote start --broadcast eth0 --name demo $nodes"
	evtlog remote start --broadcast eth0 --name demo "$nodes" | sed 's/^/guest:     /'
	(load) &
	loading=$!
	for request in $(seq "$requests"); do
		sleep 0.4
		evtlog remote sched --tasks cgroup:/job --for 50ms "$nodes" >/tmp/said || cat /tmp/said
	done
	say "evtlog remote sched --tasks cgroup:/job --for 50ms $nodes, $requests times"
	sed 's/^/guest:     /' /tmp/said
	wait $loading
	say "evtlog remote stop $nodes"
	evtlog remote stop "$nodes" | sed 's/^/guest:     /'
else
	start_job
	await 80 is_recording
	(load)
	await 80 is_stopped
fi
kill $jobs
evtlog status >/dev/null || true
/etc/init.d/evtlog stop
cp /var/log/evtlog/*.evl "$OUT"
say "node$NODE: $(ls /var/log/evtlog | tr '\n' ' ')"
