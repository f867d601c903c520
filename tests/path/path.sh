#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# path.sh - datagrams between two network namespaces: read, and dropped for want of room and of
# a socket.  What the kernel counts of them is left as numbers.
. /script/guest.sh

unshare -n sleep 3600 &
inside=$!
sleep 0.5
ip link add type veth
ip link set veth1 netns $inside
ip addr add 10.88.0.1/24 dev veth0
ip link set veth0 up
nsenter -t $inside -n ip addr add 10.88.0.2/24 dev veth1
nsenter -t $inside -n ip link set veth1 up
await_host 10.88.0.2
there() {
	nsenter -t $inside -n "$@"
}
# udp_count NAME - of this namespace, or `there`: a column of Udp: in /proc/net/snmp
snmp() {
	awk -v name="$2" '/^Udp:/ { if (!at) { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		else print $at }' "$1"
}
counts() {
	echo "OutDatagrams $(snmp /proc/net/snmp OutDatagrams)"
	for name in InDatagrams NoPorts RcvbufErrors InErrors; do
		echo "$name $(snmp /proc/$inside/net/snmp $name)"
	done
}

# What is no order for probes
! evtlog path add 2>/tmp/said || die "add of nothing"
grep -q 'udp, tcp or both' /tmp/said || die "$(cat /tmp/said)"
! evtlog path add icmp 2>/tmp/said || die "add of icmp"
if [ ! -e /sys/kernel/btf/vmlinux ]; then
	! evtlog path add udp 2>/tmp/said || die "without BTF"
	grep -q 'no BTF.*--offsets' /tmp/said || die "$(cat /tmp/said)"
fi
echo "sk_buff.len 112" >/tmp/few
! evtlog path add --offsets /tmp/few udp 2>/tmp/said || die "two offsets are missing"
grep -q '/tmp/few: lines sk_buff.len' /tmp/said || die "$(cat /tmp/said)"

evtlog path add --offsets /script/offsets udp || die "path add"
# Once more is no mistake
evtlog path add --offsets /script/offsets udp || die "path add, again"
evtlog probe list

there udp receive 7001 2000 4000000 >/tmp/received &
reader=$!
there udp full 7002 20000 >/tmp/full &
full=$!
await 10 grep -q ready /tmp/received
await 10 grep -q ready /tmp/full

counts >"$OUT/before"
start_logd
echo 1 >$evtlog/enable
# So slowly that the reader comes along, in part
udp send 10.88.0.2 7001 2000 100
udp send 10.88.0.2 7002 300 700
udp send 10.88.0.2 7003 150 50 1000
wait $reader
pid=$(there pidof udp) && kill -USR1 $pid
wait $full
echo 0 >$evtlog/enable
stop_logd
counts >"$OUT/after"
evtlog probe list --json >"$OUT/probes.json"
cat /tmp/received /tmp/full
evtlog path del || die "path del"
[ -z "$(cat $evtlog/probes)" ] || die "some are left: $(cat $evtlog/probes)"
kill $inside
cp $log/*.evl "$OUT/path.evl"
