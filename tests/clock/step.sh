#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# step.sh - sets the real-time clock during a run; a probe records the clock's time
. /script/guest.sh

# The kernel records a step only if a buffer is free.
echo 16 >$evtlog/buffers
start_logd
echo '+null_lseek(at=arg2:s64) if at > 1000000000' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
echo 1 >$evtlog/enable
step >"$OUT/steps" || die "step"
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT"
