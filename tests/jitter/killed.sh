#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# killed.sh - ends evtlog jitter run and evtlog record in the middle, with signals that they can
# catch and with SIGKILL. The threshold is high, because the samples do not matter.
. /script/guest.sh

echo "-all +icmp_rx" >$evtlog/events
before="$(settings)"
cd /tmp

is_as_before() {
	[ "$(settings)" = "$before" ]
}

# start COMMAND... - starts COMMAND and waits until it records
start() {
	"$@" >printed 2>said &
	pid=$!
	until_true 60 is_recording || die "$*: does not record: $(cat said)"
	sleep 0.3
}

# A signal during the recording: it ends early, and its files are complete.
for signal in HUP TERM; do
	start evtlog jitter run --threshold 100us -o $signal --duration 60s --no-baseline --buffers 8 --json
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

# A signal before the recording: only unlogged.samples is there.
evtlog jitter run --threshold 100us -o early --duration 60s >printed 2>said &
pid=$!
# After more than a second on each CPU, it measures.
until_true 60 has_had $pid 300 || die "early: does not measure: $(cat said)"
kill -TERM $pid
got=0
wait $pid || got=$?
[ $got = 1 ] || die "early: exit $got: $(cat said)"
grep -q 'before the phase with logging' said || die "early: not told"
[ "$(ls early)" = unlogged.samples ] || die "early: $(ls early)"
is_as_before || die "early: not as it was"
cp -r early "$OUT"

# SIGKILL of all its processes: no half-written files, a complete log, and all settings restored.
# No process of its own is left to restore them.
kill_all() {
	# shellcheck disable=SC2046 - words
	kill -KILL $(pidof evtlog)
	wait $pid || true
}
start evtlog jitter run --threshold 100us -o gone --duration 60s --no-baseline --buffers 8
[ "$(cat $evtlog/buffers)" = 8 ] || die "not its buffers"
kill_all
until_true 60 is_as_before || die "killed: not as it was: $(settings)"
[ "$(ls gone)" = node1-3.evl ] || die "killed: left $(ls gone)"
evtlog check -q gone/node1-3.evl || die "killed: its log: $?"

start evtlog record -o record.evl -e all --buffers 8 -- sleep 60
kill_all
until_true 60 is_as_before || die "record: not as it was: $(settings)"
says_where() {
	grep -q '^logd: /tmp/node1-4.evl: run 4 complete' said
}
until_true 60 says_where || die "record: nothing is said of its file: $(cat said)"
evtlog check -q node1-4.evl || die "record: its log: $?"

# With another logger: the logger stays, and the run ends.
start_logd
before="$(settings)"
start evtlog jitter run --threshold 100us -o others --duration 60s --no-baseline
kill_all
until_true 60 is_as_before || die "others: not as it was: $(settings)"
stop_logd
evtlog check -q $log/node1-5.evl || die "others: its log: $?"
[ -z "$(ls others)" ] || die "others: left $(ls others)"

# No process is left.
if ps | grep -q '[ /]evtlog '; then
	ps
	die "somebody is left"
fi

# ---- The kernel's file, by hand ----

# order ERROR FILE TEXT... - writes these lines to the session; ERROR is 0 or the expected error
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
# Without TEXT, only the undo is stored.
order 0 events "undo $(cat $evtlog/events)"
echo -all >$evtlog/events
for i in $(seq 62); do
	order 0 'events' 'undo -all'
done
order 'No space left on device' 'buffers 8' "undo $had"
end_session

# The session ends with its last descriptor. It retries until the buffers are free.
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

# The undo continues if a probe is already removed. If the process of a tree has ended, it writes
# 'else'.
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

# An undo that must wait delays the older ones: here, until another buffer leaves the event type.
echo '+other events=icmp_tx' >$evtlog/named/control
session
order 0 named/control 'undo -mine'
order 0 named/control 'undo +mine events=icmp_tx'
exec 9>&-
sleep 0.3
echo -other >$evtlog/named/control
sleep 0.5
is_clean || die "in a wrong order: $(cat $evtlog/named/control)"
