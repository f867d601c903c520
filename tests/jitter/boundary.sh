#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# boundary.sh loop|load|compat|nmi - records the user boundary while a program of this kind runs.
. /script/guest.sh
echo 8 >$evtlog/buffers

# one NAME PROGRAM... - records a run while PROGRAM runs; NAME.txt has the program's output
one() {
	name=$1
	shift
	echo 1 >$evtlog/enable
	"$@" >"$OUT/$name.txt" || die "$name: $?"
	echo 0 >$evtlog/enable
	runs="${runs:-} $name"
}

# Runs tasks on the CPU of the loop every 30 ms
daemon() {
	while :; do
		sleep 0.03
	done
}

case $1 in
loop)
	echo "+user +exception" >$evtlog/events
	start_logd
	daemon &
	daemon_pid=$!
	one gaps boundary 0 gaps 1.5 1000
	kill $daemon_pid
	one calls boundary 0 calls 20000
	one faults boundary 0 faults 3000
	one traps boundary 0 traps 50
	;;
load)
	make_disk
	echo "+user +exception" >$evtlog/events
	start_logd
	use_disk 3 &
	one load load 3
	wait $!
	;;
compat)
	echo "+user +exception" >$evtlog/events
	start_logd
	one compat compat
	;;
nmi)
	echo "+user +exception" >$evtlog/events
	start_logd
	nmis() {
		sed -n 's/^ *NMI: *//p' /proc/interrupts | awk '{ print $2 }'
	}
	# The spinner uses CPU 1. This shell, which triggers the NMIs, uses CPU 0.
	taskset -p 1 $$ >/dev/null
	boundary 1 spin 600 &
	spinning=$!
	until_true 60 has_had $spinning 50 || die "nothing spins"
	nmis >"$OUT/before"
	echo 1 >$evtlog/enable
	for i in $(seq 20); do
		echo l >/proc/sysrq-trigger
	done
	# A tick ends the interval after the last NMI.
	sleep 0.1
	echo 0 >$evtlog/enable
	nmis >"$OUT/after"
	dmesg >"$OUT/backtraces"
	kill $spinning
	wait $spinning || true
	runs=spin
	;;
esac
stop_logd
number=1
for name in $runs; do
	file=$(ls $log/*-$number.evl)
	evtlog check "$file" >"$OUT/$name.check" || die "check: $? $(cat "$OUT/$name.check")"
	cp "$file" "$OUT/$name.evl"
	number=$((number + 1))
done
