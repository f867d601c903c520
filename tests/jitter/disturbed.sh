#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# disturbed.sh - takes its CPUs and its run from evtlog jitter run while it measures.
. /script/guest.sh

cd /tmp
cpu1=/sys/devices/system/cpu/cpu1/online

# start NAME - starts a measurement and waits until it measures; the 8 s let a slow machine disturb
# it
start() {
	evtlog jitter run -o "$1" --duration 8s --no-baseline >printed 2>said &
	pid=$!
	until_true 60 is_recording || die "$1: does not record: $(cat said)"
	await_cpu $pid 20
}

# ends NAME STATUS MESSAGE - the measurement must end with STATUS and print MESSAGE
ends() {
	got=0
	wait $pid || got=$?
	cat said
	[ $got = "$2" ] || die "$1: exit $got instead of $2"
	grep -q "$3" said || die "$1: does not tell: $3"
}

start moved
for task in /proc/$pid/task/*; do
	taskset -p 1 "${task##*/}" >/dev/null
done
ends moved 1 'CPU 1: its thread was moved'
[ ! -e moved/logged.samples ] || die "moved: left samples"

start offline
echo 0 >$cpu1
sleep 0.2
echo 1 >$cpu1
ends offline 1 'CPU 1: its thread was moved'

start gone
echo 0 >$cpu1
ends gone 1 'CPU 1: its thread was moved'
echo 1 >$cpu1

# SIGTERM ends it early, but some of its samples are of another CPU: it must not keep them.
start signal
echo 0 >$cpu1
kill -TERM $pid
ends signal 1 'CPU 1: its thread was moved'
[ ! -e signal/logged.samples ] || die "signal: left samples"
echo 1 >$cpu1

start ended
echo 0 >$evtlog/enable
ends ended 4 'run [0-9]* was stopped before the benchmark ended'
[ -s ended/logged.samples ] || die "ended: left no samples"
got=0
evtlog jitter report --json ended >printed 2>said || got=$?
[ $got = 4 ] || die "ended: report: exit $got: $(cat said)"
