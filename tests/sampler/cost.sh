#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cost.sh - samples 200 sleeping tasks and 40 tasks that compete for the CPU
. /script/guest.sh

for i in $(seq 200); do
	sleep 1000 &
done
for i in $(seq 40); do
	sh -c 'while :; do :; done' &
done
echo 8 >$evtlog/buffers
echo 1024 >$evtlog/buffer_kb
evtlog record --sample 20ms -o "$OUT/cost.evl" -- family /tmp/family.txt 1000 || die "record: $?"
