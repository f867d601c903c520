#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# debug.sh ROUNDS SEED [LOAD-WORD] - tests all parts of evtlog at the same time in a debug kernel:
# load, hotplug, starts and stops of runs, killed readers, invalid input. Each kind of variation
# occurs within three rounds. LOAD-WORD: for the load after the first part (guest.sh).
. /script/guest.sh

# phase NAME - prints the start of a phase and its time
phase() {
	echo "== $* ($(cut -d. -f1 /proc/uptime) s)"
}

read_texts() {
	for round in $(seq "$1"); do
		cat $evtlog/format $evtlog/status $evtlog/events $evtlog/enable \
			$evtlog/pid $evtlog/buffers $evtlog/buffer_kb >/dev/null
		sleep 0.05
	done
}

# Readers are killed at any moment. The next reader must find a whole buffer.
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

# Probes by direct calls and by breakpoints, with memory and filters: of functions that evtlog
# calls, of the handlers of its faults, and of a hundred other functions
probes_come_and_go() {
	for round in $(seq "$1"); do
		{
			echo '+udp_sendmsg(arg1, len=arg3:u32, gone=arg3->8) if len != 77'
			echo '+ip_send_skb(arg2, arg2->8, head=arg2[0:64])'
			echo '+udp_sendmsg+5(%di, %dx:u32) if cpu == 0'
			echo '+ksys_read(arg1:u32) if arg1 < 100 sample 1ms'
			echo '+ksys_write(arg3) sample 1/3'
			echo '+schedule_timeout(arg1) sample p=0.2'
			echo '+udp_rcv(key=arg1[0:12]) sample 1/4 by key'
			echo '+vfs_write%return(retval) sample 1/3'
			echo '+__sysvec_apic_timer_interrupt%return'
			for name in copy_from_kernel_nofault strncpy_from_kernel_nofault \
				do_user_addr_fault fixup_exception search_extable irq_work_queue \
				arch_irq_work_raise try_to_wake_up scheduler_tick handle_mm_fault \
				kmem_cache_alloc rcu_read_lock_sched_held vfs_read; do
				! grep -qx "$name" /tmp/functions || echo "+$name(arg1->0, arg1[0:8])"
			done
			sed -n "$((round * 100)),+100s/^/+/p" /tmp/functions
			sed -n "$((round * 300)),+100{/print[fk]/d;s/.*/+&%return(retval)/p}" /tmp/functions
		} | awk -F'[(%]' '!seen[$1]++' >/tmp/order
		dd if=/tmp/order of=$evtlog/probes bs=256k 2>/dev/null ||
			die "probes: $(head -n 1 $evtlog/probes)"
		udp 200 $((round * 77))
		cat $evtlog/probes >/tmp/listed
		grep '^probe udp_sendmsg' /tmp/listed
		echo '-*' >$evtlog/probes
		udp 100 100
	done
}

# Profiles are read while their tasks fork and exit.
profiles_start_and_stop() {
	for round in $(seq "$1"); do
		echo 1 >$evtlog/profile/control || die "profile: cannot be started"
		(for i in $(seq 10); do (exec true) & done; wait) &
		cat $evtlog/profile/all >/dev/null
		sleep 0.$((round * 3 % 10))
		cat $evtlog/profile/all >/dev/null
		wait $!
		echo 0 >$evtlog/profile/control
		evtlog check --profile >/tmp/adds_up || die "profiles do not add up: $(cat /tmp/adds_up)"
	done
	cat /tmp/adds_up
}

# Traces are read and deleted while their tasks run, fork and exit.
traces_come_and_go() {
	for round in $(seq "$1"); do
		[ $((round % 2)) = 0 ] || echo "groups sched,irq,signal" >$evtlog/profile/control
		echo 1 >$evtlog/profile/control || die "profile: cannot be started"
		sh -c 'for i in 1 2 3 4 5 6; do (exec true) & sleep 0.1; done; wait' & traced=$!
		evtlog profile start --events $((round * 7)) --tree $traced || die "no trace of $traced"
		cat $evtlog/profile/trace >/dev/null
		evtlog profile report --trace $traced >/tmp/trace
		[ $((round % 2)) = 0 ] || evtlog profile stop $traced
		wait $traced
		cat $evtlog/profile/all >/dev/null
		echo 0 >$evtlog/profile/control
		echo "groups all,net,block" >$evtlog/profile/control
		evtlog profile start --keep $((round / 2))
	done
	head -n 3 /tmp/trace
}

