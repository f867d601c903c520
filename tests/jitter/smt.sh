#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# smt.sh - measures CPU 0 while CPU 1 is busy.
. /script/guest.sh

busy() {
	exec taskset 2 sh -c 'while :; do :; done'
}
busy &
busy_pid=$!
evtlog jitter run -o /tmp/jitter --cpus 0 --duration 1s --no-baseline --buffers 8 --json >"$OUT/run.json" ||
	die "jitter run: $?"
kill $busy_pid
evtlog jitter report --json /tmp/jitter >"$OUT/report.json" || die "jitter report: $?"
cp /tmp/jitter/* "$OUT"
