#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# debug.sh - everything at once to evtlog in a kernel that watches itself: load, CPUs that
# come and go, runs that start and stop, readers that are killed, nonsense written.
. /script/guest.sh
last_cpu=$(($(nproc) - 1))

# Each does so many rounds, however fast the machine is; the load goes on meanwhile.

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

start_and_stop() {
	for round in $(seq "$1"); do
		echo 1 >$evtlog/enable
		sleep 0.2
		echo 0 >$evtlog/enable
	done
}

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

background_load() {
	load 3600 &
	load_pid=$!
	(while [ ! -e /tmp/enough ]; do use_disk 1; done) &
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

must_refuse() {
	! printf '%b' "$2" >"$evtlog/$1" 2>/dev/null || die "$1 took '$2'"
}

# All must end well: those of $jobs.
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

make_disk
rounds=$1

echo "== logd, load, hotplug, start and stop"
start_logd
background_load
also hotplug "$rounds"
also start_and_stop "$rounds"
also read_texts $((rounds * 5))
join
end_load
stop_logd
for file in $log/*.evl; do
	status=0
	evtlog check "$file" >/tmp/check.txt || status=$?
	case $status in
	0) ;;
	4) echo "$file: $(grep '^lost' /tmp/check.txt)" ;;
	*) cat /tmp/check.txt; die "evtlog check $file: $status" ;;
	esac
done
echo "$(ls $log/*.evl | wc -l) files are whole"
[ "$(ls $log/*.evl | wc -l)" = "$(run_number)" ] || die "not a file for each run"

echo "== readers killed, geometry changed"
background_load
for way in read map; do
	for geometry in "2 4" "5 64" "2 1024" "64 8"; do
		echo "${geometry% *}" >$evtlog/buffers
		echo "${geometry#* }" >$evtlog/buffer_kb
		echo 1 >$evtlog/enable
		killed_readers 4 $way
		must_refuse buffers 3
		must_refuse buffer_kb 8
		echo 0 >$evtlog/enable
	done
done
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

echo "== everything that a mad root could do"
start_logd
background_load
also hotplug "$rounds"
for k in 1 2 3; do
	also pester "$rounds"
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
window "$OUT/after" load 2
stop_logd
cp $log/*-"$(run_number)".evl "$OUT/after"
evtlog check "$OUT"/after/*.evl || die "evtlog check: $?"
