# SPDX-License-Identifier: GPL-2.0-or-later
# perf - perf record of the same tracepoints, on all CPUs.

perf_why() {
	command -v perf >/dev/null || { echo "perf is not installed"; return 1; }
	[ -e /proc/sys/kernel/perf_event_paranoid ] ||
		{ echo "the kernel has no perf events"; return 1; }
}

perf_start() {
	local events=sched:sched_switch

	[ "$2" = switch ] || events=$events,irq:softirq_entry,irq:softirq_exit,irq:irq_handler_entry,irq:irq_handler_exit
	perf_record "$1" "$events"
}

# perf_record DIR EVENTS
perf_record() {
	mkfifo "$1/control" "$1/ack"
	exec 5<>"$1/control" 6<>"$1/ack"
	$run perf record -a -m "$((buffer_kb / 4))" -D -1 --control=fd:5,6 $perf_options \
		-o "$1/perf.data" -e "$2" >"$1/said" 2>&1 &
	perf_pid=$!
	echo enable >&5
	read -r _ <&6
	exec 5>&- 6>&-
}

perf_stop() {
	kill -INT $perf_pid
	wait $perf_pid || true	# it ends with the signal's status
}

# The kernel's count for each event, which perf reads at the end. (PERF_RECORD_LOST contains the
# same again, plus the losses of perf's own dummy event.)
perf_lost() {
	perf report --stats -i "$1/perf.data" 2>/dev/null |
		awk '/ stats:$/ { of = $1 } /LOST_SAMPLES events:/ && of ~ /^(sched|irq):/ { n += $3 }
			END { print n + 0 }'
}

perf_files() {
	echo "$1/perf.data"
}

perf_probe_why() {
	trace_cmd_probe_why
}

perf_probe_start() {
	# perf probe needs the kernel's symbols in a file. This is the line that it would write.
	echo "p:probe/bench $2 $(kprobe_arguments "$3")" >$kprobe_events
	perf_record "$1" probe:bench
}

perf_probe_stop() {
	perf_stop
	echo >$kprobe_events
}

perf_probe_hits() {
	perf script -i "$1/perf.data" 2>/dev/null | grep -c "probe:bench"
}
