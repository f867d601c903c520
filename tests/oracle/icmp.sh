#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# icmp.sh - two guests send each other ICMP messages of every kind while each logs.
. /script/guest.sh
peer=10.99.0.$((3 - NODE))

# barrier PORT - goes on when the other guest has come here, too
barrier() {
	nc -l -p "$1" </dev/null >/dev/null &
	listener=$!
	until nc -w 1 "$peer" "$1" </dev/null >/dev/null 2>&1; do
		sleep 0.1
	done
	wait $listener
}

if [ "${1:-}" = load ]; then
	barrier 7001
	ping -q -i 0.05 -c 60 "$peer" >/dev/null &
	ping -q -i 0.1 -c 20 -s 4000 "$peer" >/dev/null &
	ping -q -i 0.02 -c 60 127.0.0.1 >/dev/null &
	icmp "$peer" 50 &
	unshare -n sh -c 'ip link set lo up && ping -q -i 0.05 -c 40 127.0.0.1' >/dev/null &
	load 3
	wait
	barrier 7002
	exit
fi

await_host "$peer"
# Errors are answered to everyone at once here, not some a second.
echo 0 >/proc/sys/net/ipv4/icmp_ratelimit
make_disk
start_logd
window "$OUT" "$0" load
stop_logd
cp $log/*.evl "$OUT"
evtlog check "$OUT"/*.evl >"$OUT/check.txt" || die "evtlog check: $(cat "$OUT/check.txt")"
