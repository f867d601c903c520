#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# builtin.sh - built-in events in a named buffer: refused, counted, filtered, returned to runs
. /script/guest.sh
# shellcheck source=tests/support/named-in-guest.sh
. /script/named-in-guest.sh
ifconfig lo 127.0.0.1 up
dmesg -c >/dev/null

# all_counts FILE - also of interrupts and ICMP
all_counts() {
	counts "$1"
	awk '$1 ~ /^(LOC|RES|CAL):/ { sub(":", "", $1); print $1, $2 + $3 }' /proc/interrupts >>"$OUT/$1"
	awk '/^Icmp:/ && !n++ { for (i = 2; i <= NF; i++) name[i] = $i; next }
		/^Icmp:/ { for (i = 2; i <= NF; i++) if (name[i] ~ /^(In|Out)Msgs$/) print name[i], $i }' \
		/proc/net/snmp >>"$OUT/$1"
}

stir_all() {
	stir
	/script/stir 2000 500 || die "stir"
	sleep 0.2
}

must_refuse 'sched_process_fork cannot go to a named buffer' '+lat events=sched_process_fork'
must_refuse 'task cannot go to a named buffer' '+lat events=udp_*,task'
must_refuse 'user_nmi must go to the same buffer as user_exit' '+lat events=user_nmi,softirq'
[ "$(ls $named)" = control ] || die "a buffer is left"

# A type with its own filter is refused.
echo 'sched_switch if next_pid == 1' >$evtlog/filters || die "$(cat $evtlog/filters_error)"
must_refuse 'sched_switch has a filter' '+lat events=sched_switch'
echo sched_switch >$evtlog/filters

