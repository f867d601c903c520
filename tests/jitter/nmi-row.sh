#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nmi-row.sh - runs evtlog jitter run on a CPU that gets NMIs.
. /script/guest.sh
. /script/report.sh

nmis() {
	sed -n 's/^ *NMI: *//p' /proc/interrupts | awk '{ print $2 }'
}

# The loop uses CPU 1. This shell, which triggers the NMIs, uses CPU 0.
evtlog jitter run -o /tmp/dir --cpus 1 --duration 10m --no-baseline >"$OUT/run.txt" 2>&1 &
run=$!
until_true 60 is_recording || die "evtlog jitter run: $(cat "$OUT/run.txt")"
await_cpu $run 100
taskset -p 1 $$ >/dev/null
nmis >"$OUT/before"
# Some of them interrupt the kernel: the turns of the emulated CPUs end at timer interrupts.
for i in $(seq 60); do
	echo l >/proc/sysrq-trigger
done
nmis >"$OUT/after"
# Ended by a signal, because the kernel's printing takes an unknown time.
kill -TERM $run
wait $run || die "evtlog jitter run: $? $(cat "$OUT/run.txt")"
report /tmp/dir "$OUT"
