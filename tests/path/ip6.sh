#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ip6.sh - sends datagrams, a stream and echoes over IPv6 between two network namespaces. Datagrams
# are read, or dropped because there is no socket. Saves the kernel's counters.
. /script/guest.sh

[ -e /proc/net/if_inet6 ] || die "the kernel has no IPv6"
other_namespace
there() {
	nsenter -t $inside -n "$@"
}
ip addr add fd00:88::1/64 dev veth0 || die "an address"
there ip addr add fd00:88::2/64 dev veth1 || die "an address"
await 10 ping -6 -c 1 -W 1 fd00:88::2

evtlog path add --offsets /script/offsets udp tcp icmp || die "path add"
there traffic receive 7001 1000 4000000 >/tmp/received &
reader=$!
there traffic sink 7005 1000 >/tmp/stream &
sink=$!
await 10 grep -q ready /tmp/received
await 10 grep -q ready /tmp/stream

cp /proc/net/snmp6 "$OUT/here.before"
cp /proc/$inside/net/snmp6 "$OUT/there.before"
start_logd
echo 1 >$evtlog/enable
traffic send fd00:88::2 7001 1000 100 || die "datagrams"
traffic send fd00:88::2 7003 100 50 1000 || die "datagrams that nobody reads"
traffic stream fd00:88::2 7005 20 3000 || die "the stream"
ping -6 -c 5 -i 0.1 fd00:88::2 || die "echoes"
wait $reader
wait $sink
echo 0 >$evtlog/enable
stop_logd
cp /proc/net/snmp6 "$OUT/here.after"
cp /proc/$inside/net/snmp6 "$OUT/there.after"
cat /tmp/received /tmp/stream
grep -q '^60000 bytes' /tmp/stream || die "the stream is not what was sent"
evtlog path del || die "path del"
kill $inside
cp $log/*.evl "$OUT/path.evl"
