#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sched-inherit.sh ROUNDS - boosts one of two groups that compete for mutexes with priority
# inheritance, for different times. Afterwards all tasks have their previous priority.
. /script/sched-guest.sh
above 55 "$@"
set_key 1 $key
: >/tmp/fight
inherit >/tmp/fight &
until grep -q . /tmp/fight; do
	sleep 0.1
done
one=$(cat /tmp/fight)
policies "$one" >/tmp/before
boosted=$(status_of boost_boosted)
age_key
kill -USR1 "$one"
for round in $(seq "$1"); do
	boost 0 $pgid "$one" $((round * 7919 % 31 + 1))000000
	[ $((round % 3)) = 0 ] || await 60 ended
done
kill -USR1 "$one"
fought() {
	grep -q ^turns /tmp/fight
}
await 60 fought
await 60 ended
grep ^turns /tmp/fight
policies "$one" >/tmp/now
same /tmp/before /tmp/now "somebody kept a priority"
grep -q 'broken 0$' /tmp/fight || die "two held a mutex at once"
! grep -q 'contended 0 ' /tmp/fight || die "nobody fought"
# On a slow machine, a short boost ends before all six tasks have been boosted.
boosted=$(($(status_of boost_boosted) - boosted))
[ "$boosted" -gt "$1" ] || die "$boosted were boosted"
grep ^boost $evtlog/status
