# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# trace.sh - traces of tasks, and a log of the same time. Sourced by profile.sh.

start_logd
echo '+all' >$evtlog/events
echo 1 >$evtlog/enable
sh -c 'kill -STOP $$; exec family 2' >"$OUT/traced" & pid=$!
until grep -q '^State:.*stopped' /proc/$pid/status; do sleep 0.05; done
evtlog profile start --events 50 --tree $pid 2>"$OUT/begun" || die "trace --events: $(cat "$OUT/begun")"
grep -q "evtlog profile report --trace $pid" "$OUT/begun" || die "the command that shows the trace is not named"
kill -CONT $pid
wait $pid || true
# Wait for an RCU grace period after the end.
sleep 0.2
evtlog profile report --trace --json >"$OUT/trace.json"
evtlog profile report --trace $pid | head -n 5
echo $pid >"$OUT/traced.pid"
echo 0 >$evtlog/enable
stop_logd
mv $log/*.evl "$OUT/trace.evl"
evtlog profile start --keep 2
evtlog profile report --trace --json >"$OUT/kept.json"
evtlog profile start --events 10 1
! evtlog profile start --events 10 1 2>"$OUT/refused" || die "a second trace of a task"
! evtlog profile start --events 10 99999 2>>"$OUT/refused" || die "a trace of no task"
! unshare -p -f sh -c "echo '2 10' >$evtlog/profile/trace" 2>/dev/null || die "a number of another namespace"
evtlog profile stop 1
! evtlog profile report --trace 1 2>>"$OUT/refused" || die "a trace that was deleted"
# A thread's process can end while the order to trace it waits for other orders.
others=
for other in 1 2 3 4; do
	while :; do echo '-*' >$evtlog/profile/trace; done & others="$others $!"
done
for round in 1 2 3; do
	threads two >/tmp/second & pid=$!
	until [ -s /tmp/second ]; do sleep 0.01; done
	(echo "$(cat /tmp/second) 16 tree" >$evtlog/profile/trace) 2>/dev/null & order=$!
	usleep 5000
	kill -9 $pid
	wait $pid || true
	for task in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done
	wait $order || true
	rm /tmp/second
done
# shellcheck disable=SC2086 # a list
kill $others
# shellcheck disable=SC2086
wait $others || true
profiled 200 200 10 >/dev/null & pid=$!
evtlog profile top -n 2 >"$OUT/top"
evtlog profile top -n 1 --by-event >"$OUT/top.events"
evtlog profile top -n 1 --by-event --compensate >"$OUT/top.compensated"
echo $pid >"$OUT/top.pid"
kill $pid
wait $pid 2>/dev/null || true
