#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# traced.sh COUNT - programs that trace themselves, and the log of their run
. /script/guest.sh

traces=$OUT/traces
mkdir -p "$traces"
# In the first second the kernel calibrates its counter: the raw clock's rate changes then.
until_true 20 sh -c '! grep -q early /sys/devices/system/clocksource/clocksource0/current_clocksource' ||
	die "the counter is not calibrated for 20 s"
cat >/tmp/programs <<'EOT'
set -e
traced "$1" "$2"
EVTLOG_TRACE_FILE=$1/regions regions told "$2" >$1/told
EOT
evtlog record -o "$OUT/run.evl" -- sh /tmp/programs "$traces" "$1"
