# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# trace.sh - traces of tasks, beside a log of the same time. Sourced by profile.sh.

start_logd
echo '+all' >$evtlog/events
echo 1 >$evtlog/enable
sh -c 'kill -STOP $$; exec family 2' >"$OUT/traced" & pid=$!
until grep -q '^State:.*stopped' /proc/$pid/status; do sleep 0.05; done
evtlog profile trace --events 50 --tree $pid
kill -CONT $pid
wait $pid || true
# An RCU grace period after its end.
sleep 0.2
evtlog profile trace --json >"$OUT/trace.json"
evtlog profile trace $pid | head -n 5
echo $pid >"$OUT/traced.pid"
echo 0 >$evtlog/enable
stop_logd
mv $log/*.evl "$OUT/trace.evl"
evtlog profile trace --keep 2
evtlog profile trace --json >"$OUT/kept.json"
evtlog profile trace --events 10 1
! evtlog profile trace --events 10 1 2>"$OUT/refused" || die "a second trace of a task"
! evtlog profile trace --events 10 99999 2>>"$OUT/refused" || die "a trace of no task"
! unshare -p -f sh -c "echo '2 10' >$evtlog/profile/trace" 2>/dev/null || die "a number of another namespace"
evtlog profile trace --delete 1
! evtlog profile trace 1 2>>"$OUT/refused" || die "a trace that was deleted"
profiled 200 200 10 >/dev/null & pid=$!
evtlog profile top --batch -n 2 >"$OUT/top"
evtlog profile top --batch -n 1 --by-event >"$OUT/top.events"
evtlog profile top --batch -n 1 --by-event --compensate >"$OUT/top.compensated"
echo $pid >"$OUT/top.pid"
kill $pid
wait $pid 2>/dev/null || true
