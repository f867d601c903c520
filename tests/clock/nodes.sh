#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nodes.sh SECONDS - each guest logs while it pings the other ten times a second; node 2
# has somebody with node 1's address, in a network namespace of his own.
. /script/guest.sh
peer=10.99.0.$((3 - NODE))

await_host "$peer"
start_logd
echo 1 >$evtlog/enable
if [ "$NODE" = 2 ]; then
	unshare -n sh -c "ip link set lo up; ip addr add $peer/32 dev lo
		ping -q -i 0.5 -c $((2 * $1)) $peer" >"$OUT/false.txt" &
fi
ping -q -i 0.1 -c $((10 * $1)) "$peer" >"$OUT/ping.txt"
# The other may still wait for an answer.
sleep 2
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT"
