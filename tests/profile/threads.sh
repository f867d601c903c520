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
kill $pid
