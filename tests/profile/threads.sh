#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# threads.sh SEED - threads that end while their process lives, and their profiles
. /script/guest.sh

echo 1 >$evtlog/profile/control || die "profiles cannot be started"
threads claims "$1" || die "claims are wrong"

# Each thread is in one period, and not again in the sum of ended threads.
threads stay 40 2 >"$OUT/truth" &
pid=$!
evtlog profile record --interval 1s --count 6 --pid $pid --json -o "$OUT/periods" ||
	die "evtlog profile record: $?"
[ -s "$OUT/truth" ] || die "the threads take longer than the periods"
for form in "" --tree --folded --json; do
	# shellcheck disable=SC2086 # no word, or one
	evtlog profile report --pid $pid $form >"$OUT/show$form" || die "evtlog profile report $form: $?"
done
evtlog profile report --json >"$OUT/show-all"
cat $evtlog/profile/all >"$OUT/all"
echo $pid >"$OUT/pid"
evtlog profile report --json live >"$OUT/report" || die "evtlog profile report: $?"
evtlog check --profile || die "profiles do not add up"
echo 0 >$evtlog/profile/control
evtlog check --profile || die "profiles do not add up, once stopped"
# A trace of a task starts profiles, and its end does not stop them. A limit of kept traces starts nothing.
is_state() {
	grep -qx "state $1" $evtlog/profile/control || die "$2: $(head -n 1 $evtlog/profile/control)"
}
evtlog profile start --keep 3 || die "start --keep: $?"
is_state off "after start --keep"
evtlog profile start --events 16 $pid || die "start --events: $?"
is_state on "after start --events"
evtlog profile report --trace --json $pid | grep -q '"pid": '$pid || die "no trace of $pid"
evtlog profile stop $pid || die "stop $pid: $?"
is_state on "after the end of a trace"
evtlog profile report --trace $pid 2>/dev/null && die "a trace that was deleted"
evtlog profile stop || die "stop: $?"
is_state off "after stop"
kill $pid
