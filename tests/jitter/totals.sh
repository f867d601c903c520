#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# totals.sh SECONDS - reads the kernel's own counts at two times during evtlog jitter run.
. /script/guest.sh
. /script/noise.sh
. /script/report.sh

make_disk
start_noise 0
# The network is the only device that interrupts.
ping -q -i 0.02 10.99.0.254 >/dev/null &
noise_pids="$noise_pids $!"
evtlog jitter run -o /tmp/dir --cpus 0 --duration "$(($1 + 3))s" --no-baseline \
	>"$OUT/run.txt" 2>&1 &
run=$!
# The loop starts a moment after the recording.
await 10 is_recording
sleep 0.7
totals 0 "$1" "$OUT" || die "totals: $?"
wait $run || die "evtlog jitter run: $? $(cat "$OUT/run.txt")"
end_noise
report /tmp/dir "$OUT"
