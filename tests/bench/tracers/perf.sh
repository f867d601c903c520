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
	mkfifo "$1/control" "$1/ack"
	exec 5<>"$1/control" 6<>"$1/ack"
	$run perf record -a -m "$((buffer_kb / 4))" -D -1 --control=fd:5,6 $perf_options \
		-o "$1/perf.data" -e "$events" >"$1/said" 2>&1 &
	perf_pid=$!
	echo enable >&5
	read -r _ <&6
	exec 5>&- 6>&-
}

perf_stop() {
	kill -INT $perf_pid
	wait $perf_pid || true	# it ends with the signal's status
}

# The kernel's count for each event, which it asks for at the end. (PERF_RECORD_LOST
# has the same again, and what was lost of its own dummy event too.)
perf_lost() {
	perf report --stats -i "$1/perf.data" 2>/dev/null |
		awk '/ stats:$/ { of = $1 } /LOST_SAMPLES events:/ && of ~ /^(sched|irq):/ { n += $3 }
			END { print n + 0 }'
}

perf_files() {
	echo "$1/perf.data"
}
