#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# losses.sh - runs evtlog jitter run with two small buffers, and stops the logger for a second.
. /script/guest.sh
. /script/noise.sh
. /script/report.sh

make_disk
start_noise 0
echo 2 >$evtlog/buffers
echo 16 >$evtlog/buffer_kb
start_logd
(sleep 2 && kill -STOP "$logd_pid" && sleep 1 && kill -CONT "$logd_pid") &
evtlog jitter run -o /tmp/dir --cpus 0 --duration 4s --no-baseline \
	>"$OUT/run.txt" 2>&1 || [ $? = 4 ] || die "evtlog jitter run: $? $(cat "$OUT/run.txt")"
wait $!
end_noise
stop_logd
report /tmp/dir "$OUT"
