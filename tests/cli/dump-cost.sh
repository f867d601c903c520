#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dump-cost.sh - the time that a log takes as text and as JSON, in ms.
. ./waiting.sh

# The time since the boot in ms, to 10 ms. "08" alone would be octal.
now() {
	read -r time _ </proc/uptime
	echo $((10 * (100 * ${time%.*} + 1${time#*.} - 100)))
}
# took OPTION...
took() {
	before=$(now)
	evtlog dump "$@" log.evl >/dev/null || die "dump $*: $?"
	echo $(($(now) - before))
}
# Once, so that the file and the program are in memory.
evtlog dump log.evl >/dev/null
echo "$(took) $(took --json)" >"$OUT/took"
