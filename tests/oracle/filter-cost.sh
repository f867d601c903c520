#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# filter-cost.sh - what a switch takes, run under --icount: with filters and without.
. /script/guest.sh

# The least of three: now and then an interrupt comes in between.
measure() {
	for round in 1 2 3; do
		/script/yield 8000
	done | sort -n | sed "s/^/$1 /; q" >>"$OUT/cost.txt"
}

run() {
	until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null || die "no start for 20 s"
	measure "$1"
	echo 0 >$evtlog/enable
}

measure disarmed
start_logd
run recording
evtlog filter softirq 'vec==9' || die "softirq"
run other_filtered
evtlog filter sched_switch 'next_pid==-1' || die "sched_switch"
run rejected
evtlog filter sched_switch 'next_pid!=-1' || die "sched_switch"
run accepted
stop_logd
