# SPDX-License-Identifier: GPL-2.0-or-later
# trace_cmd - ftrace's events, recorded by trace-cmd.

trace_cmd_why() {
	command -v trace-cmd >/dev/null || { echo "trace-cmd is not installed"; return 1; }
	[ -d /sys/kernel/tracing/events/sched ] ||
		{ echo "the kernel has no trace events"; return 1; }
}

trace_cmd_start() {
	local events="-e sched:sched_switch"

	[ "$2" = switch ] || events="$events -e irq:softirq_entry -e irq:softirq_exit
		-e irq:irq_handler_entry -e irq:irq_handler_exit"
	trace_cmd_record "$1" sched/sched_switch $events
}

# trace_cmd_record DIR EVENT OPTION... - EVENT is the event that trace-cmd enables last
trace_cmd_record() {
	local dir=$1 event=$2
	shift 2

	$run trace-cmd record $trace_cmd_options -b "$buffer_kb" -o "$dir/trace.dat" "$@" \
		>"$dir/said" 2>&1 &
	trace_cmd_pid=$!
	until [ "$(cat "/sys/kernel/tracing/events/$event/enable")" = 1 ] &&
		[ "$(cat /sys/kernel/tracing/tracing_on)" = 1 ]; do
		kill -0 $trace_cmd_pid || { cat "$dir/said" >&2; return 1; }
		sleep 0.1
	done
	sleep 0.5
}

trace_cmd_stop() {
	kill -INT $trace_cmd_pid
	wait $trace_cmd_pid
}

# The file contains the kernel's statistics of each CPU.
trace_cmd_lost() {
	trace-cmd report --stat -i "$1/trace.dat" 2>/dev/null |
		awk '/^(overrun|commit overrun|dropped events): / { n += $NF }
			END { print n + 0 }'
}

trace_cmd_files() {
	echo "$1/trace.dat"
}

kprobe_events=/sys/kernel/tracing/kprobe_events

# kprobe_arguments N - prints N arguments, with ftrace's names of registers
kprobe_arguments() {
	local all=(a=%di b=%si c=%dx)

	echo "${all[@]:0:$1}"
}

trace_cmd_probe_why() {
	[ -e $kprobe_events ] || { echo "the kernel has no kprobe events"; return 1; }
}

trace_cmd_probe_start() {
	echo "p:bench $2 $(kprobe_arguments "$3")" >$kprobe_events
	trace_cmd_record "$1" kprobes/bench -e kprobes:bench
}

trace_cmd_probe_stop() {
	trace_cmd_stop
	echo >$kprobe_events
}

trace_cmd_probe_hits() {
	trace-cmd report -i "$1/trace.dat" 2>/dev/null | grep -c " bench: "
}
