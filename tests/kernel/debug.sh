#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# debug.sh - everything at once to evtlog in a kernel that watches itself: load, CPUs that
# come and go, runs that start and stop, readers that are killed, nonsense written.
. /script/guest.sh

read_texts() {
	for round in $(seq "$1"); do
		cat $evtlog/format $evtlog/status $evtlog/events $evtlog/enable \
			$evtlog/pid $evtlog/buffers $evtlog/buffer_kb >/dev/null
		sleep 0.05
	done
}

# Readers that are killed at some moment; each next one must find a whole buffer.
killed_readers() {
	for round in $(seq "$1"); do
		readers=
		for cpu in $(seq 0 $last_cpu); do
			reader "$2" "$cpu" 3600 >/dev/null &
			readers="$readers $!"
		done
		sleep 0.$((round * 7 % 10))
		for pid in $readers; do
			kill -KILL "$pid" || die "a reader ended by itself"
			wait "$pid" 2>/dev/null || true
		done
	done
}

must_refuse() {
	! printf '%b' "$2" >"$evtlog/$1" 2>/dev/null || die "$1 took '$2'"
}

# Probes by direct calls and by breakpoints, with memory and filters; of what they call
# themselves, of what handles their faults, and of a hundred others
probes_come_and_go() {
	for round in $(seq "$1"); do
		{
			echo '+udp_sendmsg(arg1, len=arg3:u32, gone=arg3->8) if len != 77'
			echo '+ip_send_skb(arg2, arg2->8, arg2[0:64])'
			echo '+udp_sendmsg+5(%di, %dx:u32) if cpu == 0'
			for name in copy_from_kernel_nofault strncpy_from_kernel_nofault \
				do_user_addr_fault fixup_exception search_extable irq_work_queue \
				arch_irq_work_raise try_to_wake_up scheduler_tick handle_mm_fault \
				kmem_cache_alloc rcu_read_lock_sched_held vfs_read; do
				! grep -qx "$name" /tmp/functions || echo "+$name(arg1->0, arg1[0:8])"
			done
			sed -n "$((round * 100)),+100s/^/+/p" /tmp/functions
		} | awk -F'(' '!seen[$1]++' >/tmp/order
		dd if=/tmp/order of=$evtlog/probes bs=256k 2>/dev/null ||
			die "probes: $(head -n 1 $evtlog/probes)"
		udp 200 $((round * 77))
		cat $evtlog/probes >/tmp/listed
		grep '^probe udp_sendmsg' /tmp/listed
		echo '-*' >$evtlog/probes
		udp 100 100
	done
}

# A filter is changed between runs.
filtered_runs() {
	for round in $(seq "$1"); do
		until_true 20 sh -c "echo 'sched_switch if next_prio < 120 || cpu == 1' >$evtlog/filters" \
			2>/dev/null || die "no filter for 20 s: $(cat $evtlog/filters_error)"
		until_true 20 sh -c "echo 'softirq_entry if vec == 3' >$evtlog/filters" 2>/dev/null ||
			die "no filter for 20 s: $(cat $evtlog/filters_error)"
		until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null || die "no start for 20 s"
		sleep 3
		echo 0 >$evtlog/enable
		cat $evtlog/filters
		until_true 20 sh -c "echo softirq_entry >$evtlog/filters" 2>/dev/null &&
			until_true 20 sh -c "echo sched_switch >$evtlog/filters" 2>/dev/null ||
			die "a filter stays for 20 s"
	done
}

modules_come_and_go() {
	for round in $(seq "$1"); do
		insmod evtlog_event_test.ko pause_us=200 late_ms=$((round % 2 * 20)) || die "insmod: $?"
		sleep 1
		rmmod evtlog_event_test || die "rmmod: $?"
	done
}

if [ "$1" = load ]; then
	use_disk 3 &
	load 3
	wait
	exit
fi

make_disk
rounds=$1 seed=$2
echo +all >$evtlog/events

