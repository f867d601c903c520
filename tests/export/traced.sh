#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# traced.sh COUNT - a program that traces itself, and the log of its run
. /script/guest.sh

traces=$OUT/traces
mkdir -p "$traces"
# In the first second the kernel calibrates its counter: the raw clock's rate changes then.
until_true 20 sh -c '! grep -q early /sys/devices/system/clocksource/clocksource0/current_clocksource' ||
	die "the counter is not calibrated for 20 s"
evtlog record -o "$OUT/run.evl" -- traced "$traces" "$1"
