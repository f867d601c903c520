#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# overload.sh BLOCKS MS [OPTION...] - runs the study in a guest: each thread of a program computes
# for MS ms of CPU time, in BLOCKS blocks. OPTIONs are of evtlog record, such as --sample 250Hz.
. /script/guest.sh

blocks=$1 ms=$2
shift 2
count=$(($(fib calibrate "$ms") / blocks))
echo "blocks $blocks"
echo "numbers $count"
evtlog record --buffers 8x512 "$@" -o "$OUT/run.evl" -- sh /script/phases.sh "$blocks" "$count"
