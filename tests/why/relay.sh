#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# relay.sh - records processes that hand work on, while another one uses one of their CPUs.
. ./waiting.sh

taskset -c 1 load 3600 19 &
hog=$!
evtlog record -o "$OUT/relay.evl" -- relay "$1" "$2" >"$OUT/relay.json" || die "record: $?"
kill $hog
