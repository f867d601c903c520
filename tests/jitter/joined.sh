#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# joined.sh SECONDS [OPTION...] - runs evtlog jitter run under noise, and writes its report in each
# form.
. /script/guest.sh
. /script/noise.sh
. /script/report.sh
seconds=$1
shift

make_disk
start_noise 0
evtlog jitter run -o /tmp/dir --duration "${seconds}s" --no-baseline "$@" \
	>"$OUT/run.txt" 2>&1 || die "evtlog jitter run: $? $(cat "$OUT/run.txt")"
! grep -q nan "$OUT/run.txt" || die "no number: $(cat "$OUT/run.txt")"
end_noise
report /tmp/dir "$OUT"
