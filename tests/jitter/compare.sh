#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# compare.sh SECONDS - the same guest measured several times, and once beside a daemon.
. /script/guest.sh
. /script/noise.sh
seconds=$1

# measure NAME
measure() {
	sleep 0.2
	evtlog jitter run -o "/tmp/$1" --cpus 0 --no-baseline --duration "${seconds}s" \
		>/tmp/said 2>&1 || die "$1: evtlog jitter run: $? $(cat /tmp/said)"
}

# The first meets what has never run before.
measure first
measure one
measure two
measure three
daemon upstart 0 $(($(now_ns) + 1000000000)) 250000 500 1000 >/tmp/upstart &
pid=$!
measure daemon
kill $pid
wait $pid || die "the daemon: $?"
# Not before: while the host's files are waited for, counted time runs ahead.
cp -r /tmp/one /tmp/two /tmp/three /tmp/daemon /tmp/upstart "$OUT/"
