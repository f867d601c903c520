#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# filter-cost.sh - measures the cost of a switch, a system call and a vector, with and without
# filters. Run it under --icount.
. /script/guest.sh

# Each measurement of system calls is the minimum of many calls; of vectors, of ten rounds.
measure_entries() {
	echo "$1 $(/script/boundary 0 cost 200)" >>"$OUT/syscall.txt"
	for round in 1 2 3 4 5 6 7 8 9 10; do
		echo vector 1000 >/proc/evtlog_bench
		cat /proc/evtlog_bench
	done | sort -n | awk -v what="$1" 'NR == 1 { print what, $1 / 1000 }' >>"$OUT/vector.txt"
}

run_entries() {
	until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null || die "no start for 20 s"
	measure_entries "$1"
	echo 0 >$evtlog/enable
}

run() {
	until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null || die "no start for 20 s"
	measure_switch "$1"
	echo 0 >$evtlog/enable
}

insmod evtlog_bench.ko || die "insmod: $?"
measure_switch disarmed
measure_entries disarmed
start_logd
run recording
evtlog filter softirq 'vec==9' || die "softirq"
run other_filtered
evtlog filter sched_switch 'next_pid==-1' || die "sched_switch"
run rejected
evtlog filter sched_switch 'next_pid!=-1' || die "sched_switch"
run accepted
evtlog filter del sched_switch softirq || die "delete"

# No other types are recorded, so no buffer fills during a round.
echo "-all +user_exit +irq_work" >$evtlog/events
run_entries recording
evtlog filter user_exit 'nr==-2' || die "user_exit"
evtlog filter irq_work 'vector==1' || die "irq_work"
run_entries rejected
evtlog filter user_exit 'nr!=-2' || die "user_exit"
evtlog filter irq_work 'vector!=1' || die "irq_work"
run_entries accepted
evtlog filter del user_exit irq_work || die "delete"
stop_logd

# named WHAT WORD... - records switches into a named buffer
named() {
	what=$1
	shift
	evtlog buffer add switches --buffers 16x1024 --events sched_switch "$@" || die "$what"
	measure_switch "$what"
	sed -n 's/.* lost \([0-9]*\) .*/\1/p' $evtlog/named/control >>"$OUT/lost.txt"
	evtlog buffer del switches || die "$what"
}
named named
named named_accepted --if 'cpu==0'
named named_rejected --if 'cpu==9'
