#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# daemons.sh ROUNDS PERIOD_US SECOND_US - runs evtlog jitter run with synthetic daemons: with one,
# with two of different periods, and with two in phase.
. /script/guest.sh
. /script/noise.sh
. /script/report.sh
rounds=$1 period=$2 second=$3
# Not $OUT: counted time runs ahead while the guest waits for the host's files.
said=/tmp/said
mkdir $said

# begin NAME DELAY_US PERIOD_US BURN_US ROUNDS - starts a daemon, which begins DELAY_US after $at
begin() {
	daemon "$1" 0 $((at + $2 * 1000)) "$3" "$4" "$5" >"$said/$name.$1" &
	daemons="$daemons $!"
}

# experiment - measures until the $daemons have finished
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

# prepare NAME - sets $at to two seconds from now, when the loop usually runs
prepare() {
	name=$1 daemons=
	at=$(($(now_ns) + 2000000000))
}

prepare one
begin alone 0 "$period" 2300 "$rounds"
experiment

# The daemons drift: at the fourth wake-up they overlap.
prepare two
begin often $((4 * (second - period))) "$period" 2300 $((rounds - 1))
begin seldom 1000 "$second" 2300 $((rounds - 1))
experiment

prepare phase
begin first 0 "$period" 1100 "$rounds"
begin other 0 "$period" 1100 "$rounds"
experiment
