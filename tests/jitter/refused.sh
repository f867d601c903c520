#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# refused.sh - if evtlog jitter run can't measure, it prints the reason in one line and changes
# nothing.
. /script/guest.sh

echo "-all +icmp_rx" >$evtlog/events
before="$(settings)"
cd /tmp

# ends STATUS COMMAND... - COMMAND must exit with STATUS; the file said has its stderr
ends() {
	wanted=$1
	shift
	got=0
	"$@" >printed 2>said || got=$?
	cat said
	[ $got -eq "$wanted" ] || die "exit $got instead of $wanted: $*"
}

# refuses STATUS MESSAGE COMMAND... - COMMAND must exit with STATUS, print MESSAGE and change
# nothing
refuses() {
	status=$1 message=$2
	shift 2
	ends "$status" "$@"
	grep -q "$message" said || die "$*: does not tell: $message"
	lines=1
	[ "$status" = 1 ] || lines=2
	[ "$(wc -l <said)" = $lines ] || die "$*: says too much"
	[ ! -s printed ] || die "$*: printed something"
	[ "$(settings)" = "$before" ] || die "$*: something is changed"
	[ ! -e new ] || die "$*: left a directory"
}
run="evtlog jitter run -o new --duration 200ms"

refuses 2 "no such command; did you mean 'run'" evtlog jitter rum
refuses 2 'give detour, fwq or ftq' $run --method loops
refuses 2 'needs --method fwq or ftq' $run --quantum 1ms
refuses 2 'needs at least 10us' $run --quantum 9us --method fwq
refuses 2 'shorter than one sample' $run --method fwq --quantum 1s
refuses 2 'threshold: 0us: not a valid value; give a time from' $run --threshold 0us
refuses 2 'duration: 1us: not a valid value; give a time from' $run --duration 1us
refuses 2 'rt: 100: not a valid value; give a number from 1 to 99' $run --rt 100
refuses 2 'not a list of CPUs' $run --cpus 1-
refuses 2 'not an option' $run somewhere
refuses 1 'CPU 5 is not online: online are 0-1' $run --cpus 0,5
refuses 1 'CPU 1 .*may run on 0$' taskset 1 $run --cpus 1
echo 0 >/sys/devices/system/cpu/cpu1/online
refuses 1 'CPU 1 is not online: online are 0$' $run --cpus 1
echo 1 >/sys/devices/system/cpu/cpu1/online
refuses 1 'this needs root' without uid 65534 -- $run
CAP_SYS_ADMIN=21
refuses 1 'CAP_SYS_ADMIN' without $CAP_SYS_ADMIN -- $run
refuses 1 'threshold 1ns: too low for CPU [01]: there the loop itself takes [0-9]* ns per iteration' \
	$run --threshold 1ns
refuses 1 'quantum 1000ns: too short for CPU [01]' $run --method ftq --quantum 1us
refuses 1 'do not fit into memory' $run --method fwq --quantum 10us --duration 24h
mkdir full
touch full/file
refuses 1 'full: is not empty' evtlog jitter run -o full
refuses 1 'full/file: ' evtlog jitter run -o full/file
mkdir sealed
mount -t tmpfs -o ro none sealed
refuses 1 'sealed: Read-only file system' evtlog jitter run -o sealed --duration 1s
umount sealed
refuses 1 'none/new: No such file' evtlog jitter run -o none/new
export EVTLOG_LOGD=/tmp/none
refuses 1 '/tmp/none: No such file' $run
unset EVTLOG_LOGD

# Only one at a time, even if the first has not begun to log
evtlog jitter run -o first --duration 60s >/dev/null 2>&1 &
first=$!
until_true 60 test -d first || die "the first does not begin"
refuses 1 'another evtlog jitter run is measuring' $run
kill $first
wait $first || true
refuses 1 'threshold 1ns: too low' $run --threshold 1ns
rm -rf first

# A kernel with fewer events, and a kernel without evtlog
grep -v 'user_\|exception' $evtlog/events >old
mount --bind old $evtlog/events
ends 1 $run
grep -q 'has no user_exit event' said || die "does not tell of old events"
umount $evtlog/events
mkdir empty
mount --bind empty $evtlog
ends 1 $run
grep -q 'no evtlog: boot a patched kernel' said || die "does not tell of no evtlog"
umount $evtlog

# Another run is being recorded.
start_logd
evtlog start >/dev/null
before="$(settings)"
refuses 1 'is already being recorded' $run
evtlog stop >/dev/null

# The file of another logger is copied, to a directory named for the run and to a given directory.
ends 0 evtlog jitter run --duration 200ms --no-baseline --json
[ -s jitter-node1-2/node1-2.evl ] && [ -s jitter-node1-2/logged.samples ] || die "not brought"
evtlog check -q jitter-node1-2/node1-2.evl
mkdir small
mount -t tmpfs -o size=8m small small
ends 0 evtlog jitter run -o small/run --duration 200ms --no-baseline --json
evtlog check -q small/run/node1-3.evl
stop_logd

# A full disk is reported, and all settings are restored.
echo "-all +icmp_rx" >$evtlog/events
before="$(settings)"
dd if=/dev/zero of=small/zero bs=64k 2>/dev/null || true
ends 1 evtlog jitter run -o small/more --duration 50ms
grep -q 'unlogged.samples: No space left' said || die "does not tell of the full disk"
[ "$(settings)" = "$before" ] || die "full: something is changed"
[ ! -e small/more ] || die "full: something is left"
