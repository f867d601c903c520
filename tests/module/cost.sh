#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cost.sh - measures the cost of a switch with and without the module. Run it under --icount.
. /script/guest.sh

run() {
	until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null || die "no start for 20 s"
	measure_switch "$1"
	echo 0 >$evtlog/enable
}

named() {
	what=$1
	shift
	evtlog buffer add switches --buffers 16x1024 --events sched_switch "$@" || die "$what"
	measure_switch "$what"
	sed -n 's/.* lost \([0-9]*\) .*/\1/p' $evtlog/named/control >>"$OUT/lost.txt"
	evtlog buffer del switches || die "$what"
}

measure_switch without
insmod /script/evtlog.ko || die "insmod: $?"
measure_switch off
start_logd
run recording
evtlog filter sched_switch 'next_pid==-1' || die "sched_switch"
run rejected
evtlog filter sched_switch 'next_pid!=-1' || die "sched_switch"
run accepted
evtlog filter del sched_switch || die "delete"
stop_logd
named named
named named_rejected --if 'cpu==9'
named named_rejected_field --if 'next_pid==-1'
measure_switch off_again
