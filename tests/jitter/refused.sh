#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Whoever can't measure is told why, in one line, and finds nothing changed.
. /script/guest.sh

echo "@@ 6 echo all icmprx evtlogevents" >&2
echo "-all +icmp_rx" >$evtlog/events
before="$(settings)"
cd /tmp

echo "@@ 10  ends STATUS COMMAND... what it said is in said" >&2
# ends STATUS COMMAND...; what it said is in said
ends() {
	wanted=$1
	shift
	got=0
	"$@" >printed 2>said || got=$?
	cat said
	[ $got -eq "$wanted" ] || die "exit $got instead of $wanted: $*"
}

echo "@@ 20  refuses STATUS MESSAGE COMMAND..." >&2
# refuses STATUS MESSAGE COMMAND...
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
refuses 2 'needs --method fwq' $run --work 1ms
refuses 2 'needs --method ftq' $run --quantum 1ms --method fwq
refuses 2 'shorter than one sample' $run --method fwq --work 1s
refuses 2 'threshold: 0us: not a valid value; give a time from' $run --threshold 0us
refuses 2 'duration: 1us: not a valid value; give a time from' $run --duration 1us
refuses 2 'rt: 100: not a valid value; give a number from 1 to 99' $run --rt 100
refuses 2 'not a list of CPUs' $run --cpus 1-
refuses 2 'not an option' $run somewhere
refuses 1 'CPU 5 is not online: online are 0-1' $run --cpus 0,5
refuses 1 'not for this process.*may run on 0$' taskset 1 $run --cpus 1
echo "@@ 47 echo 0 sysdevicessystemcpucpu1online" >&2
echo 0 >/sys/devices/system/cpu/cpu1/online
refuses 1 'CPU 1 is not online: online are 0$' $run --cpus 1
echo "@@ 49 echo 1 sysdevicessystemcpucpu1online" >&2
echo 1 >/sys/devices/system/cpu/cpu1/online
refuses 1 'this needs root' without uid 65534 -- $run
CAP_SYS_ADMIN=21
refuses 1 'CAP_SYS_ADMIN' without $CAP_SYS_ADMIN -- $run
refuses 1 'threshold 1ns: too low for CPU [01]: there the loop itself takes [0-9]* ns per iteration' \
	$run --threshold 1ns
refuses 1 'quantum 1000ns: too short for CPU [01]' $run --method ftq --quantum 1us
refuses 1 'do not fit into memory' $run --method fwq --work 10us --duration 24h
mkdir full
touch full/file
refuses 1 'full: is not empty' evtlog jitter run -o full
refuses 1 'full/file: ' evtlog jitter run -o full/file
mkdir sealed
mount -t tmpfs -o ro none sealed
refuses 1 'sealed: Read-only file system' evtlog jitter run -o sealed --duration 1s
umount sealed
refuses 1 'none/new: No such file' evtlog jitter run -o none/new
refuses 1 '/tmp/none: No such file' $run --logd /tmp/none

echo "@@ 68  One at a time, also while the other has not begun to log." >&2
# One at a time, also while the other has not begun to log.
echo "@@ 69 evtlog jitter run o first duration 60s devnull 21 " >&2
evtlog jitter run -o first --duration 60s >/dev/null 2>&1 &
first=$!
echo "@@ 71 untiltrue 60 test d first  die the first does not begin" >&2
until_true 60 test -d first || die "the first does not begin"
refuses 1 'another evtlog jitter run is measuring' $run
kill $first
wait $first || true
refuses 1 'threshold 1ns: too low' $run --threshold 1ns
rm -rf first

echo "@@ 78  A kernel with less to log, and one that is not to be asked" >&2
# A kernel with less to log, and one that is not to be asked
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

echo "@@ 90  A run under way is somebodys." >&2
# A run under way is somebody's.
echo "@@ 91 startlogd" >&2
start_logd
echo "@@ 92 evtlog start devnull" >&2
evtlog start >/dev/null
before="$(settings)"
refuses 1 'is already being recorded' $run
echo "@@ 95 evtlog stop devnull" >&2
evtlog stop >/dev/null

echo "@@ 97  His loggers file is brought here of a name, and where no" >&2
# His logger's file is brought here; of a name, and where no name is wanted.
ends 0 evtlog jitter run --duration 200ms --no-baseline --json
[ -s jitter-node1-2/node1-2.evl ] && [ -s jitter-node1-2/logged.samples ] || die "not brought"
echo "@@ 100 evtlog check q jitternode12node12.evl" >&2
evtlog check -q jitter-node1-2/node1-2.evl
mkdir small
mount -t tmpfs -o size=8m small small
ends 0 evtlog jitter run -o small/run --duration 200ms --no-baseline --json
echo "@@ 104 evtlog check q smallrunnode13.evl" >&2
evtlog check -q small/run/node1-3.evl
echo "@@ 105 stoplogd" >&2
stop_logd

echo "@@ 107  No room said, and all is as it was." >&2
# No room: said, and all is as it was.
echo "@@ 108 echo all icmprx evtlogevents" >&2
echo "-all +icmp_rx" >$evtlog/events
before="$(settings)"
dd if=/dev/zero of=small/zero bs=64k 2>/dev/null || true
ends 1 evtlog jitter run -o small/more --duration 200ms -t 3
grep -q 'unlogged.samples: No space left' said || die "does not tell of the full disk"
[ "$(settings)" = "$before" ] || die "full: something is changed"
[ ! -e small/more ] || die "full: something is left"
