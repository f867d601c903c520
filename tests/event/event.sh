#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# event.sh - a module registers an event and puts records of many sizes: from before a run until it
# is unloaded during the run; then with buffers that are too small for some records; then with too
# few buffers; then with a filter of a field in network order.
. /script/guest.sh

hits() {
	insmod evtlog_event_test.ko "$@" || die "insmod: $?"
}

unload() {
	rmmod evtlog_event_test || die "rmmod: $?"
}

# The module is unloaded during the run; its last records are read before the end
ends() {
	unload
	sleep 0.2
	echo 0 >$evtlog/enable
	take "$1"
}

take() {
	stop_logd
	dmesg -c | grep "evtlog_event_test: place" >"$OUT/$1.txt"
	evtlog check $log/*.evl >"$OUT/$1.check" || [ $? = 4 ] ||
		die "evtlog check: $(cat "$OUT/$1.check")"
	mv $log/*.evl "$OUT/$1.evl"
}

seconds=$1
dmesg -c >/dev/null

# A buffer of 16 KiB has room for the largest record.
echo 64 >$evtlog/buffers
echo 64 >$evtlog/buffer_kb
start_logd
hits late_ms=50
echo 1 >$evtlog/enable
sleep "$seconds"
ends whole

# A buffer of 4 KiB has room for records up to 1,016 bytes.
echo 4 >$evtlog/buffer_kb
start_logd
hits copies=1
echo 1 >$evtlog/enable
sleep "$seconds"
ends small

# No other type is recorded or lost.
echo -all +event >$evtlog/events
echo 2 >$evtlog/buffers
echo 16 >$evtlog/buffer_kb
start_logd
echo 1 >$evtlog/enable
sleep 0.3
hits copies=1 pause_us=0
sleep "$seconds"
ends lossy

# The module writes its place as a little-endian number: 2 is accepted, 3 is not.
echo 64 >$evtlog/buffers
start_logd
hits late_ms=20
evtlog filter sample 'ecalp in {0x2000000, 3}' || die "filter: $?"
echo 1 >$evtlog/enable
sleep 0.1
ends filtered
