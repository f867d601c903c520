#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# pcap.sh - uses probes with pcap expressions at places where a packet's data begin differently, and
# one without that records the packets' bytes; tries programs that are refused
. /script/guest.sh

probes=$evtlog/probes
ifconfig lo 127.0.0.1 up
echo "compress = 0" >/tmp/logd.conf
echo "-all +event" >$evtlog/events

# must_refuse WORDS PROBE - the kernel refuses the probe with this error
must_refuse() {
	! echo "+$2" >$probes 2>/dev/null || die "$2: not refused"
	grep -q "^error .*$1" $probes || die "$2: refused with $(head -n 1 $probes)"
	! grep -q '^probe' $probes || die "$2: a probe is left"
}
must_refuse 'no parameter skb' 'udp_sendmsg pcap raw 1,6 0 0 1'
must_refuse 'not known to be a struct sk_buff' 'udp_sendmsg pcap(sk) raw 1,6 0 0 1'
must_refuse 'pcap can test a packet only at a function' 'ip_send_skb+5 pcap raw 1,6 0 0 1'
must_refuse 'pcap can test a packet only at a function' 'ip_rcv%return pcap raw 1,6 0 0 1'
must_refuse 'expected .(PARAMETER)' 'ip_send_skb pcap "udp"'
must_refuse 'instructions from 1 to 512' 'ip_send_skb pcap raw 0,6 0 0 1'
must_refuse 'instructions from 1 to 512' 'ip_send_skb pcap raw 513,6 0 0 1'
must_refuse 'expected an instruction' 'ip_send_skb pcap raw 2,6 0 0 1'
must_refuse 'expected an instruction' 'ip_send_skb pcap raw 1,6 0 0 4294967296'
must_refuse 'expected an instruction' 'ip_send_skb pcap raw 1,65536 0 0 1'
# A number of the kernel that is not a byte of the packet: SKF_AD_PKTTYPE
must_refuse 'expected an instruction' 'ip_send_skb pcap raw 2,48 0 0 4294963204,6 0 0 1'
must_refuse 'expected an instruction' 'ip_send_skb pcap raw 2,177 0 0 4293918720,6 0 0 1'
must_refuse 'unexpected text' 'ip_send_skb pcap raw 1,6 0 0 1,6 0 0 1'
# A program without a return; a jump out of it; a division by 0
must_refuse 'BPF rejects' 'ip_send_skb pcap raw 1,0 0 0 1'
must_refuse 'BPF rejects' 'ip_send_skb pcap raw 2,21 7 0 1,6 0 0 1'
must_refuse 'BPF rejects' 'ip_send_skb pcap raw 2,52 0 0 0,6 0 0 1'

# The text of the list can be written again.
echo '+ip_send_skb(skb->len) if skb_len>1 pcap(skb) "all" raw 1,6 0 0 1 sample 1/2' >$probes ||
	die "$(head -n 1 $probes)"
again=$(sed -n 's/^probe.* spec /+/p' $probes)
# For people it is shown as it was typed.
evtlog probe list | grep -q 'ip_send_skb(skb->len) if skb_len>1 && pcap(skb) "all" sample 1/2$' ||
	die "$(evtlog probe list)"
echo '-*' >$probes
echo "$again" >$probes || die "$again: $(head -n 1 $probes)"
echo '-*' >$probes

for file in /script/probes-*; do
	name=${file##*-}
	cat "$file" >$probes || die "$file: $(head -n 1 $probes)"
	start_logd -f /tmp/logd.conf
	echo 1 >$evtlog/enable
	for bytes in 10 71 72 73 300 3000; do
		udp 40 $bytes 5001
		udp 30 $bytes 5002
	done
	echo 0 >$evtlog/enable
	stop_logd
	cp $probes "$OUT/$name.txt"
	echo '-*' >$probes
	mv $log/*.evl "$OUT/$name.evl"
done

# computed OFFSET COUNTER - is the byte at a computed offset 0x45? For all packets or none
computed() {
	echo "+ip_rcv if pcap raw 6,0 0 0 $1,7 0 0 0,80 0 0 0,21 0 1 69,6 0 0 65535,6 0 0 0" >$probes ||
		die "$(head -n 1 $probes)"
	echo 1 >$evtlog/enable
	udp 5 400 5001
	echo 0 >$evtlog/enable
	grep -q "^probe ip_rcv .* hits \([1-9][0-9]*\) .*$2 \1 " $probes || die "offset $1: $(cat $probes)"
	echo '-*' >$probes
}
computed 0 recorded
# SKF_NET_OFF, and the offset after the packet's 428 bytes
computed 4293918720 recorded
computed 4293919148 rejected
