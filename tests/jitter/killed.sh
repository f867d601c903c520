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
# Every process of it is killed at once: no other is left to set things back.
kill_all() {
	# shellcheck disable=SC2046 - words
	kill -KILL $(pidof evtlog)
	wait $pid || true
}
start evtlog jitter run --threshold 100us -o gone --duration 60s --no-baseline -b 8
[ "$(cat $evtlog/buffers)" = 8 ] || die "not its buffers"
kill_all
until_true 60 is_as_before || die "killed: not as it was: $(settings)"
[ "$(ls gone)" = node1-3.evl ] || die "killed: left $(ls gone)"
evtlog check -q gone/node1-3.evl || die "killed: its log: $?"

start evtlog record -o record.evl -e all -b 8 -- sleep 60
kill_all
until_true 60 is_as_before || die "record: not as it was: $(settings)"
says_where() {
	grep -q '^logd: /tmp/node1-4.evl: run 4 complete' said
}
until_true 60 says_where || die "record: nothing is said of its file: $(cat said)"
evtlog check -q node1-4.evl || die "record: its log: $?"

# The logger is another's, and stays; the run ends.
start_logd
before="$(settings)"
start evtlog jitter run --threshold 100us -o others --duration 60s --no-baseline
kill_all
until_true 60 is_as_before || die "others: not as it was: $(settings)"
stop_logd
evtlog check -q $log/node1-5.evl || die "others: its log: $?"
[ -z "$(ls others)" ] || die "others: left $(ls others)"

# Nobody is left of all that.
if ps | grep -q '[ /]evtlog '; then
	ps
	die "somebody is left"
fi

# ---- The kernel's file, by hand ----

# order ERROR FILE TEXT... - a line of each, written to the session
order() {
	expected=$1
	shift
	got=0
	printf '%s\n' "$@" | dd bs=64k 2>/tmp/dd >&9 || got=$(sed -n 's/.*: //p' /tmp/dd)
	[ "$got" = "$expected" ] || die "order $*: $got"
}
session() {
	exec 9>$evtlog/session
}
end_session() {
	exec 9>&-
	until_true 20 is_as_before || die "session: not as it was: $(settings)"
}
before="$(settings)" had=$(cat $evtlog/buffers)
session
order 'Invalid argument' 'buffers 8'
order 'No such file or directory' 'status x' 'undo x'
order 'No such file or directory' 'nonesuch x' 'undo x'
order 'No data available' undo
order 'Invalid argument' 'buffers eight' "undo $had"
order 'No data available' keep
order 'Argument list too long' events "undo $(printf %4096s | tr ' ' x)"
# The newest is undone first.
order 0 'buffers 8' "undo $had"
order 0 'buffers 16' 'undo 8'
order 0 undo
[ "$(cat $evtlog/buffers)" = 8 ] || die "undone: $(cat $evtlog/buffers)"
order 0 'buffers 16' 'undo 5'
order 0 keep
[ "$(cat $evtlog/buffers)" = 16 ] || die "kept: $(cat $evtlog/buffers)"
# Without a text: nothing is written now.
order 0 events "undo $(cat $evtlog/events)"
echo -all >$evtlog/events
for i in $(seq 62); do
	order 0 'events' 'undo -all'
done
order 'No space left on device' 'buffers 8' "undo $had"
end_session

# It is closed with its last descriptor, and until the buffers are free it tries again.
session
order 0 'buffers 8' "undo $had"
exec 8>&9
start_logd
exec 9>&-
sleep 0.3
[ "$(cat $evtlog/buffers)" = 8 ] || die "closed: $(cat $evtlog/buffers)"
exec 8>&-
sleep 0.3
[ "$(cat $evtlog/buffers)" = 8 ] || die "not by logd's buffers: $(cat $evtlog/buffers)"
stop_logd
end_session

# What another has taken away is no reason to leave the rest; a process that has ended is none to leave a tree.
sleep 60 &
session
order 0 'named/control +mine' 'undo -mine'
order 0 "probes +>mine vfs_read()
+>mine vfs_write()" 'undo -vfs_read
-vfs_write'
order 0 "run_tree $!" 'undo 99999' 'else all'
echo -vfs_read >$evtlog/probes
kill $!
end_session
is_clean() {
	[ "$(cat $evtlog/run_tree $evtlog/trees $evtlog/probes $evtlog/named/control)" = all ]
}
until_true 20 is_clean || die "left: $(cat $evtlog/run_tree $evtlog/trees $evtlog/probes $evtlog/named/control)"

# What is undone later is still undone before what is older: here until another buffer leaves the type.
echo '+other events=icmp_tx' >$evtlog/named/control
session
order 0 named/control 'undo -mine'
order 0 named/control 'undo +mine events=icmp_tx'
exec 9>&-
sleep 0.3
echo -other >$evtlog/named/control
sleep 0.5
is_clean || die "in a wrong order: $(cat $evtlog/named/control)"
