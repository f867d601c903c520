# SPDX-License-Identifier: GPL-2.0-or-later
# profilers - tools that measure the number and the time of each system call, and a task's time off
# the CPU, with or without a record of each. For its NAME each defines:
#
#   NAME_profiler_why       prints why it cannot run here, and fails; otherwise nothing
#   NAME_profiler DIR COMMAND...  runs the command under it
#   NAME_profiler_count DIR CALL  prints the number of such system calls that it counted
#
# CALL is "NAME NUMBER".

tracing=/sys/kernel/tracing

# ---- evtlog ----

none_profiler_why() { :; }
none_profiler() { "${@:2}"; }
none_profiler_count() { echo -; }

profile_profiler_why() {
	[ -e /proc/evtlog/profile/control ] || { echo "the kernel has no profiles"; return 1; }
}

# Like the other profilers: only system calls, and time off the CPU
profile_groups=syscall
profile_profiler() {
	echo "groups $profile_groups" >/proc/evtlog/profile/control
	evtlog profile run --json -o "$1/profile" -- "${@:2}"
}

profile_profiler_count() {
	jq --arg call "syscall:${2#* }" '[.paths[] | select(.path | endswith($call)) | .count] | add // 0' \
		"$1/profile"
}

profile_all_profiler_why() { profile_profiler_why; }
profile_all_profiler() {
	profile_groups=all profile_profiler "$@"
}
profile_all_profiler_count() { profile_profiler_count "$@"; }

# In addition, each call is a region of the program.
regions_profiler_why() { profile_profiler_why; }
regions_profiler() {
	profile_groups=all profile_profiler "$1" env LD_LIBRARY_PATH=/script \
		LD_PRELOAD=/script/region-calls.so EVTLOG_PROFILE_FILE="$1/regions" "${@:2}"
}
regions_profiler_count() { profile_profiler_count "$@"; }

log_profiler_why() { evtlog_why; }
log_profiler() {
	evtlog_options= evtlog_start "$1" everything
	"${@:2}"
	evtlog_stop "$1"
}
log_profiler_count() {
	evtlog dump "$1"/*.evl 2>/dev/null | grep -c "user_exit.*[ =(]${2% *}[ )]\|user_exit.*[ =(]${2% *}\$" || true
}

# ---- perf, strace ----

perf_trace_profiler_why() { perf_why; }
perf_trace_profiler() {
	perf trace -s -o "$1/said" -- "${@:2}"
}
perf_trace_profiler_count() {
	awk -v call="${2% *}" '$1 == call { n += $2 } END { print n + 0 }' "$1/said"
}

strace_profiler_why() {
	command -v strace >/dev/null || { echo "strace is not installed"; return 1; }
}
strace_profiler() {
	strace -c -f -o "$1/said" "${@:2}"
}
strace_profiler_count() {
	awk -v call="${2% *}" '$NF == call { n += $4 } END { print n + 0 }' "$1/said"
}

# ---- ftrace ----

function_profile_profiler_why() {
	[ -e $tracing/function_profile_enabled ] || { echo "the kernel has no CONFIG_FUNCTION_PROFILER"; return 1; }
}
function_profile_profiler() {
	# The functions of system calls without arguments are __do_sys_*.
	printf '%s\n' '__x64_sys_*' '__do_sys_*' schedule >$tracing/set_ftrace_filter
	echo 1 >$tracing/function_profile_enabled
	"${@:2}"
	echo 0 >$tracing/function_profile_enabled
	cat $tracing/trace_stat/function* >"$1/said"
	echo >$tracing/set_ftrace_filter
}
function_profile_profiler_count() {
	awk -v call="_sys_${2% *}" '$1 == "__x64" call || $1 == "__do" call { n += $2 }
		END { print n + 0 }' "$1/said"
}

# uftrace - records entry and exit of the kernel's outermost functions, and switches. It computes
# the numbers from these records afterwards, if there are any of the program's own functions.
uftrace_profiler_why() {
	command -v uftrace >/dev/null || { echo "uftrace is not installed"; return 1; }
	grep -q function_graph $tracing/available_tracers ||
		{ echo "the kernel has no CONFIG_FUNCTION_GRAPH_TRACER"; return 1; }
	# uftrace does not find a mount that is not shared.
	mount --make-shared $tracing
}
uftrace_profiler() {
	uftrace record -k -K 1 --force --no-libcall --no-pager -d "$1/trace" "${@:2}" 2>"$1/said"
}
uftrace_profiler_count() {
	[ -s "$1/trace/kernel-cpu0.dat" ] || { echo 0; return; }
	echo -
}

# ---- BPF ----

bpftrace_profile_profiler_why() { bpftrace_count_why; }
bpftrace_profile_profiler() {
	bpftrace_run "$1" '#define pid_t int
	tracepoint:raw_syscalls:sys_enter { @start[tid] = nsecs; }
	tracepoint:raw_syscalls:sys_exit /@start[tid]/ {
		@calls[tid, args->id] = stats(nsecs - @start[tid]); delete(@start[tid]); }
	tracepoint:sched:sched_switch {
		@off[args->prev_pid] = nsecs;
		if (@off[args->next_pid]) {
			@off_cpu[args->next_pid] = sum(nsecs - @off[args->next_pid]);
			delete(@off[args->next_pid]);
		}
	}' || return 1
	"${@:2}"
	bpftrace_count_stop
}
bpftrace_profile_profiler_count() {
	awk -v call="${2#* }" '/^@calls\[/ { split($2, id, "]"); if (id[1] == call) n += $4 + 0 }
		END { print n + 0 }' "$1/printed"
}

# The compiled tools of bcc, from libbpf-tools. Its Python tools, which compile their programs, had
# printed nothing after ten minutes of --icount.
bcc_profiler_why() {
	command -v syscount >/dev/null && command -v offcputime >/dev/null ||
		{ echo "libbpf-tools is not installed"; return 1; }
	[ -e /sys/kernel/btf/vmlinux ] || { echo "the kernel has no BTF"; return 1; }
	ulimit -l unlimited
}
# bcc_await PID FILE - waits until its programs are in the kernel and run
bcc_await() {
	until grep -qs ^prog_id: "/proc/$1"/fdinfo/*; do
		kill -0 "$1" 2>/dev/null || { cat "$2" >&2; return 1; }
		sleep 0.1
	done
	sleep 2
	kill -0 "$1" 2>/dev/null || { cat "$2" >&2; return 1; }
}
bcc_profiler() {
	local calls off status=0

	# syscount needs two types that the guest's BTF lacks: give it a file with only these.
	mount --bind "$here/syscalls.btf" /sys/kernel/btf/vmlinux
	stdbuf -oL syscount -L -T 400 >"$1/said" 2>&1 & calls=$!
	bcc_await $calls "$1/said" || status=1
	umount /sys/kernel/btf/vmlinux
	[ $status = 0 ] || return 1
	offcputime >"$1/off" 2>&1 & off=$!
	bcc_await $off "$1/off" || return 1
	"${@:2}"
	kill -INT $calls $off
	wait $calls $off || true
}
bcc_profiler_count() {
	awk -v call="${2% *}" '$1 == call { n += $2 } END { print n + 0 }' "$1/said"
}
