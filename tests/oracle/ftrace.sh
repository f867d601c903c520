#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ftrace.sh - records the same load with ftrace and evtlog, with the same clock.
. /script/guest.sh
if [ "${1:-}" = load ]; then
	use_disk "$2" &
	ping -q -i 0.1 -c 10 127.0.0.1 >/dev/null &
	load "$2"
	wait
	exit
fi

make_disk
ftrace_prepare
start_logd
echo 1 >$tracing/tracing_on
echo 1 >$evtlog/enable
"$0" load "$1"
echo 0 >$evtlog/enable
echo 0 >$tracing/tracing_on
stop_logd
cp $log/*.evl "$OUT"
ftrace_take
