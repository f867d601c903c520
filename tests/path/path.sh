#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# path.sh - sends datagrams between two network namespaces. They are read, or dropped because there
# is no room or no socket. Saves the kernel's counters.
. /script/guest.sh

other_namespace
there() {
	nsenter -t $inside -n "$@"
}
# snmp FILE NAME - prints a column of the lines "Udp:"
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

# Wrong calls of path add
! evtlog path add 2>/tmp/said || die "add of nothing"
grep -q 'udp, tcp, icmp, or several' /tmp/said || die "$(cat /tmp/said)"
! evtlog path add sctp 2>/tmp/said || die "add of sctp"
if [ ! -e /sys/kernel/btf/vmlinux ]; then
	! evtlog path add udp 2>/tmp/said || die "without BTF"
	grep -q 'no BTF.*--offsets' /tmp/said || die "$(cat /tmp/said)"
fi
echo "sk_buff.len 112" >/tmp/few
! evtlog path add --offsets /tmp/few udp 2>/tmp/said || die "three offsets are missing"
grep -q '/tmp/few: .*sk_buff.len' /tmp/said || die "$(cat /tmp/said)"

offsets="--offsets /script/offsets"
if [ -e /sys/kernel/btf/vmlinux ]; then
	# BTF and the file of offsets give the same probes.
	evtlog path add --show udp >/tmp/btf || die "--show"
	evtlog path add --show $offsets udp | cmp - /tmp/btf || die "BTF tells something else"
	offsets=
fi
evtlog path add $offsets udp || die "path add"
# Adding probes again is no error.
evtlog path add $offsets udp || die "path add, again"
evtlog probe list

there traffic receive 7001 2000 4000000 >/tmp/received &
reader=$!
there traffic full 7002 20000 >/tmp/full &
full=$!
await 10 grep -q ready /tmp/received
await 10 grep -q ready /tmp/full

counts >"$OUT/before"
date +%s >"$OUT/begin"
start_logd
echo 1 >$evtlog/enable
traffic send 10.88.0.2 7001 2000 100 &
sender=$!
wait $sender
traffic send 10.88.0.2 7002 300 700
traffic send 10.88.0.2 7003 150 50 1000
wait $reader
kill -USR1 $(pidof traffic)
wait $full
echo 0 >$evtlog/enable
stop_logd
counts >"$OUT/after"
date +%s >"$OUT/end"
echo "sender $sender" >"$OUT/pids"
cat /tmp/received /tmp/full
# The host that recorded the log can also show it.
evtlog path --packets=1 $log/*.evl
evtlog path del || die "path del"
[ -z "$(cat $evtlog/probes)" ] || die "some are left: $(cat $evtlog/probes)"
kill $inside
cp $log/*.evl "$OUT/path.evl"
