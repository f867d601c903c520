#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nodes.sh - node 1 sends datagrams and then a TCP stream to node 2, which reads them; some
# datagrams go to a port without a socket. Both ping each other, which relates their clocks.
. /script/guest.sh
peer=10.99.0.$((3 - NODE))

await_host "$peer"
# BTF may describe only a part of the kernel.
evtlog path add --offsets /script/offsets udp tcp || die "path add"
if [ "$NODE" = 2 ]; then
	traffic receive 7001 1000 4000000 >/tmp/received &
	reader=$!
	traffic sink 7005 1000 >/tmp/stream &
	sink=$!
fi
start_logd
echo 1 >$evtlog/enable
ping -q -i 0.05 "$peer" >/dev/null &
pinging=$!
if [ "$NODE" = 1 ]; then
	sleep 1
	traffic send "$peer" 7001 500 100 200
	# The receiver's driver has only the headers of these packets in the linear part.
	traffic send "$peer" 7001 500 1371 200
	traffic send "$peer" 7003 100 50 1000
	traffic stream "$peer" 7005 20 3000 || die "the stream"
else
	wait $reader
	cat /tmp/received
	wait $sink
	cat /tmp/stream
	grep -q '^60000 bytes' /tmp/stream || die "the stream is not what was sent"
fi
# Wait for the other node's answers.
sleep 1
echo 0 >$evtlog/enable
stop_logd
kill $pinging
grep ^Udp /proc/net/snmp >"$OUT/snmp"
cp $log/*.evl "$OUT/node$NODE.evl"
# The other node may still wait for an answer.
sleep 2
