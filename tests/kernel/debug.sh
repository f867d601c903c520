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
