#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# memory.sh - uses buffers so large that there is memory for one CPU, but not for two: a start fails
# and frees its memory; a CPU that comes online during a run is missing in the log.
. /script/guest.sh

available_kb() {
	sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# must_fail WORD - fails for lack of memory, and leaks nothing
must_fail() {
	before=$(available_kb)
	! echo "$1" 2>/tmp/said >$evtlog/enable || die "there was memory to $1"
	grep -qi "cannot allocate memory\|out of memory" /tmp/said || die "$1: $(cat /tmp/said)"
	grep -qx "armed 0" $evtlog/status || die "$1: armed"
	after=$(available_kb)
	echo "$1: $before KiB available before, $after behind"
	[ $((before - after)) -lt $((before / 10)) ] || die "$1: memory is kept"
}

echo 16 >$evtlog/buffers
echo $(($(available_kb) * 6 / 10 / 16 / 4 * 4)) >$evtlog/buffer_kb
must_fail arm
must_fail 1

echo 0 >/sys/devices/system/cpu/cpu1/online
start_logd
echo 1 >$evtlog/enable || die "no memory for one CPU"
echo 1 >/sys/devices/system/cpu/cpu1/online || die "CPU 1 does not come online"
dmesg | grep "not enough memory for the buffers of CPU 1" || die "nobody said so"
for cpu in 0 1; do
	taskset -c $cpu sh -c 'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done'
done
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT"
status=0
evtlog check --json "$OUT"/*.evl >"$OUT/check.json" || status=$?
echo "evtlog check: $status"
