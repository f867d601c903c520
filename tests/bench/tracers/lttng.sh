# SPDX-License-Identifier: GPL-2.0-or-later
# lttng - LTTng's kernel tracer, with the modules of tests/bench/modules.

lttng_why() {
	command -v lttng-sessiond >/dev/null || { echo "lttng-tools is not installed"; return 1; }
	[ ! -e "$modules/lttng-not-built" ] || { cat "$modules/lttng-not-built"; return 1; }
	modprobe lttng-tracer 2>/dev/null || { echo "lttng-tracer cannot be loaded"; return 1; }
}

lttng_start() {
	local events=sched_switch

	[ "$2" = switch ] || events=$events,irq_softirq_entry,irq_softirq_exit,irq_handler_entry,irq_handler_exit
	export LTTNG_HOME=$1
	{
		$run lttng-sessiond --daemonize --kmod-probes=sched,irq
		lttng --no-sessiond create bench --output="$1/trace"
		lttng --no-sessiond enable-channel --kernel channel0 \
			--subbuf-size=$((buffer_kb / 4))K --num-subbuf=4
		lttng --no-sessiond enable-event --kernel --channel=channel0 "$events"
		lttng --no-sessiond start
	} >"$1/said" 2>&1 || { cat "$1/said" >&2; return 1; }
}

lttng_stop() {
	local pid

	{
		lttng --no-sessiond stop
		lttng --no-sessiond list bench
		lttng --no-sessiond destroy
	} >>"$1/said" 2>&1 || { cat "$1/said" >&2; return 1; }
	pid=$(cat /run/lttng/lttng-sessiond.pid)
	kill "$pid"
	# The daemon removes its file first, its sockets and modules later: wait for its end.
	while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
}

lttng_lost() {
	awk '/Discarded events:/ { n += $3 } END { print n + 0 }' "$1/said"
}

lttng_files() {
	ls "$1"/trace/kernel/channel0_*
}

lttng_probe_why() {
	modprobe lttng-kprobes 2>/dev/null || { echo "lttng-kprobes cannot be loaded"; return 1; }
}

# LTTng's kprobes record no arguments.
lttng_probe_start() {
	[ "$3" = 0 ] || return 1
	export LTTNG_HOME=$1
	{
		$run lttng-sessiond --daemonize --kmod-probes=irq
		lttng --no-sessiond create bench --output="$1/trace"
		lttng --no-sessiond enable-channel --kernel channel0 \
			--subbuf-size=$((buffer_kb / 4))K --num-subbuf=4
		lttng --no-sessiond enable-event --kernel --channel=channel0 --probe="$2" bench
		lttng --no-sessiond start
	} >"$1/said" 2>&1 || { cat "$1/said" >&2; return 1; }
}

lttng_probe_stop() {
	lttng_stop "$1"
}
