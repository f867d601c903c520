#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# region-cost.sh - the cost of a region with profiles off and on, and traced
. /script/guest.sh

grep ^ticks_hz $evtlog/status
echo "off:"
pairs
evtlog profile start || die "profiles cannot be started"
echo "on:"
pairs
echo "paths:"
EVTLOG_REGION_PATHS=1 pairs
evtlog profile stop || die "profiles cannot be stopped"
# In the first second, the kernel calibrates its counter, and traced regions read another clock.
until_true 20 sh -c '! grep -q early /sys/devices/system/clocksource/clocksource0/current_clocksource' ||
	die "the counter is not calibrated for 20 s"
echo "traced:"
EVTLOG_TRACE_FILE=/tmp/pairs pairs
ls /tmp/pairs.* || die "nothing is traced"
