#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bytes.sh - uses probes that copy bytes, of mapped and unmapped memory, with each mechanism; probes
# that copy text; and probes of packets, short ones and packets in pages and lists
. /script/guest.sh

probes=$evtlog/probes
copies=/sys/module/evtlog_probe_test/parameters/copies
echo "compress = 0" >/tmp/logd.conf
echo -all +event >$evtlog/events
insmod evtlog_probe_test.ko || die "insmod: $?"

# The memory at arg_start of this shell, which calls the function
tr '\0' '@' <"/proc/$$/cmdline" >"$OUT/arguments"
# copied NAME PROBE... - records the module's calls with these probes
copied() {
	name=$1
	shift
	start_logd -f /tmp/logd.conf
	printf '+%s\n' "$@" >$probes || die "$(head -n 1 $probes)"
	echo 1 >$evtlog/enable
	echo 1 >$copies || die "copies: $?"
	echo 0 >$evtlog/enable
	stop_logd
	cp $probes "$OUT/$name.txt"
	cp $log/*.evl "$OUT/$name.evl"
	rm $log/*.evl
	echo '-*' >$probes
}
for bytes in 1 7 8 9 23 1991; do
	copied entry-$bytes \
		"copied_function(which=arg1:u32, data=arg2[0:$bytes], later=arg2[3:$bytes], end=arg1:u64)" \
		"copied_function+5(which=%di:u32, data=%si[0:$bytes], later=%si[3:$bytes], end=%di:u64)"
	copied return-$bytes \
		"copied_function%return(which=retval:u32, data=arg2[0:$bytes], later=arg2[3:$bytes], end=arg1:u64)"
done
for bytes in 1 8 13 1991; do
	copied text-entry-$bytes "copied_function(which=arg1:u32, text=arg2:str$bytes, end=arg1:u64)" \
		"copied_function+5(which=%di:u32, text=%si:str$bytes, end=%di:u64)"
	copied text-return-$bytes \
		"copied_function%return(which=retval:u32, text=arg2:str$bytes, end=arg1:u64)"
done
until_true 20 rmmod evtlog_probe_test 2>/dev/null || die "the module stays for 20 s"

# must_refuse SENTENCE PROBE - the kernel refuses the probe with this error
must_refuse() {
	! echo "+$2" >$probes 2>/dev/null || die "$2: not refused"
	[ "$(head -n 1 $probes)" = "error $1" ] || die "$2: refused with $(head -n 1 $probes)"
}
must_refuse 'packet_sk: packet() needs a struct sk_buff *, which sk is not' 'udp_sendmsg(packet(sk)[0:8])'
# If the type is unknown, the user's choice is valid.
echo '+ip_rcv+5(packet(%di)[0:8])' >$probes || die "packet(%di): $(head -n 1 $probes)"
echo '-ip_rcv+5' >$probes
must_refuse 'packet() reads bytes: write packet(skb)[START:BYTES]' 'ip_rcv(packet(skb))'
must_refuse 'packet() reads bytes: write packet(skb)[START:BYTES]' 'ip_rcv(packet(skb):u32)'
must_refuse 'expected a text'\''s length, such as str16, at "str8)"' 'ip_rcv(packet(skb)[0:8]:str8)'

# of_packets NAME PLACES COMMAND... - records the command's packets; a place has another probe
ifconfig lo 127.0.0.1 up
of_packets() {
	name=$1 places=$2
	shift 2
	start_logd -f /tmp/logd.conf
	arguments='len=skb->len, paged=skb->data_len, linear=skb->data[0:1500], start=packet(skb)[0:1500]'
	arguments="($arguments, far=packet(skb)[20000:900], text=skb->data:str9)"
	echo '+ip_rcv%return' >$probes || die "$(head -n 1 $probes)"
	for place in $places; do
		echo "+$place$arguments"
	done >/tmp/order
	cat /tmp/order >$probes || die "$(head -n 1 $probes)"
	echo 1 >$evtlog/enable
	"$@" || die "$*: $?"
	echo 0 >$evtlog/enable
	stop_logd
	cp $probes "$OUT/packets-$name.txt"
	cp $log/*.evl "$OUT/packets-$name.evl"
	rm $log/*.evl
	echo '-*' >$probes
}
of_packets tcp 'ip_rcv ip_local_deliver' stream tcp 600000
of_packets short 'ip_rcv ip_local_deliver ip_send_skb udp_rcv' stream udp 20 40
of_packets pages 'ip_rcv ip_local_deliver ip_send_skb udp_rcv' stream udp 10 60000
ifconfig lo mtu 1500
of_packets lists 'ip_send_skb udp_rcv' stream udp 10 60000
