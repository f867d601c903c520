#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nmi-row.sh - evtlog jitter run on a CPU that gets NMIs.
. /script/guest.sh
. /script/report.sh

nmis() {
	sed -n 's/^ *NMI: *//p' /proc/interrupts | awk '{ print $2 }'
}

evtlog jitter run -o /tmp/dir --cpus 1 --duration 4s --no-baseline >"$OUT/run.txt" 2>&1 &
run=$!
until [ "$(cat $evtlog/enable)" = 1 ]; do
	kill -0 $run || die "evtlog jitter run: $(cat "$OUT/run.txt")"
	sleep 0.1
done
sleep 1
nmis >"$OUT/before"
for i in $(seq 20); do
	echo l >/proc/sysrq-trigger
done
nmis >"$OUT/after"
wait $run || die "evtlog jitter run: $? $(cat "$OUT/run.txt")"
report /tmp/dir "$OUT"
