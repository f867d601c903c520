#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# counts.sh - logs one run under load, and reads the kernel's counters before and after its ends.
. /script/guest.sh
seconds=$1

if [ "${2:-}" = load ]; then
	use_disk "$seconds" &
	ping -q -i 0.1 -c $((seconds * 8)) 127.0.0.1 >/dev/null &
	ping -q -i 0.1 -c $((seconds * 8)) 10.99.0.254 >/dev/null &
	load "$seconds"
	wait
	exit
fi

make_disk
start_logd
window "$OUT" "$0" "$seconds" load
stop_logd
cp $log/*.evl "$OUT"
evtlog check "$OUT"/*.evl >"$OUT/check.txt" || die "evtlog check: $(cat "$OUT/check.txt")"
