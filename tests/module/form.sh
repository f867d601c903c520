#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# form.sh - a log of the module, and what the commands print about the module
. /script/guest.sh

evtlog status >"$OUT/status" || die "status: $?"
evtlog status --json >"$OUT/status.json" || die "status: $?"
uname -r >"$OUT/release"
start_logd
echo 1 >$evtlog/enable
for i in $(seq 50); do
	sh -c :
done
echo 0 >$evtlog/enable
stop_logd
mv $log/*.evl "$OUT/run.evl"
evtlog info "$OUT/run.evl" >"$OUT/info" || die "info: $?"
evtlog info --json "$OUT/run.evl" >"$OUT/info.json" || die "info: $?"
evtlog check "$OUT/run.evl" >"$OUT/check" || die "check: $? $(cat "$OUT/check")"
evtlog check --json "$OUT/run.evl" >"$OUT/check.json" || die "check: $?"
