#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# daemons.sh ROUNDS PERIOD_US SECOND_US - the three experiments with synthetic daemons:
# one, two with periods apart, two in phase, beside evtlog jitter run.
. /script/guest.sh
. /script/noise.sh
. /script/report.sh
rounds=$1 period=$2 second=$3
# Not $OUT, which is the host's: counted time runs ahead while the host is waited for.
said=/tmp/said
mkdir $said

# begin NAME DELAY_US PERIOD_US BURN_US ROUNDS - a daemon; $at is when all begin
begin() {
	daemon "$1" 0 $((at + $2 * 1000)) "$3" "$4" "$5" >"$said/$name.$1" &
	daemons="$daemons $!"
}

# experiment - $daemons have been started: the loop runs until they have done
experiment() {
	sleep 0.2
	evtlog jitter run -o "/tmp/$name" --cpus 0 --no-baseline \
		--duration "$((rounds * period / 1000 + 2000))ms" >"$said/$name.txt" 2>&1 ||
		die "$name: evtlog jitter run: $? $(cat "$said/$name.txt")"
	kill $daemons
	for pid in $daemons; do
		wait "$pid" || die "$name: daemon: $?"
	done
	cp "$said/$name".* "$OUT"
	report "/tmp/$name" "$OUT/$name"
}

# prepare NAME - the first waking is in two seconds, when the loop goes round as a rule
prepare() {
	name=$1 daemons=
	at=$(($(now_ns) + 2000000000))
}

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