# Each kind of hook: no register may change; interrupts on and off; a function loads the fields
cat >/tmp/filters <<'EOF'
sched_switch if next_prio < 120 || cpu == 1
softirq_entry if vec == 3
user_exit if nr < 3 && comm != "udp"
user_enter if tree == 2 || cpu == 1
local_timer_entry if tgid > 100
reschedule_entry if vector == 1
exception_entry if vector != 14
exception_exit if cpu == 0
icmp_rx if type == 8 && len > 1000
icmp_tx if type == 0 && peer == 0x7f000001
put if data & 1
EOF

# change_filters NAME|LINE... - changes filters between runs, which other functions start and stop
change_filters() {
	for filter; do
		until_true 20 sh -c "echo '$filter' >$evtlog/filters" 2>/dev/null ||
			die "$filter: not for 20 s: $(cat $evtlog/filters_error)"
	done
}

filtered_runs() {
	for round in $(seq "$1"); do
		while read -r line; do
			change_filters "$line"
		done </tmp/filters
		until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null || die "no start for 20 s"
		ping -q -i 0.1 -c 10 127.0.0.1 >/dev/null || die "ping: $?"
		insmod evtlog_put_test.ko count=1000 || die "insmod: $?"
		rmmod evtlog_put_test
		sleep 2
		echo 0 >$evtlog/enable
		cat $evtlog/filters | tee /tmp/filtered
		! grep ' rejected 0 ' /tmp/filtered || die "a filter rejects nothing"
		# shellcheck disable=SC2046 - a word each
		change_filters $(cut -d' ' -f1 /tmp/filters)
	done
}

