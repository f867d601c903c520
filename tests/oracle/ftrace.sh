#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ftrace.sh - lets ftrace and evtlog record the same load, with the same clock.
. /script/guest.sh
tracing=/sys/kernel/tracing

if [ "${1:-}" = load ]; then
	use_disk "$2" &
	ping -q -i 0.1 -c 10 127.0.0.1 >/dev/null &
	load "$2"
	wait
	exit
fi

[ -d $tracing/events/sched ] || die "$tracing: no tracepoints"
make_disk
echo x86-tsc >$tracing/trace_clock
echo 0 >$tracing/tracing_on
echo 65536 >$tracing/buffer_size_kb
for event in sched/sched_switch sched/sched_waking sched/sched_wakeup_new \
	sched/sched_migrate_task task/task_newtask \
	sched/sched_process_exec sched/sched_process_exit task/task_rename \
	irq/irq_handler_entry irq/irq_handler_exit irq/softirq_entry irq/softirq_exit \
	irq_vectors/local_timer_entry irq_vectors/local_timer_exit \
	irq_vectors/reschedule_entry irq_vectors/reschedule_exit; do
	echo 1 >$tracing/events/$event/enable || die "no tracepoint $event"
done
start_logd
echo 1 >$tracing/tracing_on
echo 1 >$evtlog/enable
"$0" load "$1"
echo 0 >$evtlog/enable
echo 0 >$tracing/tracing_on
stop_logd
cp $log/*.evl "$OUT"
cat $tracing/trace >"$OUT/trace.txt"
cat $tracing/per_cpu/cpu*/stats >"$OUT/stats.txt"
