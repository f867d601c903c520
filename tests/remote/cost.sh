#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cost.sh - the cost of packets in instructions: without a key, with a key, and while a run records
. /script/control-guest.sh

# cost NAME - writes the costs to $OUT/NAME
cost() {
	attack cost 127.0.0.1 150 >"$OUT/$1" || die "attack cost: $(cat "$OUT/$1")"
}

echo 0 >/proc/sys/net/ipv4/icmp_ratelimit
cost no-key
set_key 1 $key
age_key
cost key
echo 1 >$evtlog/enable
cost run
echo 0 >$evtlog/enable
cost after
