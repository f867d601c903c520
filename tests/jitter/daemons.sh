#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# daemons.sh ROUNDS PERIOD_US SECOND_US - the three experiments with synthetic daemons:
# one, two with periods apart, two in phase, beside a loop in user mode.
. /script/guest.sh
rounds=$1 period=$2 second=$3
echo 16 >$evtlog/buffers
echo "+user +exception" >$evtlog/events

# begin NAME DELAY_US PERIOD_US BURN_US ROUNDS - a daemon; $at is when all begin
begin() {
	daemon "$1" 0 $((at + $2 * 1000)) "$3" "$4" "$5" >"$OUT/$name.$1" &
	daemons="$daemons $!"
}

# experiment NAME - $daemons have been started: the loop runs until they have done
experiment() {
	sleep 0.2
	echo 1 >$evtlog/enable
	boundary 0 spin $((rounds * period / 1000000 + 1)) >"$OUT/$name.txt" ||
		die "$name: boundary: $?"
	echo 0 >$evtlog/enable
	kill $daemons
	for pid in $daemons; do
		wait "$pid" || die "$name: daemon: $?"
	done
	names="${names:-} $name"
}

# The first waking is in a second
prepare() {
	name=$1 daemons=
	at=$(sed 's/ .*//; s/\.//; s/$/0000000/' /proc/uptime)
	at=$((at + 1000000000))
}

start_logd
prepare one
begin alone 0 "$period" 2300 "$rounds"
experiment

# They drift through each other: at the fourth waking they overlap.
prepare two
begin often $((4 * (second - period))) "$period" 2300 $((rounds - 1))
begin seldom 1000 "$second" 2300 $((rounds - 1))
experiment

prepare phase
begin first 0 "$period" 1100 "$rounds"
begin other 0 "$period" 1100 "$rounds"
experiment

stop_logd
number=1
for name in $names; do
	file=$(ls $log/*-$number.evl)
	evtlog check "$file" >"$OUT/$name.check" || die "check: $? $(cat "$OUT/$name.check")"
	cp "$file" "$OUT/$name.evl"
	number=$((number + 1))
done
