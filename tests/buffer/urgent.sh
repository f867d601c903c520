#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# urgent.sh - a reader waits for urgent and for other events; a run records its wake-ups
. /script/guest.sh

control=$evtlog/named/control
function=__x64_sys_getppid
echo "-all +sched_waking" >$evtlog/events
# with NAME WORD... - WORDs of the order that adds the buffer
with() {
	name=$1
	shift
	echo "+$name kb=16 buffers=4 events=$function $*" >$control || die "$(head -n 1 $control)"
	echo "+>$name $function" >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
	start_logd
	echo 1 >$evtlog/enable
	at=cpu0
	[ -e $evtlog/named/$name/cpu0 ] || at=all
	urgent $evtlog/named/$name/$at 20 /tmp/$name >/tmp/$name.txt || die "urgent: $?"
	echo 0 >$evtlog/enable
	stop_logd
	mv $log/*.evl "$OUT/$name.evl"
	echo "!$name" >$control
	until_true 5 grep -q "state ended" $evtlog/named/$name/status || die "$(cat $evtlog/named/$name/status)"
	sleep 0.1
	cp /tmp/$name /tmp/$name.txt "$OUT"
	echo "-*" >$evtlog/probes
	echo "-$name" >$control
}
with urgent urgent=$function
with patient
with one global urgent=$function