# Named buffers, per CPU and global, of modules, built-in events and probes, are added and deleted
# while events come and readers wait, poll or are killed. Some buffers are ended during a run.
buffers_come_and_go() {
	for round in $(seq "$1"); do
		{
			echo '+one kb=16 buffers=4 events=sample urgent=sample'
			echo '+two global kb=16 buffers=3 events=tell_*,ordered urgent=ordered'
			[ $((round % 2)) = 0 ] || cat <<-'EOF'
				+three kb=64 events=sched_wakeup_new,softirq_exit,user_enter,exception_exit,local_timer if cpu==1
				+six kb=64 events=sched_switch if next_prio < 120 || next_pid & 1
			EOF
			[ $((round % 2)) = 1 ] || echo '+three global kb=64 events=sched,irq_handler,softirq,user,exception,icmp'
			echo '+four global kb=4 urgent=*'
			echo '+five kb=4 mode=overwrite events=call_function,call_function_single,irq_work,vector,tell_two if !(tree==1)'
		} >/tmp/buffers
		while read -r line; do
			# Built-in events can be added only between runs.
			until_true 20 sh -c "echo '$line' >$evtlog/named/control" 2>/dev/null ||
				die "$line: $(head -n 1 $evtlog/named/control)"
		done </tmp/buffers
		for file in $evtlog/named/*/cpu? $evtlog/named/*/all; do
			cat "$file" >/dev/null 2>&1 &
		done
		for probe in '+>four udp_sendmsg(arg1, len=arg3:u32, gone=arg3->8, head=arg1[0:64])' \
			'+>one udp_sendmsg+5(%di, %dx:u32)' '+>four ip_send_skb(arg2, arg2->8) sample 1ms' \
			'+>four irq_work_queue(arg1->0)'; do
			echo "$probe" >$evtlog/probes 2>/dev/null || head -n 1 $evtlog/probes
		done
		insmod evtlog_order_test.ko records=200 || die "insmod: $?"
		udp 200 $((round * 55))
		cat $evtlog/named/control $evtlog/named/*/status $evtlog/named/*/events >/tmp/named
		grep '^buffer' /tmp/named | sort -u
		echo '!five' >$evtlog/named/control || die "five: $(head -n 1 $evtlog/named/control)"
		for name in $evtlog/named/*/; do
			name=$(basename "$name")
			until_true 20 sh -c "echo '-$name' >$evtlog/named/control" 2>/dev/null ||
				die "-$name: $(head -n 1 $evtlog/named/control)"
			udp 20 20
		done
		rmmod evtlog_order_test || die "rmmod: $?"
		echo '-*' >$evtlog/probes
		wait_readers
	done
}

# Readers of deleted buffers end by themselves.
wait_readers() {
	wait
}

modules_come_and_go() {
	for round in $(seq "$1"); do
		insmod evtlog_event_test.ko pause_us=200 late_ms=$((round % 2 * 20)) || die "insmod: $?"
		sleep 1
		rmmod evtlog_event_test || die "rmmod: $?"
	done
}

# Trees are marked, extended, unmarked and sampled while their tasks fork and exit.
trees_come_and_go() {
	for round in $(seq "$1"); do
		sh -c 'for i in $(seq 20); do (sh -c "(exec true) & (sleep 0.05) &" &) ; done; wait' &
		tree=$!
		echo "+$tree" >$evtlog/trees 2>/dev/null || true
		echo "+1" >$evtlog/trees || die "trees: 1 cannot be marked"
		echo "=1 $tree $$" >$evtlog/trees || die "trees: 1 cannot be extended"
		echo "interval=100us tree=$$" >$evtlog/sampler || die "sampler: $?"
		sleep 0.$((round * 3 % 10))
		cat $evtlog/trees $evtlog/sampler >/tmp/trees
		echo "interval=1ms tree=all" >$evtlog/sampler || die "sampler: $?"
		echo "-$tree" >$evtlog/trees 2>/dev/null || true
		sleep 0.$((round * 7 % 10))
		echo "interval=tick tree=1" >$evtlog/sampler || die "sampler: $?"
		echo "-1" >$evtlog/trees || die "trees: 1 cannot be unmarked"
		wait $tree
		[ $((round % 2)) = 0 ] || echo off >$evtlog/sampler
	done
	echo off >$evtlog/sampler
	cat /tmp/trees
	[ -z "$(cat $evtlog/trees)" ] || die "left: $(cat $evtlog/trees)"
}

# Runs of one tree, of all tasks, and of another tree, while tasks fork, run and exit; with hotplug
runs_of_trees() {
	tree_group=/sys/fs/cgroup/tree
	mkdir -p $tree_group/self $tree_group/clone $tree_group/moved
	exec 9<$tree_group
	for round in $(seq "$1"); do
		sh -c 'for i in $(seq 30); do (exec true) & [ $((i % 5)) != 0 ] || sleep 0.1; done; wait' &
		tree=$!
		echo "+$tree" >$evtlog/trees || die "trees: $tree cannot be marked"
		echo "$tree" >$evtlog/run_tree || die "run_tree: $tree: $?"
		# Tasks also enter the tree: by themselves, by clone3(), or moved while they run.
		echo "=$tree cgroup:9" >$evtlog/trees || die "trees: $tree cannot have a cgroup"
		for how in self clone moved; do
			enter $how $tree_group/$how 1 >>/tmp/entered &
		done
		echo 1 >$evtlog/enable || die "no start"
		! echo all 2>/dev/null >$evtlog/run_tree || die "run_tree is changed in a run"
		cat $evtlog/status $evtlog/filters $evtlog/run_tree >/tmp/run_tree
		sleep 0.$((round * 7 % 10))
		[ $((round % 2)) = 0 ] || echo "=$tree $$" >$evtlog/trees || die "trees: $tree cannot be extended"
		echo $$ >$tree_group/self/cgroup.procs || die "$tree_group: $?"
		echo $$ >/sys/fs/cgroup/cgroup.procs || die "cgroup.procs: $?"
		sleep 0.$((round * 3 % 10))
		echo 0 >$evtlog/enable
		wait $tree
		echo "-$tree" >$evtlog/trees || die "trees: $tree cannot be unmarked"
		[ $((round % 3)) != 0 ] || echo all >$evtlog/run_tree || die "run_tree: all: $?"
	done
	exec 9<&-
	echo all >$evtlog/run_tree || die "run_tree: all: $?"
	wait
	[ "$(wc -l </tmp/entered)" = $(($1 * 3)) ] || die "entered: $(cat /tmp/entered)"
	grep '^tree_pid' /tmp/run_tree || die "status tells no tree"
	[ -z "$(cat $evtlog/trees $evtlog/filters)" ] || die "left: $(cat $evtlog/trees $evtlog/filters)"
}

if [ "$1" = load ]; then
	use_disk 3 &
	load 3
	wait
	exit
fi

make_disk
rounds=$1 seed=$2 rests=${3:-}
echo +all >$evtlog/events

phase "logd, load, hotplug, start and stop"
start_logd
background_load no-workers
also hotplug "$rounds"
also start_and_stop "$rounds"
also read_texts $((rounds * 5))
also profiles_start_and_stop "$rounds"
join
end_load
stop_logd
check_files

phase "readers killed, geometry changed"
# kill_readers METHOD BUFFERS KIB
kill_readers() {
	echo "$2" >$evtlog/buffers
	echo "$3" >$evtlog/buffer_kb
	echo 1 >$evtlog/enable
	killed_readers $(((rounds + 1) / 2)) "$1"
	must_refuse buffers 3
	must_refuse buffer_kb 8
	must_refuse events -all
	echo 0 >$evtlog/enable
}
background_load $rests
kill_readers read 2 4
kill_readers map 5 64
kill_readers read 64 8
kill_readers map 2 1024
end_load

phase "what must be refused"
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

phase "evtlog_put() from every context"
echo 2 >$evtlog/buffers
echo 1024 >$evtlog/buffer_kb
start_logd
background_load $rests
echo 1 >$evtlog/enable
insmod evtlog_put_test.ko count=10000 || die "insmod: $?"
rmmod evtlog_put_test
echo 0 >$evtlog/enable
end_load
stop_logd
dmesg | grep 'evtlog_put_test: id'

phase "probes, filters and events of modules"
rm -f $log/*
ifconfig lo 127.0.0.1 up
[ -d $tracing/events ] || mount -t tracefs none $tracing
awk 'NR == FNR { n[$3]++; next } n[$1] == 1 && NF == 1 { print $1 }' /proc/kallsyms \
	$tracing/available_filter_functions >/tmp/functions
echo 8 >$evtlog/buffers
start_logd
background_load no-workers $rests
also probes_come_and_go $(((rounds + 2) / 4))
also filtered_runs $(((rounds + 5) / 6))
also modules_come_and_go $(((rounds + 1) / 2))
also hotplug $(((rounds + 1) / 2))
also profiles_start_and_stop $(((rounds + 1) / 2))
join
until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null || die "no start for 20 s"
also probes_come_and_go $(((rounds + 2) / 4))
also modules_come_and_go $(((rounds + 1) / 2))
join
echo 0 >$evtlog/enable
end_load
stop_logd
for file in $log/*.evl; do
	# check may fail: a filter can reject an entry and keep its exit.
	evtlog check "$file" >/tmp/check.txt || true
	grep -q '^damage *none' /tmp/check.txt || die "evtlog check $file: $(cat /tmp/check.txt)"
done

phase "runs of one tree"
rm -f $log/*
start_logd
background_load no-workers $rests
also runs_of_trees "$rounds"
also hotplug "$rounds"
also read_texts $((rounds * 2))
join
end_load
stop_logd
for file in $log/*.evl; do
	evtlog check "$file" >/tmp/check.txt || true
	grep -q '^damage *none' /tmp/check.txt || die "evtlog check $file: $(cat /tmp/check.txt)"
	evtlog info --json "$file" | grep -q '"tree": [1-9]' || die "$file: is of no tree"
done
set -- $log/*.evl
echo "$# runs of a tree"

phase "profiles: pages, traces, groups"
cp "$(command -v selfread)" /tmp/secret && chmod 4755 /tmp/secret || die "no room for a copy"
echo "groups all,net,block" >$evtlog/profile/control
background_load no-workers $rests
echo 1 >$evtlog/profile/control || die "profile: cannot be started"
# Claims about equal numbers hold only on an idle machine.
selfread $((rounds * 1000)) $((rounds * 2)) >/tmp/claims || true
[ "$(grep -cE '^ok +(sums are there|no sum is torn|none goes back)' /tmp/claims)" = $((3 * (last_cpu + 1))) ] ||
	die "a claim was wrong: $(cat /tmp/claims)"
echo 0 >$evtlog/profile/control
also traces_come_and_go "$rounds"
also hotplug $(((rounds + 1) / 2))
join
also pages $((rounds * 2))
also profiles_start_and_stop "$rounds"
join
end_load

phase "trees and the sampler"
start_logd
background_load no-workers $rests
also trees_come_and_go "$rounds"
also start_and_stop "$rounds"
also hotplug $(((rounds + 1) / 2))
join
end_load
stop_logd
grep -q '^passes [1-9]' $evtlog/sampler || die "nothing was sampled: $(cat $evtlog/sampler)"

phase "named buffers"
background_load no-workers $rests
also buffers_come_and_go $(((rounds + 1) / 2))
also modules_come_and_go $(((rounds + 1) / 2))
also hotplug $(((rounds + 1) / 2))
join
end_load
[ -z "$(cat $evtlog/named/control)" ] || die "left: $(cat $evtlog/named/control)"

phase "everything that a mad root could do, without logd and beside it"
background_load no-workers $rests
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

phase "and it still works"
for cpu in $(seq 1 $last_cpu); do
	echo 1 >/sys/devices/system/cpu/cpu$cpu/online 2>/dev/null || true
done
rm -f $log/*
echo all >$evtlog/run_tree
echo +all >$evtlog/events
echo 2 >$evtlog/buffers
echo 1024 >$evtlog/buffer_kb
start_logd
mkdir -p "$OUT/after"
window "$OUT/after" "$0" load
stop_logd
cp $log/*-"$(run_number)".evl "$OUT/after"
evtlog check "$OUT"/after/*.evl || die "evtlog check: $?"
