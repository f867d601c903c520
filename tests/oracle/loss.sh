#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# loss.sh - switches as fast as the CPUs go: with a logger that keeps up, with one that is
# stopped for a while, with one that is stopped beyond the end, with tiny buffers.
. /script/guest.sh

# Two real-time tasks on each CPU that yield to each other.
switch_fast() {
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		yield "$1" "$cpu" >/dev/null &
		yields="${yields:-} $!"
	done
	for pid in $yields; do
		wait "$pid" || exit 1
	done
}

wait_until_drained() {
	tries=100
	while grep -v 'waiting 0' $evtlog/status | grep -q '^cpu'; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "logd does not drain the buffers"
		sleep 0.1
	done
}

case ${1:-} in
keeps_up | tiny_buffers)
	switch_fast "$2"
	wait_until_drained
	exit
	;;
stopped)
	kill -STOP "$(cat /tmp/logd.pid)"
	switch_fast "$2"
	kill -CONT "$(cat /tmp/logd.pid)"
	wait_until_drained
	exit
	;;
stopped_at_end)
	kill -STOP "$(cat /tmp/logd.pid)"
	switch_fast "$2"
	exit
	;;
esac

# run_of NAME SWITCHES - one run; its file goes to $OUT/NAME
run_of() {
	mkdir -p "$OUT/$1"
	window "$OUT/$1" "$0" "$1" "$2"
	kill -CONT "$logd_pid"
	run=$(run_number)
	tries=100
	until mv $log/*-"$run".evl "$OUT/$1/" 2>/dev/null && wait_until_drained; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "no file of run $run"
		sleep 0.1
	done
}

# The tasks that switch have priority 50 and would let nobody else run.
[ "$(cat $evtlog/buffers) $(cat $evtlog/buffer_kb)" = "2 1024" ] || die "not 2 x 1 MiB"
start_logd -s rt_priority=60
run_of keeps_up "${1:-300000}"
if [ "${2:-}" = only ]; then
	stop_logd
	exit
fi
stop_logd
echo 256 >$evtlog/buffer_kb
start_logd -s rt_priority=60
echo "-all +sched_switch" >$evtlog/events
run_of stopped 90000
run_of stopped_at_end 90000
stop_logd
echo 4 >$evtlog/buffer_kb
start_logd -s rt_priority=60
run_of tiny_buffers 40000
stop_logd
