#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# named.sh - built-in events in named buffers of the module: counted, filtered, returned to runs. A
# part of buffer/builtin.sh, whose other parts need the boundary of user mode.
. /script/guest.sh
# shellcheck source=tests/support/named-in-guest.sh
. /script/named-in-guest.sh

settle() {
	stir
	sleep 0.2
}

must_refuse 'this kernel cannot record user_exit' '+lat events=user_exit,softirq'
must_refuse 'logs of runs need it' '+lat events=task'
start_logd
counts before.out
evtlog buffer add lat --buffers 16x256 --events sched,softirq,irq_handler || die "add: $?"
counts before.in
cat $named/lat/events >"$OUT/events.txt"
also evtlog buffer record lat -o "$OUT/lat.evl"
echo 1 >$evtlog/enable
settle
echo 0 >$evtlog/enable
stop_logd
counts after.in
evtlog buffer end lat || die "end: $?"
counts after.out
join
evtlog buffer del lat || die "del: $?"
evtlog dump --json "$OUT/lat.evl" >"$OUT/lat.json" || die "dump: $?"
evtlog check "$OUT/lat.evl" >"$OUT/lat.check" || die "check: $? $(cat "$OUT/lat.check")"
evtlog check $log/*.evl >"$OUT/run.check" || die "check of the run: $? $(cat "$OUT/run.check")"
evtlog dump --json $log/*.evl >"$OUT/run.json" || die "dump of the run: $?"
rm $log/*.evl

# A filter without fields: only CPU 1, also by what only a function can find
order '+lat kb=64 buffers=64 events=sched_switch if cpu==1 && tree==1'
settle
order '!lat'
for cpu in 0 1; do
	dd if=$named/lat/cpu$cpu of="$OUT/filtered$cpu" bs=1M status=none
done
order '-lat'

# Filters over fields: one task's switches, and echo requests
ping -i 0.01 127.0.0.1 >/dev/null 2>&1 &
pinger=$!
{
	switches_of $pinger
	awk '/^ctxt/ { print $2 }' /proc/stat
	evtlog buffer add lat --buffers 16x64 --events sched_switch --if "next_pid==$pinger" || die "add: $?"
	awk '/^ctxt/ { print $2 }' /proc/stat
	switches_of $pinger
	sleep 1
	switches_of $pinger
	awk '/^ctxt/ { print $2 }' /proc/stat
	evtlog buffer end lat || die "end: $?"
	awk '/^ctxt/ { print $2 }' /proc/stat
	switches_of $pinger
	echo $pinger
} >"$OUT/switches"
kill $pinger
wait $pinger || :
evtlog buffer list --json >"$OUT/switches.list"
evtlog buffer record lat -o "$OUT/switches.evl" || die "record: $?"
order '-lat'
evtlog dump --json "$OUT/switches.evl" >"$OUT/switches.json" || die "dump: $?"
order '+icmp kb=64 buffers=16 global events=icmp if type==8'
settle
order '!icmp'
evtlog buffer record icmp -o "$OUT/icmp.evl" || die "record: $?"
evtlog dump --json "$OUT/icmp.evl" >"$OUT/icmp.json" || die "dump: $?"
order '-icmp'

# A buffer that ends while a run records: its events are in neither, until the next run.
start_logd
order '+late kb=64 buffers=16 events=sched_switch'
echo 1 >$evtlog/enable
settle
order '-late'
settle
echo 0 >$evtlog/enable
stop_logd
evtlog dump $log/*.evl >"$OUT/left.dump" || die "dump: $?"
rm $log/*.evl
start_logd
echo 1 >$evtlog/enable
settle
echo 0 >$evtlog/enable
stop_logd
evtlog dump $log/*.evl >"$OUT/back.dump" || die "dump: $?"
[ -z "$(cat $control)" ] || die "left: $(cat $control)"