echo "== logd, load, hotplug, start and stop"
start_logd
background_load no-workers
also hotplug "$rounds"
also start_and_stop "$rounds"
also read_texts $((rounds * 5))
join
end_load
stop_logd
check_files

echo "== readers killed, geometry changed"
# kill_readers WAY BUFFERS KIB
kill_readers() {
	echo "$2" >$evtlog/buffers
	echo "$3" >$evtlog/buffer_kb
	echo 1 >$evtlog/enable
	killed_readers 4 "$1"
	must_refuse buffers 3
	must_refuse buffer_kb 8
	must_refuse events -all
	echo 0 >$evtlog/enable
}
background_load
kill_readers read 2 4
kill_readers map 5 64
kill_readers read 64 8
kill_readers map 2 1024
end_load

echo "== what must be refused"
must_refuse enable 2
must_refuse enable '\n'
must_refuse enable 0
must_refuse pid abc
must_refuse pid -1
must_refuse pid 4194303
must_refuse events sched_switch
must_refuse events +nonsense
must_refuse events '+sched_switch -nonsense'
must_refuse buffers 1
must_refuse buffers 65
must_refuse buffers 99999999999
must_refuse buffer_kb 0
must_refuse buffer_kb 3
must_refuse buffer_kb 4294967296
must_refuse format x
must_refuse status x
must_refuse cpu0 x
must_refuse events "$(head -c 5000 /dev/zero | tr '\0' +)"

echo "== evtlog_put() from every context"
echo 2 >$evtlog/buffers
echo 1024 >$evtlog/buffer_kb
start_logd
background_load
echo 1 >$evtlog/enable
insmod evtlog_put_test.ko count=10000 || die "insmod: $?"
rmmod evtlog_put_test
echo 0 >$evtlog/enable
end_load
stop_logd
dmesg | grep 'evtlog_put_test: id'

echo "== probes, filters and events of modules"
rm -f $log/*
ifconfig lo 127.0.0.1 up
[ -d $tracing/events ] || mount -t tracefs none $tracing
awk 'NR == FNR { n[$3]++; next } n[$1] == 1 && NF == 1 { print $1 }' /proc/kallsyms \
	$tracing/available_filter_functions >/tmp/functions
echo 8 >$evtlog/buffers
start_logd
background_load no-workers
also probes_come_and_go $((rounds / 3))
also filtered_runs $((rounds / 6))
also modules_come_and_go $((rounds / 2))
also hotplug $((rounds / 2))
join
until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null || die "no start for 20 s"
also probes_come_and_go $((rounds / 3))
also modules_come_and_go $((rounds / 3))
join
echo 0 >$evtlog/enable
end_load
stop_logd
for file in $log/*.evl; do
	# What a filter rejects has left without coming, for one.
	evtlog check "$file" >/tmp/check.txt || true
	grep -q '^damage *none' /tmp/check.txt || die "evtlog check $file: $(cat /tmp/check.txt)"
done

echo "== everything that a mad root could do, without logd and beside it"
background_load no-workers
also pester "$rounds" "$((seed + 1))"
also pester "$rounds" "$((seed + 2))"
join
echo 0 >$evtlog/pid
start_logd
also hotplug "$rounds"
for k in 3 4 5; do
	also pester "$rounds" "$((seed + k))"
done
join
end_load
echo 0 >$evtlog/enable 2>/dev/null || true
stop_logd

echo "== and it still works"
for cpu in $(seq 1 $last_cpu); do
	echo 1 >/sys/devices/system/cpu/cpu$cpu/online 2>/dev/null || true
done
rm -f $log/*
echo +all >$evtlog/events
echo 2 >$evtlog/buffers
echo 1024 >$evtlog/buffer_kb
start_logd
mkdir -p "$OUT/after"
window "$OUT/after" "$0" load
stop_logd
cp $log/*-"$(run_number)".evl "$OUT/after"
evtlog check "$OUT"/after/*.evl || die "evtlog check: $?"
