#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# commands.sh - makes a file of each kind of named buffer, and a log of a run
. /script/guest.sh

ifconfig lo 127.0.0.1 up

packets=5

stir() {
	for i in $(seq 10); do
		sh -c : | cat
		udp $packets 200
	done
	sleep 0.2
}

# record NAME OPTION... - records the events of stir() in a named buffer
record() {
	name=$1
	shift
	evtlog buffer add $name "$@" || die "add $name: $?"
	echo '+udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(cat $evtlog/probes)"
	also evtlog buffer record $name -o "$OUT/$name.evl"
	stir
	evtlog buffer end $name || die "end $name: $?"
	# 4: events were lost
	for pid in $jobs; do
		wait "$pid" || [ $? = 4 ] || die "record $name: $?"
	done
	jobs=
	echo '-*' >$evtlog/probes
	evtlog buffer del $name || die "del $name: $?"
}
record probe --events 'udp_*' --buffers x64
record builtin --events 'udp_*,sched,softirq,irq_handler' --buffers 16x64
# Tasks that exist all the time
for directory in /proc/[0-9]*; do
	echo "${directory#/proc/} $(cat $directory/comm)"
done >"$OUT/names" 2>/dev/null
record global --events 'udp_*,sched_switch,softirq' --buffers 64x64 --global
packets=200
record flight --events 'udp_*' --buffers 2x4 --overwrite
packets=5
record empty --events 'no_such_*'
# A pattern selects no built-in events.
evtlog buffer add pattern --events 'udp_*,softirq_*' 2>"$OUT/pattern.said" || die "add: $?"
evtlog buffer del pattern
[ "$(grep -c 'no built-in events by softirq_\*' "$OUT/pattern.said")" = 1 ] &&
	[ "$(wc -l <"$OUT/pattern.said")" = 1 ] || die "$(cat "$OUT/pattern.said")"

start_logd
echo 1 >$evtlog/enable
stir
echo 0 >$evtlog/enable
stop_logd
mv $log/*.evl "$OUT/run.evl"
