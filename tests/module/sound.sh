#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sound.sh [ROUNDS] - loads the module in many ways, also with errors half-way; stops runs while a CPU is
# idle; and takes a CPU offline during runs.
. /script/guest.sh

load_module() {
	insmod /script/evtlog.ko || die "insmod: $?"
}

# Nothing is left in /proc, in ftrace and in the list of what follows CPUs.
nothing_is_left() {
	[ ! -e $evtlog ] || die "$1: $evtlog is left"
	! grep -q icmp_rcv $tracing/enabled_functions || die "$1: icmp_rcv is still traced"
	! grep evtlog /sys/devices/system/cpu/hotplug/states || die "$1: CPUs are still followed"
}

unload_module() {
	rmmod evtlog || die "rmmod: $?"
	nothing_is_left rmmod
}

# A reader that waits for a buffer keeps the module.
load_module
cat $evtlog/cpu0 >/tmp/read &
reader=$!
sleep 0.2
! rmmod evtlog 2>/dev/null || die "unloaded while cpu0 is read"
kill $reader
wait $reader || true
start_logd
! rmmod evtlog 2>/dev/null || die "unloaded while logd waits"
stop_logd
unload_module

# So does a mapping of a deleted buffer that counts as locked memory. A file of that buffer, which epoll
# has, does not.
load_module
echo '+held kb=64 buffers=2 events=sched_switch' >$evtlog/named/control || die "no buffer"
mkfifo /tmp/lines
bufread held $evtlog/named/held/cpu0 </tmp/lines >/tmp/held &
reader=$!
exec 3>/tmp/lines
await 20 grep held /tmp/held
echo -held >$evtlog/named/control || die "the buffer is not deleted"
! rmmod evtlog 2>/dev/null || die "unloaded while a deleted buffer is mapped"
echo unmap >&3
await 20 rmmod evtlog
nothing_is_left "a held file"
exec 3>&-
wait $reader || die "bufread: $?"

# A session that ends in a run is undone after the run: here the unloading stops it. Nothing that the
# session adds is left.
load_module
exec 3>$evtlog/session
printf 'named/control\nundo +late kb=64 buffers=2 events=sched_switch' >&3 || die "session: $?"
printf 'filters\nundo softirq if vec==1' >&3 || die "session: $?"
echo 1 >$evtlog/enable
exec 3>&-
await 20 rmmod evtlog
nothing_is_left "a session"

# fails PROGRAM FUNCTION CALL RESULT COMMAND... - the command, by its path, fails with this call of
# the function. By its name, busybox would execute it in a process that has the name of this script.
fails() {
	what="$2, call $3"
	insmod /script/fail.ko program="$1" function="$2" call="$3" result="$4" || die "fail.ko: $what"
	shift 4
	! "$@" 2>/dev/null || die "$what did not fail: $*"
	rmmod fail
	dmesg | grep " fail: " | tail -n 1 | grep -q " [1-9][0-9]* calls failed$" || die "$what was not made"
}

while read -r function call result; do
	fails insmod "$function" "$call" "$result" /sbin/insmod /script/evtlog.ko
	nothing_is_left "$function $call"
done <<END
__cpuhp_setup_state 1 -16
__cpuhp_setup_state 2 -28
__cpuhp_setup_state 3 -28
alloc_workqueue 1 0
proc_mkdir_mode 1 0
proc_create_data 1 0
proc_create_data 9 0
END

# A start without all of its probes leaves none.
load_module
for call in 1 7; do
	fails sh tracepoint_probe_register $call -12 /bin/sh -c "echo 1 >$evtlog/enable"
	grep -q "^state stopped" $evtlog/status || die "a start failed, and the run goes on"
done
unload_module

# Loads and unloads in all states.
load 3600 19 &
load_pid=$!
ping -q -i 0.02 127.0.0.1 >/dev/null &
ping_pid=$!
for round in $(seq "${1:-100}"); do
	load_module
	case $((round % 4)) in
	1) echo arm >$evtlog/enable ;;
	2) echo 1 >$evtlog/enable ;;
	3) echo 1 >$evtlog/enable && sleep 0.05 && echo 0 >$evtlog/enable ;;
	esac
	unload_module
done
kill $load_pid $ping_pid
wait $load_pid $ping_pid || true

# trace FUNCTION... - ftrace records the calls of these functions, with evtlog's clock
trace() {
	echo x86-tsc >$tracing/trace_clock
	echo "$@" >$tracing/set_ftrace_filter
	echo function >$tracing/current_tracer
	echo 1 >$tracing/tracing_on
}

# A stop does not interrupt an idle CPU.
load_module
start_logd
taskset -p 1 "$logd_pid" >/dev/null
sleep 1
trace smp_call_function_single
taskset 1 sh -c "for run in 1 2 3 4 5; do
	echo 1 >$evtlog/enable; sleep 0.2; echo 0 >$evtlog/enable; sleep 0.2
done"
interrupted=$(grep -c "<-see_to_leaving\|<-evtlog_join" $tracing/trace || true)
echo nop >$tracing/current_tracer
echo "5 stops interrupted $interrupted CPUs"
[ "$interrupted" -lt 5 ] || die "a stop interrupts an idle CPU"
stop_logd
rm $log/*
unload_module

set_online() {
	echo "$1" >/sys/devices/system/cpu/cpu1/online
}

# The end of the last run may still be unread.
start() {
	until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null || die "no start for 20 s"
}

load_module
make_disk
start_logd
# On the CPU that goes down, one function is entered before it leaves the mask of online CPUs, the
# other one after that.
trace take_cpu_down stop_machine_park
background_load no-workers
start
hotplug 3
echo 0 >$evtlog/enable
# The CPU is away at the end, then at the start.
start
sleep 0.2
set_online 0
sleep 0.2
echo 0 >$evtlog/enable
start
sleep 0.2
set_online 1
sleep 0.2
echo 0 >$evtlog/enable
also hotplug 3
also start_and_stop 8
join
end_load
stop_logd
check_files
grep unseen_offline $evtlog/status || die "no unseen_offline in: $(cat $evtlog/status)"
cp $log/*.evl "$OUT"
cat $tracing/trace >"$OUT/trace.txt"
unload_module
