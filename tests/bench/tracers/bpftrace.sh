# SPDX-License-Identifier: GPL-2.0-or-later
# bpftrace_count, bpftrace_print - programs on the same tracepoints: the first counts in per-CPU
# maps, the second prints each event.

bpftrace_count_why() {
	command -v bpftrace >/dev/null || { echo "bpftrace is not installed"; return 1; }
}

bpftrace_print_why() {
	bpftrace_count_why
}

# bpftrace_run DIR PROGRAM
bpftrace_run() {
	BPFTRACE_PERF_RB_PAGES=$((buffer_kb / 4)) $run bpftrace --unsafe -o "$1/printed" -e "$2
		BEGIN { system(\"touch $1/begun\"); }" >"$1/said" 2>&1 &
	bpftrace_pid=$!
	until [ -e "$1/begun" ]; do
		kill -0 $bpftrace_pid || { cat "$1/said" >&2; return 1; }
		sleep 0.1
	done
	sleep 0.5	# the other probes follow BEGIN
}

bpftrace_count_start() {
	local program='tracepoint:sched:sched_switch { @switch = count(); }'

	[ "$2" = switch ] || program="$program
		tracepoint:irq:softirq_entry { @softirq_entry = count(); }
		tracepoint:irq:softirq_exit { @softirq_exit = count(); }
		tracepoint:irq:irq_handler_entry { @irq_entry = count(); }
		tracepoint:irq:irq_handler_exit { @irq_exit = count(); }"
	bpftrace_run "$1" "$program"
}

bpftrace_print_start() {
	local program='#define pid_t int
	tracepoint:sched:sched_switch {
		printf("%llu %d s %d %d %d\n", nsecs, cpu,
			args->prev_pid, args->prev_state, args->next_pid); }'

	[ "$2" = switch ] || program="$program
"'tracepoint:irq:softirq_entry { printf("%llu %d e %d\n", nsecs, cpu, args->vec); }
		tracepoint:irq:softirq_exit { printf("%llu %d x %d\n", nsecs, cpu, args->vec); }
		tracepoint:irq:irq_handler_entry { printf("%llu %d i %d\n", nsecs, cpu, args->irq); }
		tracepoint:irq:irq_handler_exit { printf("%llu %d o %d\n", nsecs, cpu, args->irq); }'
	bpftrace_run "$1" "$program"
}

bpftrace_count_stop() {
	kill -INT $bpftrace_pid
	wait $bpftrace_pid
}

bpftrace_print_stop() {
	bpftrace_count_stop
}

bpftrace_print_lost() {
	awk '/Lost [0-9]+ events/ { n += $2 } END { print n + 0 }' "$1/said" "$1/printed"
}

bpftrace_print_files() {
	echo "$1/printed"
}

bpftrace_count_probe_why() {
	bpftrace_count_why
}

bpftrace_print_probe_why() {
	bpftrace_count_why
}

bpftrace_count_probe_start() {
	[ "$3" = 0 ] || return 1	# it records none
	bpftrace_run "$1" "kprobe:$2 { @hits = count(); }"
}

bpftrace_print_probe_start() {
	local formats=("" " %x" " %x %x" " %x %x %x") values=("" ", arg0" ", arg0, arg1" ", arg0, arg1, arg2")

	bpftrace_run "$1" "kprobe:$2 { printf(\"%llu %d${formats[$3]}\\n\", nsecs, cpu${values[$3]}); }"
}

bpftrace_count_probe_stop() {
	bpftrace_count_stop
}

bpftrace_print_probe_stop() {
	bpftrace_count_stop
}

bpftrace_print_probe_hits() {
	grep -c "^[0-9]* [0-9]" "$1/printed"
}

# bpftrace_kfunc - the function calls the program directly, as it calls evtlog's stub.
bpftrace_kfunc_why() {
	bpftrace_count_why || return 1
	[ -e /sys/kernel/btf/vmlinux ] || { echo "the kernel has no BTF"; return 1; }
}

bpftrace_kfunc_probe_why() { :; }

bpftrace_kfunc_probe_start() {
	[ "$3" = 0 ] || return 1
	# The function's name in BTF
	bpftrace_run "$1" "kfunc:__do_${2#__x64_} { @hits = count(); }"
}

bpftrace_kfunc_probe_stop() {
	bpftrace_count_stop
}
