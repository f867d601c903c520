#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dump-cost.sh - prints the time of dump for a log as text and as JSON, in ms.
. ./waiting.sh

# now - prints the time since boot in ms, to 10 ms. "08" alone would be octal.
now() {
	read -r time _ </proc/uptime
	echo $((10 * (100 * ${time%.*} + 1${time#*.} - 100)))
}
took() {
	before=$(now)
	evtlog dump "$@" log.evl >/dev/null || die "dump $*: $?"
	echo $(($(now) - before))
}
# Warm up: load the file and the program into memory.
evtlog dump log.evl >/dev/null
echo "$(took) $(took --json)" >"$OUT/took"
