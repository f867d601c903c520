#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# stock.sh - loads and unloads the module in all states, then records the same load with ftrace and
# evtlog.
. /script/guest.sh

load_module() {
	insmod /script/evtlog.ko || die "insmod: $?"
}

# Nothing is left in /proc, in ftrace and at tracepoints.
unload_module() {
	rmmod evtlog || die "rmmod: $?"
	[ ! -e $evtlog ] || die "$evtlog is left"
	! grep -q icmp_rcv $tracing/enabled_functions || die "icmp_rcv is still traced"
}

load_module
! insmod /script/evtlog.ko 2>/dev/null || die "loaded twice"
grep -q "^form module$" $evtlog/format || die "the format does not name the form: $(cat $evtlog/format)"
# What tracepoints do not show cannot be recorded.
! grep -q user_exit $evtlog/events || die "user_exit in: $(cat $evtlog/events)"
! echo +user_exit >$evtlog/events 2>/dev/null || die "user_exit can be recorded"
# An open file keeps the module.
exec 3<$evtlog/cpu0
! rmmod evtlog 2>/dev/null || die "unloaded while cpu0 is open"
exec 3<&-
exec 3>$evtlog/session
printf 'events +sched_switch\nundo -sched_switch' >&3 || die "session: $?"
! rmmod evtlog 2>/dev/null || die "unloaded while a session is open"
exec 3<&-
# A refused change of the types adds nothing to a run.
start_logd
echo "-all +sched_switch" >$evtlog/events || die "events: $?"
echo 1 >$evtlog/enable
! echo +softirq >$evtlog/events 2>/dev/null || die "events were changed during a run"
sleep 0.2
echo 0 >$evtlog/enable
stop_logd
[ "$(evtlog dump --type softirq_entry $log/*.evl | wc -l)" = 0 ] || die "the run has types that were refused"
rm $log/*
# A run that goes on does not keep the orders of a closed session.
exec 3>$evtlog/session
printf 'events +softirq\nundo -softirq' >&3 || die "session: $?"
echo 1 >$evtlog/enable
exec 3<&-
unload_module
# Without functions that are not exported, what an idle CPU runs is unknown.
insmod /script/evtlog.ko outside=0 || die "insmod: $?"
echo 1 >$evtlog/enable
echo 0 >$evtlog/enable
unload_module

load_module
/script/ftrace.sh 1
unload_module
