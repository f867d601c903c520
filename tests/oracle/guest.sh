# SPDX-License-Identifier: GPL-2.0-or-later
#
# guest.sh - functions that the oracles' scripts share in the guest: logd's start and end, a disk, a
# load. Sourced, not run.
set -eu
. /script/waiting.sh

evtlog=/proc/evtlog
log=/tmp/log
last_cpu=$(($(nproc) - 1))

[ -d $evtlog ] || [ -e /script/evtlog.ko ] || die "$evtlog: this kernel has no evtlog"

start_logd() {
	mkdir -p $log
	logd -q -d $log --daemon -p /tmp/logd.pid "$@" || die "logd did not start"
	logd_pid=$(cat /tmp/logd.pid)
}

# Files are complete once logd has ended.
stop_logd() {
	kill "$logd_pid"
	until_true 30 is_gone "$logd_pid" || die "logd does not end"
}

is_gone() {
	! kill -0 "$1" 2>/dev/null
}

# await SECONDS COMMAND... - waits until the command succeeds; discards its output
await() {
	until_true "$@" >/dev/null 2>&1 || {
		shift
		die "waited in vain for: $*"
	}
}

# await_host ADDRESS - waits until it answers
await_host() {
	await 60 ping -q -c 1 -W 1 "$1"
}

# await_others - waits until all other nodes answer; sets $others to their addresses
await_others() {
	others=
	for node in $(seq "$NODES"); do
		[ "$node" = "$NODE" ] || others="$others 10.99.0.$node"
	done
	for other in $others; do
		await_host "$other"
	done
}

# has_tasks NUMBER - are there more tasks? A search for one task would read all.
has_tasks() {
	read -r _ _ _ there _ </proc/loadavg
	[ "${there#*/}" -gt "$1" ]
}

is_recording() {
	grep -q "^state recording" $evtlog/status
}

# settings - prints the settings that a recording must restore
settings() {
	cat $evtlog/events $evtlog/buffers $evtlog/buffer_kb
	grep "^state\|^logger" $evtlog/status
}

has_had() {
	[ "$(cpu_ticks "$1")" -ge "$2" ]
}

# await_cpu PID TICKS - waits until the process has used so much more CPU time: its load is running
await_cpu() {
	await 60 has_had "$1" $(($(cpu_ticks "$1") + $2))
}

run_number() {
	sed -n 's/^run //p' $evtlog/status
}

# Uses the guest's own disk if it has one, which causes interrupts; otherwise a file on tmpfs.
make_disk() {
	disk=/dev/vda options=
	if [ ! -b $disk ]; then
		disk=/tmp/disk options="-o loop"
		dd if=/dev/zero of=$disk bs=1M count=0 seek=32 2>/dev/null
	fi
	mke2fs -F $disk >/dev/null 2>&1 || die "mke2fs failed"
	mount -t ext4 $options $disk /mnt || die "no ext4 on $disk"
}

# Writes, syncs and reads for so many seconds, with pauses.
use_disk() {
	end=$(($(date +%s) + $1))
	while :; do
		dd if=/dev/zero of=/mnt/file bs=16k count=16 conv=fsync 2>/dev/null
		md5sum /mnt/file >/dev/null
		[ "$(date +%s)" -lt "$end" ] || break
		sleep 0.1
	done
}

tracing=/sys/kernel/tracing

# Selects the events that ftrace records, with evtlog's clock. Write 1 or 0 to $tracing/tracing_on.
ftrace_prepare() {
	[ -d $tracing/events/sched ] || die "$tracing: no tracepoints"
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
}

# Saves ftrace's record and its statistics of losses.
ftrace_take() {
	cat $tracing/trace >"$OUT/trace.txt"
	cat $tracing/per_cpu/cpu*/stats >"$OUT/stats.txt"
}

# background_load [no-workers] [rests] - runs a load with nice, so that other programs get their
# turn on a slow machine. no-workers: while CPUs go offline; rests: on a debug kernel, see load.c.
background_load() {
	load 3600 19 "$@" &
	load_pid=$!
	case " $* " in
	*" rests "*) disk_rests=1 ;;
	*) disk_rests=0 ;;
	esac
	(while [ ! -e /tmp/enough ]; do
		use_disk 1
		sleep $disk_rests
	done) &
	disk_pid=$!
	ping -q -i 0.05 127.0.0.1 >/dev/null &
	ping_pid=$!
}

end_load() {
	touch /tmp/enough
	kill $load_pid $ping_pid
	wait $load_pid || die "the load failed"
	wait $disk_pid $ping_pid || true
	rm /tmp/enough
}

# These functions make a number of rounds, however fast the machine is, while the load runs.

hotplug() {
	for round in $(seq "$1"); do
		for cpu in $(seq 1 $last_cpu); do
			echo 0 >/sys/devices/system/cpu/cpu$cpu/online
			sleep 0.1
			echo 1 >/sys/devices/system/cpu/cpu$cpu/online
		done
		sleep 0.1
	done
}

# Under load the logger may need a second to fetch the end of the last run. A start is refused until
# then, so try again.
start_and_stop() {
	for round in $(seq "$1"); do
		until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null ||
			die "no start for 20 s"
		sleep 0.2
		echo 0 >$evtlog/enable
	done
}

# Waits for all of $jobs; each must succeed.
join() {
	for pid in $jobs; do
		wait "$pid" || die "a job failed"
	done
	jobs=
}

also() {
	"$@" &
	jobs="${jobs:-} $!"
}

# measure_switch NAME - appends the cost of a switch, by the program yield, under --icount: the
# minimum of three measurements, since an interrupt occurs in some
measure_switch() {
	for round in 1 2 3; do
		/script/yield 8000
	done | sort -n | sed "s/^/$1 /; q" >>"$OUT/cost.txt"
}

# Each run has a complete file, which is exact unless it contains losses.
check_files() {
	for file in $log/*.evl; do
		status=0
		evtlog check "$file" >/tmp/check.txt || status=$?
		case $status in
		0) ;;
		4) echo "$file: $(grep '^lost' /tmp/check.txt)" ;;
		*)
			cp "$file" "$OUT"
			cat /tmp/check.txt
			die "evtlog check $file: $status"
			;;
		esac
	done
	files=$(ls $log/*.evl | wc -l)
	echo "$files files are whole"
	[ "$files" = "$(run_number)" ] || die "not a file for each run"
}
