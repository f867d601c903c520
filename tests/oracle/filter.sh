#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# filter.sh SECONDS - records runs under load with filters, and tries filters that must be refused.
. /script/guest.sh
seconds=$1

# refused COLUMN TYPE CONDITION - fails unless the filter is refused with this column
refused() {
	if evtlog filter "$2" "$3" 2>/tmp/said; then
		die "not refused: $2 $3"
	fi
	grep -q "$1" /tmp/said || die "$2 $3: $(cat /tmp/said), not $1"
}

# can TYPE - can this kernel record it?
can() {
	grep -q "^.$1\$" $evtlog/events
}

# run NAME - records one run under load to NAME.evl
run() {
	evtlog filter >"$OUT/$1.filters"
	echo 1 >$evtlog/enable
	load "$seconds"
	# Wait until a CPU that was busy all the time becomes idle.
	sleep 0.3
	[ -z "${others_pid:-}" ] || wait $others_pid || die "what ran beside the load: $?"
	echo 0 >$evtlog/enable
	evtlog filter --json >"$OUT/$1.json"
	stop_logd
	mv $log/*.evl "$OUT/$1.evl"
	evtlog check "$OUT/$1.evl" >"$OUT/$1.check" || die "$1: evtlog check: $(cat "$OUT/$1.check")"
	start_logd
}

refused 'column 6: expected a number, found foo' sched_switch 'pid==foo'
refused 'column 1: expected a field' softirq 'port==1'
refused 'neither a type that can have a filter' no_such 'pid==1'
refused 'records the names of tasks' sched_process_fork 'pid==1'
refused 'records the names of tasks' task_rename 'pid==1'
if can user_nmi; then
	refused 'do not support filters' user_nmi 'cpu==1'
else
	refused 'this kernel cannot record it' user_nmi 'cpu==1'
fi
refused 'column 1: expected a field' icmp_tx 'vector==1'
[ -z "$(cat $evtlog/filters)" ] || die "a refused filter is there"
head -c 4000 /dev/zero | tr '\0' '(' >/tmp/long
refused 'nested too deeply' softirq "$(head -c 1000 /tmp/long)"
refused 'too long' softirq "$(head -c 2000 /tmp/long)"

make_disk
use_disk 1000 &
disk_pid=$!
start_logd

evtlog filter sched_switch 'next_pid==0 || cpu==1 && next_prio in {120-139}' || die "sched_switch"
evtlog filter softirq 'vec in {1, 3, 9}' || die "softirq"
grep -q '^~sched_switch' $evtlog/events || die "events does not tell that there is a filter"
run some

# A filter cannot be changed during a run. Between runs its code is replaced under load.
echo 1 >$evtlog/enable
if evtlog filter softirq 'vec==2' 2>/tmp/said; then
	die "a filter was changed within a run"
fi
grep -q "run is being recorded" /tmp/said || die "within a run: $(cat /tmp/said)"
echo 0 >$evtlog/enable
stop_logd
rm -f $log/*.evl
start_logd
load 1000 &
load_pid=$!
for round in 1 2; do
	evtlog filter sched_switch "pid==$round" || die "exchange $round"
	evtlog filter sched_waking "tree==$$ || comm~\"lo*\" || cgroup==$round" || die "exchange"
	evtlog filter sched_migrate_task "dest_cpu==$((round % 2))" || die "exchange"
	evtlog filter irq_handler "irq==$round" || die "exchange"
done
kill $load_pid
wait $load_pid || true

# Filters that accept nothing; for waking, filters by waker and by woken task
evtlog filter sched_switch 'pid==-1' || die "sched_switch: none"
evtlog filter softirq 'vec>1000' || die "softirq: none"
evtlog filter sched_waking 'comm=="load" && pid>1' || die "sched_waking"
evtlog filter del sched_migrate_task irq_handler || die "delete"
run none

evtlog filter del sched_switch softirq sched_waking || die "delete all"
[ -z "$(cat $evtlog/filters)" ] || die "a deleted filter is there"
! grep '^~' $evtlog/events || die "events still tells of a filter"
run all

# Filters of all other hooks: several types share a hook, or a hook finds fields itself, or a hook
# may not change registers.
echo +all >$evtlog/events
mkfifo /tmp/go
sh -c 'read x </tmp/go; exec dd if=/dev/zero of=/dev/null bs=1 count=3000 2>/dev/null' &
writer=$!
# others - the load in addition to `load`
others() {
	await 20 is_recording
	ping -q -i 0.05 -c 30 127.0.0.1 >/dev/null &
	ping_pid=$!
	echo >/tmp/go
	insmod evtlog_put_test.ko count=500 || die "insmod: $?"
	wait $ping_pid || die "ping: $?"
	await 20 is_gone $writer
}
ifconfig lo 127.0.0.1 up
boundary="user_exit user_enter exception_entry"
if can user_exit; then
	evtlog filter user_exit "nr==1 && tgid==$writer" || die "user_exit"
	evtlog filter user_enter "tgid==$writer" || die "user_enter"
	evtlog filter exception_entry 'vector!=14' || die "exception_entry"
else
	boundary=
fi
evtlog filter local_timer 'cpu==1' || die "local_timer"
evtlog filter reschedule 'vector==1' || die "reschedule"
evtlog filter call_function 'vector>100 && tree!=1' || die "call_function"
evtlog filter irq_work 'vector>100 && comm!="load"' || die "irq_work"
evtlog filter icmp_rx 'type==8 && len<1000' || die "icmp_rx"
evtlog filter icmp_tx 'type==0 && peer==0x7f000001' || die "icmp_tx"
evtlog filter put 'id==1 && data&1' || die "put"
evtlog filter put_at 'id==2 && data<=100 && timestamp>1' || die "put_at"
others &
others_pid=$!
run more
echo $writer >"$OUT/writer.txt"
dmesg | grep 'evtlog_put_test: id' >"$OUT/put.txt"
for type in $boundary local_timer reschedule call_function irq_work icmp put put_at; do
	evtlog filter del $type || die "delete $type"
done
[ -z "$(cat $evtlog/filters)" ] || die "a deleted filter is there"

if [ -z "$boundary" ]; then
	kill $disk_pid
	stop_logd
	rmmod evtlog_put_test || die "rmmod: $?"
	exit
fi

# A cgroup's filter accepts events of tasks in a child cgroup, and of no other tasks.
mkdir -p /tmp/cgroup
mount -t cgroup2 none /tmp/cgroup || die "cgroup2: $?"
mkdir -p /tmp/cgroup/a/b
stop_logd
evtlog filter user_exit "nr==1 && cgroup==$(stat -c %i /tmp/cgroup/a)" || die "cgroup"
writes='exec dd if=/dev/zero of=/dev/null bs=1'
evtlog record -e user_exit -o "$OUT/group.evl" -- sh -c "sh -c 'echo \$\$ >/tmp/cgroup/a/b/cgroup.procs; $writes count=700 2>/dev/null'
	$writes count=5000 2>/dev/null" || die "record: $?"
evtlog filter del user_exit || die "delete"
evtlog dump "$OUT/group.evl" >/tmp/group || die "dump: $?"
written=$(grep -c ' user_exit ' /tmp/group)
# dd prints two or three lines at its end.
[ "$written" -ge 700 ] && [ "$written" -lt 710 ] || die "cgroup: $written writes, not 700"

kill $disk_pid
