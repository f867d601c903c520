#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# compare.sh SECONDS - measures the same guest several times, and once with a daemon.
. /script/guest.sh
. /script/noise.sh
seconds=$1

# measure NAME - writes a recording to /tmp/NAME
measure() {
	sleep 0.2
	evtlog jitter run -o "/tmp/$1" --cpus 0 --no-baseline --duration "${seconds}s" \
		>/tmp/said 2>&1 || die "$1: evtlog jitter run: $? $(cat /tmp/said)"
}

# The first recording is not used: it contains what runs only once.
measure first
measure one
measure two
measure three
daemon upstart 0 $(($(now_ns) + 1000000000)) 250000 500 1000 >/tmp/upstart &
pid=$!
measure daemon
kill $pid
wait $pid || die "the daemon: $?"
# Copied at the end, because counted time runs ahead while the guest waits for the host's files.
cp -r /tmp/one /tmp/two /tmp/three /tmp/daemon /tmp/upstart "$OUT/"
