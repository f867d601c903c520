#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# traced.sh COUNT - records a log while programs write their own traces
. /script/guest.sh

traces=$OUT/traces
mkdir -p "$traces"
# In the first second the kernel calibrates the tick counter, and the raw clock's rate changes.
until_true 20 sh -c '! grep -q early /sys/devices/system/clocksource/clocksource0/current_clocksource' ||
	die "the counter is not calibrated for 20 s"
cat >/tmp/programs <<'EOT'
set -e
traced "$1" "$2"
EVTLOG_TRACE_FILE=$1/regions regions told "$2" >$1/told
EOT
evtlog record -o "$OUT/run.evl" -- sh /tmp/programs "$traces" "$1"