# A built-in type is refused while a run records: the run would have half of its events.
start_logd
echo 1 >$evtlog/enable
must_refuse 'during a run' '+lat events=softirq'
echo 0 >$evtlog/enable
stop_logd
rm $log/*.evl

# All built-in types of the buffer; a run records the other types.
start_logd
all_counts before.out
evtlog buffer add lat --buffers 16x256 --events sched,softirq,irq_handler || die "add: $?"
all_counts before.in
evtlog status | grep -q '^named  *sched_switch sched_waking ' || die "status: $(evtlog status)"
evtlog status | grep -q 'earlier -e' && die "status: $(evtlog status)"
cat $named/lat/events >"$OUT/events.txt"
must_refuse 'goes to another' '+other events=sched_waking'
! echo 'sched_switch if next_pid == 1' >$evtlog/filters 2>/dev/null || die "a filter is taken"
grep -q 'goes to a named buffer' $evtlog/filters_error || die "$(cat $evtlog/filters_error)"
evtlog filter sched_switch 'next_pid == 1' 2>"$OUT/refused" && die "a filter is taken"
grep -q 'sched_switch: sched_switch goes to a named buffer; give the buffer' "$OUT/refused" ||
	die "$(cat "$OUT/refused")"
grep -qx -- '-sched_switch' $evtlog/events || die "runs have it: $(cat $evtlog/events)"
also evtlog buffer record lat -o "$OUT/lat.evl"
echo 1 >$evtlog/enable
stir_all
echo 0 >$evtlog/enable
stop_logd
all_counts after.in
evtlog buffer end lat || die "end: $?"
all_counts after.out
join
cat $named/lat/status >"$OUT/status.txt"
evtlog buffer del lat || die "del: $?"
evtlog dump --json "$OUT/lat.evl" >"$OUT/lat.json" || die "dump: $?"
evtlog dump "$OUT/lat.evl" >"$OUT/lat.dump"
evtlog stat "$OUT/lat.evl" >"$OUT/lat.stat" || die "stat: $?"
evtlog check "$OUT/lat.evl" >"$OUT/lat.check" || die "check: $? $(cat "$OUT/lat.check")"
evtlog check $log/*.evl >"$OUT/run.check" || die "check of the run: $? $(cat "$OUT/run.check")"
evtlog dump --json $log/*.evl >"$OUT/run.json" || die "dump of the run: $?"
rm $log/*.evl

# A filter of the named buffer, by CPU
order '+lat kb=64 buffers=64 events=sched_switch if cpu==1'
stir_all
order '!lat'
for cpu in 0 1; do
	dd if=$named/lat/cpu$cpu of="$OUT/filtered$cpu" bs=1M status=none
done
order '-lat'

# A filter by fields, as of the type itself. The kernel counts the switches of the selected task.
must_refuse 'sched_waking: column 1: expected a field of this event' '+lat events=sched if next_pid==1'
must_refuse 'sched_switch: column 1: expected a field' '+lat events=sched_switch if next_pit==1'
must_refuse 'user_enter: column 1' '+lat events=user if nr==1'
must_refuse 'filter: column 1' '+lat events=sched_switch,udp_* if next_pid==1'
must_refuse 'filter: column 1' '+lat if next_pid==1'
[ "$(ls $named)" = control ] || die "a buffer is left"
# If other events can come, a filter has no fields; pid is the current task's.
order '+lat events=sched_waking,udp_* if pid==1'
order '-lat'
ping -i 0.01 127.0.0.1 >/dev/null 2>&1 &
pinger=$!
{
	switches_of $pinger
	awk '/^ctxt/ { print $2 }' /proc/stat
	evtlog buffer add lat --buffers 16x64 --events sched_switch --if "next_pid==$pinger" || die "add: $?"
	awk '/^ctxt/ { print $2 }' /proc/stat
	switches_of $pinger
	! echo '+>lat udp_sendmsg' >$evtlog/probes 2>/dev/null || die "a probe is taken"
	sleep 1
	switches_of $pinger
	awk '/^ctxt/ { print $2 }' /proc/stat
	evtlog buffer end lat || die "end: $?"
	awk '/^ctxt/ { print $2 }' /proc/stat
	switches_of $pinger
	echo $pinger
} >"$OUT/switches"
grep -q 'lat has a filter that tests fields of built-in events' $evtlog/probes || die "$(head -n 1 $evtlog/probes)"
evtlog buffer list --json >"$OUT/switches.list"
evtlog buffer record lat -o "$OUT/switches.evl" || die "record: $?"
order '-lat'
evtlog dump --json "$OUT/switches.evl" >"$OUT/switches.json" || die "dump: $?"
evtlog check "$OUT/switches.evl" >"$OUT/switches.check" || die "check: $? $(cat "$OUT/switches.check")"
kill $pinger
wait $pinger || :

# user_exit may change no register. A function finds icmp's fields. Also global, flight recorder.
order '+calls kb=64 buffers=16 events=user_exit if cause==1 && nr==146'
order '+icmp kb=64 buffers=16 global events=icmp if type==8'
order '+faults kb=64 buffers=4 mode=overwrite events=exception_entry if vector==14'
order "+wakes kb=64 buffers=16 events=sched_waking if pid==$$"
echo $$ >"$OUT/woken"
stir_all
# The kernel overwrites a filter's code only after all tasks have left the code.
printf '%s\n' __static_call_update synchronize_rcu_tasks_rude text_poke_set >$tracing/set_ftrace_filter
echo function >$tracing/current_tracer
for name in calls icmp faults wakes; do
	order "!$name"
	evtlog buffer record $name -o "$OUT/$name.evl" || die "record: $?"
	evtlog dump --json "$OUT/$name.evl" >"$OUT/$name.json" || [ $? = 4 ] || die "dump: $?"
done
evtlog buffer list --json >"$OUT/fields.list"
order '-calls'
order '-icmp'
order '-faults'
order '-wakes'
# The hook's sites are restored, and accept a filter of runs.
echo 'sched_switch if next_pid == 1' >$evtlog/filters || die "$(cat $evtlog/filters_error)"
echo sched_switch >$evtlog/filters
cat $tracing/trace >/tmp/trace
echo nop >$tracing/current_tracer
echo >$tracing/set_ftrace_filter
awk '/: __static_call_update/ { patched = 1 } /: synchronize_rcu_tasks_rude/ { patched = 0 }
	/: text_poke_set/ { n++; early += patched } END { print n, early + 0; exit n < 5 || early }' /tmp/trace ||
	die "code is overwritten before all tasks have left it: $(head -n 60 /tmp/trace)"

# A global buffer with an urgent event
order '+lat global kb=64 buffers=64 events=sched_switch,softirq urgent=softirq_exit'
also evtlog buffer record lat -o "$OUT/global.evl"
stir_all
order '!lat'
join
order '-lat'
evtlog dump --json "$OUT/global.evl" >"$OUT/global.json" || [ $? = 4 ] || die "dump: $?"

# Events at the user boundary, vectors and ICMP messages. The buffer ends while a run records.
boundary=user,exception,local_timer,reschedule,call_function,call_function_single,irq_work,vector,icmp
all_counts wide.before.out
evtlog buffer add wide --buffers 16x1024 --events $boundary,sched_switch --urgent icmp || die "add: $?"
all_counts wide.before.in
start_logd
also evtlog buffer record wide -o "$OUT/wide.evl"
echo 1 >$evtlog/enable
stir_all
all_counts wide.after.in
evtlog buffer end wide || die "end: $?"
all_counts wide.after.out
join
grep -qx -- '-user_exit' $evtlog/events || die "the run has it: $(cat $evtlog/events)"
stir_all
order '+late kb=64 events=late_event'
order '-wide'
stir_all
order '-late'
echo 0 >$evtlog/enable
stop_logd
grep -qx '+sched_switch' $evtlog/events || die "runs lack it: $(cat $evtlog/events)"
evtlog check "$OUT/wide.evl" >"$OUT/wide.check" || die "check: $? $(cat "$OUT/wide.check")"
evtlog check $log/*.evl >"$OUT/left.check" || die "check of the run: $? $(cat "$OUT/left.check")"
evtlog dump --json "$OUT/wide.evl" >"$OUT/wide.json" || die "dump: $?"
evtlog dump --json $log/*.evl >"$OUT/left.json" || die "dump of the run: $?"
rm $log/*.evl

# A flight recorder that ends while a run records has the last events.
evtlog buffer add last --overwrite --buffers 4x4 --events sched,user || die "add: $?"
also evtlog buffer record last -o "$OUT/last.evl"
start_logd
echo 1 >$evtlog/enable
stir_all
/script/stir 100 1
evtlog buffer end last || die "end: $?"
echo 0 >$evtlog/enable
stop_logd
join
sed -n 's/.* overwritten \([0-9]*\).*/\1/p' $control >"$OUT/overwritten"
order '-last'
evtlog check "$OUT/last.evl" >"$OUT/last.check" || die "check: $? $(cat "$OUT/last.check")"
evtlog dump --json "$OUT/last.evl" >"$OUT/last.json" || die "dump: $?"
rm $log/*.evl

# The events return to runs.
start_logd
echo 1 >$evtlog/enable
stir_all
echo 0 >$evtlog/enable
stop_logd
evtlog check $log/*.evl >"$OUT/back.check" || die "check: $? $(cat "$OUT/back.check")"
evtlog dump $log/*.evl | grep -c sched_switch >"$OUT/back.count"
dmesg | grep -i 'BUG\|WARN\|Oops\|stall\|lockdep' && die "the kernel complains"
[ -z "$(cat $control)" ] || die "left: $(cat $control)"
