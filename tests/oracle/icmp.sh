#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# icmp.sh - two network namespaces of a guest send each other ICMP messages of every kind during a
# run.
. /script/guest.sh

# send_all PEER [COMMAND...] - sends through the command, which enters another namespace
send_all() {
	peer=$1
	shift
	"$@" ping -q -i 0.02 -c 60 "$peer" >/dev/null &
	"$@" ping -q -i 0.05 -c 20 -s 4000 "$peer" >/dev/null &
	"$@" ping -q -i 0.02 -c 60 127.0.0.1 >/dev/null &
	"$@" icmp "$peer" 50 &
}

if [ "${1:-}" = load ]; then
	send_all 10.88.0.2
	send_all 10.88.0.1 nsenter -t "$2" -n
	ping -q -i 0.05 -c 20 10.99.0.254 >/dev/null &
	load 1
	wait
	exit
fi

other_namespace
# Answer all errors at once, without the limit per second.
echo 0 >/proc/sys/net/ipv4/icmp_ratelimit
nsenter -t $inside -n sh -c 'echo 0 >/proc/sys/net/ipv4/icmp_ratelimit; ip link set lo up'
make_disk
start_logd
window "$OUT" "$0" load $inside
stop_logd
cp $log/*.evl "$OUT"
evtlog check "$OUT"/*.evl >"$OUT/check.txt" || die "evtlog check: $(cat "$OUT/check.txt")"
