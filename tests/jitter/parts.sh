#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# parts.sh METHOD... - runs evtlog jitter run with each method, on all CPUs and under a load.
. /script/guest.sh

load 3600 &
load=$!
place=/tmp/jitter
mkdir $place
for method; do
	evtlog jitter run -o "$place/$method" --method "$method" --duration 1s --buffers 64x256 \
		--no-baseline --json >"$place/$method.json" || die "$method: $?"
done
kill $load
wait $load || true
cp -r $place/* "$OUT"
