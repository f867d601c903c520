#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# start.sh - starts and stops armed runs, with ftrace: under a load in which no CPU calls another,
# then on an idle machine.
. /script/guest.sh

is_armed() {
	grep -qx "armed $1" $evtlog/status
}

# cycles_of NAME COUNT MS|arm - runs cycles; its output goes to NAME.txt
cycles_of() {
	cycles "$2" "$3" 0 >"$OUT/$1.txt" || die "$1: cycles failed"
	run_number >"$OUT/$1.last"
}

is_armed 0 || die "armed before anybody said so"
evtlog start --arm || die "evtlog start --arm"
is_armed 1 || die "not armed"
evtlog stop --disarm || die "evtlog stop --disarm"
is_armed 0 || die "still armed"

ftrace_prepare
# The logger stays on the CPU that starts and stops runs.
start_logd -s cpus=0
is_armed 1 || die "logd did not arm"
evtlog stop --disarm || die "evtlog stop --disarm"
evtlog start --arm || die "evtlog start --arm"
for cpu in 0 1; do
	taskset -c $cpu load 3600 19 &
	loads="${loads:-} $!"
done
sleep 1
echo 1 >$tracing/tracing_on
# At the first run logd maps buffers and memory: this cost is not a start's.
cycles_of first 1 500
cycles_of busy "$1" 100
cycles_of short 10 0
cycles_of arm 10 arm
echo 0 >$tracing/tracing_on
kill $loads
for pid in $loads; do
	wait "$pid" || die "the load failed"
done
ftrace_take
for event in $tracing/events/*/enable; do
	echo 0 >"$event"
done
sleep 2
cycles_of idle 3 300
# Record only a type that does not occur: no CPU has an event, however long the run is.
echo "-all +sched_process_exec" >$evtlog/events
cycles_of still 40 0
is_armed 1 || die "a stop disarmed"
evtlog status
stop_logd
is_armed 0 || die "logd left it armed"
cp $log/*.evl "$OUT"
[ "$(ls $log/*.evl | wc -l)" = "$(run_number)" ] || die "not a file for each run"
