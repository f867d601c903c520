#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Ends evtlog jitter run, and evtlog record, half-way, in order and not.
# What it finds is no matter: the threshold is one that the loop keeps on a busy host, too.
. /script/guest.sh

echo "-all +icmp_rx" >$evtlog/events
before="$(settings)"
cd /tmp

is_as_before() {
	[ "$(settings)" = "$before" ]
}

# start COMMAND... - in the background, until it records
start() {
	"$@" >printed 2>said &
	pid=$!
	until_true 60 is_recording || die "$*: does not record: $(cat said)"
	sleep 0.3
}

# A signal while it records: over early, and all there.
for signal in HUP TERM; do
	start evtlog jitter run --threshold 100us -o $signal --duration 60s --no-baseline -b 8 --json
	await_cpu $pid 60
	kill -$signal $pid
	got=0
	wait $pid || got=$?
	[ $got = 0 ] || die "$signal: exit $got: $(cat said)"
	is_as_before || die "$signal: not as it was: $(settings)"
	grep -q '"interrupted": true' printed || die "$signal: not told"
	evtlog check -q $signal/*.evl || die "$signal: its log: $?"
	cp -r $signal "$OUT"
done

# Before anything is recorded: only that is there.
evtlog jitter run --threshold 100us -o early --duration 60s >printed 2>said &
pid=$!
# A second and more on each CPU: it is measuring, no more getting ready.
until_true 60 has_had $pid 300 || die "early: does not measure: $(cat said)"
kill -TERM $pid
got=0
wait $pid || got=$?
[ $got = 1 ] || die "early: exit $got: $(cat said)"
grep -q 'before anything was logged' said || die "early: not told"
[ "$(ls early)" = unlogged.samples ] || die "early: $(ls early)"
is_as_before || die "early: not as it was"
cp -r early "$OUT"

# Without a word: nothing half-written, a whole log, and all as it was.
start evtlog jitter run --threshold 100us -o gone --duration 60s --no-baseline -b 8
[ "$(cat $evtlog/buffers)" = 8 ] || die "not its buffers"
kill -KILL $pid
wait $pid || true
until_true 60 is_as_before || die "killed: not as it was: $(settings)"
[ "$(ls gone)" = node1-3.evl ] || die "killed: left $(ls gone)"
evtlog check -q gone/node1-3.evl || die "killed: its log: $?"

start evtlog record -o record.evl -e all -b 8 -- sleep 60
kill -KILL $pid
wait $pid || true
until_true 60 is_as_before || die "record: not as it was: $(settings)"
says_where() {
	grep -q 'record.evl: evtlog was killed .* run 4 is in \./node1-4.evl$' said
}
until_true 60 says_where || die "record: nothing is said of its file: $(cat said)"
evtlog check -q node1-4.evl || die "record: its log: $?"

# The logger is another's, and stays; the run ends.
start_logd
before="$(settings)"
start evtlog jitter run --threshold 100us -o others --duration 60s --no-baseline
kill -KILL $pid
wait $pid || true
until_true 60 is_as_before || die "others: not as it was: $(settings)"
stop_logd
evtlog check -q $log/node1-5.evl || die "others: its log: $?"
[ -z "$(ls others)" ] || die "others: left $(ls others)"

# Nobody is left of all that.
if ps | grep -q '[ /]evtlog '; then
	ps
	die "somebody is left"
fi
