#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# loss.sh - switches as fast as the CPUs can: with a logger that keeps up, with one that is stopped
# for a while, with one that is stopped until after the run, and with tiny buffers.
. /script/guest.sh

# Two real-time tasks on each CPU yield to each other.
switch_fast() {
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		yield "$1" "$cpu" >/dev/null &
		yields="${yields:-} $!"
	done
	for pid in $yields; do
		wait "$pid" || exit 1
	done
}

is_drained() {
	! grep -v 'waiting 0' $evtlog/status | grep -q '^cpu'
}

# take_file DIR - moves the file there if logd has closed it
take_file() {
	evtlog info --json $log/*-"$run".evl | grep -q '"closed": true' && mv $log/*-"$run".evl "$1/"
}

case ${1:-} in
keeps_up | tiny_buffers)
	switch_fast "$2"
	await 10 is_drained
	exit
	;;
stopped)
	kill -STOP "$(cat /tmp/logd.pid)"
	switch_fast "$2"
	kill -CONT "$(cat /tmp/logd.pid)"
	await 10 is_drained
	exit
	;;
stopped_at_end)
	kill -STOP "$(cat /tmp/logd.pid)"
	switch_fast "$2"
	exit
	;;
esac

# run_of NAME SWITCHES - makes one run; its file goes to $OUT/NAME
run_of() {
	mkdir -p "$OUT/$1"
	window "$OUT/$1" "$0" "$1" "$2"
	kill -CONT "$logd_pid"
	run=$(run_number)
	await 10 take_file "$OUT/$1"
	await 10 is_drained
}

# The switching tasks have priority 50, so logd needs more.
[ "$(cat $evtlog/buffers)" = 2 ] || die "not 2 buffers"
echo 32 >$evtlog/buffer_kb
start_logd -s rt_priority=60
run_of keeps_up 10000
stop_logd
echo 16 >$evtlog/buffer_kb
start_logd -s rt_priority=60
echo "-all +sched_switch" >$evtlog/events
run_of stopped 6000
run_of stopped_at_end 6000
stop_logd
echo 4 >$evtlog/buffer_kb
start_logd -s rt_priority=60
run_of tiny_buffers 4000
stop_logd
