# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# record-traces.sh - files of traces: of a family, without overwritten events; with small rings; and
# with dropped traces of ended tasks. Sourced by profile.sh.

mkdir "$OUT/traces" "$OUT/small" "$OUT/dropped"
# traced COMMANDS - starts a task that runs COMMANDS after its trace has begun
traced() {
	sh -c "kill -STOP \$\$; $1" >>"$OUT/traces.told" & pid=$!
	until grep -q '^State:.*stopped' /proc/$pid/status; do sleep 0.05; done
}
has_trace() {
	evtlog profile report --trace $pid >/dev/null 2>&1
}
files_of() {
	[ "$(ls "$1" | grep -c "^trace-")" -ge "$2" ]
}
evtlog profile stop 1 2>/dev/null || true
evtlog profile start --keep 64
evtlog profile start --events 10 1
traced 'family 2; family 1; sleep 1.3; family 2; while :; do sleep 0.02; done'
evtlog profile record --interval 1s --pid $pid --traces 65536 --json -o "$OUT/traces" & recorder=$!
until_true 60 has_trace || die "no trace of $pid"
kill -CONT $pid
until_true 120 files_of "$OUT/traces" 5 || die "record --traces writes no files"
kill $recorder
wait $recorder || die "record --traces ends with $?"
echo $pid >"$OUT/traces.pid"
evtlog profile report --trace --json >"$OUT/traces.left"
evtlog profile record --interval 1 -n 2 --pid $pid --traces 16 --keep 1 -o "$OUT/small" ||
	die "record --traces 16: $?"
kill $pid
wait $pid 2>/dev/null || true
evtlog profile start --keep 1
cp "$OUT/traces.told" "$OUT/traces.family"
: >"$OUT/traces.told"
traced 'family 2; exec sleep 100'
evtlog profile record --interval 1s --pid $pid --traces 256 -o "$OUT/dropped" 2>"$OUT/dropped.said" & recorder=$!
until_true 60 has_trace || die "no trace of $pid"
kill -CONT $pid
until_true 60 grep -q getppid "$OUT/traces.told"
until_true 60 files_of "$OUT/dropped" 1
until_true 60 grep -q dropped "$OUT/dropped.said"
kill $recorder
status=0
wait $recorder || status=$?
echo $status >>"$OUT/dropped.said"
kill $pid
wait $pid 2>/dev/null || true
evtlog profile start --keep 64
evtlog profile record --interval 1 -n 1 --pid 1 --traces 10 -o "$OUT/others" 2>"$OUT/others.said" ||
	die "record of a task that has a trace: $?"
grep -q '1: has a trace already' "$OUT/others.said" || die "another's trace: $(cat "$OUT/others.said")"
evtlog profile stop 1
! evtlog profile record -n 1 --traces 10 2>"$OUT/traces.refused" || die "--traces of all"
