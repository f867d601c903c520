#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# strangers.sh - samples and logs that do not belong together, or to whom asks.
. /script/guest.sh

# refuses MESSAGE COMMAND... - with status 1, in one line
refuses() {
	message=$1 status=0
	shift
	"$@" >/tmp/printed 2>/tmp/said || status=$?
	cat /tmp/said
	[ $status = 1 ] || die "$status, not 1: $*"
	grep -q "$message" /tmp/said || die "does not tell: $message"
	[ "$(wc -l </tmp/said)" = 1 ] || die "says too much"
	[ ! -s /tmp/printed ] || die "printed something: $*"
}

# What it finds is no matter: the threshold is one that the loop keeps on a busy host, too.
run() {
	evtlog jitter run -o "/tmp/$1" --duration 300ms --no-baseline --threshold 100us >"$OUT/run.txt" 2>&1 ||
		die "evtlog jitter run: $? $(cat "$OUT/run.txt")"
}

run one
run two
evtlog jitter report /tmp/two >/dev/null || die "its own samples: $?"
refuses 'the samples are of run 1, the log is of run 2' \
	evtlog jitter report --samples /tmp/one/logged.samples /tmp/two/*.evl
refuses 'Permission denied' without uid 65534 -- evtlog jitter report /tmp/one
chmod 755 /tmp/one
refuses 'Permission denied' without uid 65534 -- evtlog jitter report /tmp/one

# What is logged by default does not tell what interrupted anybody.
start_logd
echo 1 >$evtlog/enable
sleep 0.2
echo 0 >$evtlog/enable
stop_logd
refuses 'record with --events=+user' evtlog jitter report --task 1 $log/*.evl
refuses 'the samples are of run 1, the log is of run 3' \
	evtlog jitter report --samples /tmp/one/logged.samples $log/*.evl
cp -r /tmp/one "$OUT"
