#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sample.sh - tries samples that are refused; records samples of datagrams, which the kernel counts;
# and samples by packet at five places on a packet's path
. /script/guest.sh

probes=$evtlog/probes
ifconfig lo 127.0.0.1 up
# The oracle's reader of packed blocks does not support records of variable size.
echo "compress = 0" >/tmp/logd.conf
# Record no formats.
echo "-all +event" >$evtlog/events

sent() {
	awk '/^Udp:/ { if (n++) print $5 }' /proc/net/snmp
}

# must_refuse WORDS SAMPLE [ARGUMENTS] - the kernel refuses the sample with this error
must_refuse() {
	! echo "+udp_sendmsg(${3:-len=arg3:u32}) sample $2" >$probes 2>/dev/null ||
		die "sample $2: not refused"
	grep -q "^error .*$1" $probes || die "sample $2: refused with $(head -n 1 $probes)"
	! grep -q '^probe' $probes || die "sample $2: a probe is left"
}
must_refuse 'N of 1/N must be' 1/0
must_refuse 'N of 1/N must be' 1/4294967297
must_refuse 'expected 1/N' 2/3
must_refuse 'expected 1/N' ''
must_refuse 'expected 1/N' 0ms
must_refuse 'expected 1/N' 18446744073709551617s
must_refuse 'p must be a number' p=0
must_refuse 'p must be a number' p=1.1
must_refuse 'nine digits' p=0.0000000001
must_refuse 'unexpected text after the sample' '1/10 garbage'
must_refuse 'name of an argument' '1/10 by'
must_refuse 'no argument port' '1/10 by port'
must_refuse 'seed must be a number' '1/10 by len seed x'
must_refuse 'another label' 1/10 weight=arg3
must_refuse 'is text' '1/10 by name' name=arg1:str16
must_refuse 'no argument sk' '1/10 by sk'
# The word "sample" may occur in a filter.
echo '+udp_sendmsg(sample=arg3:u32) if sample in {1} && comm!=" sample 1/2" sample 1/2' >$probes ||
	die "$(head -n 1 $probes)"
grep -q ' skipped 0 rest 0 spec ' $probes || die "it is not listed"
echo '-*' >$probes

begin() {
	start_logd -f /tmp/logd.conf
	echo 1 >$evtlog/enable
}

end() {
	echo 0 >$evtlog/enable
	stop_logd
	cp $probes "$OUT/$1.txt"
	evtlog stat --json $log/*.evl >"$OUT/$1.json"
	[ "$1" != count ] || evtlog stat $log/*.evl | grep -A 12 '^Registered event'
	[ "$1" != time ] || evtlog probe list
	mv $log/*.evl "$OUT/$1.evl"
	echo '-*' >$probes
}

# measure NAME SAMPLE - at a function's entry, within it, and after a filter
measure() {
	echo "+udp_sendmsg(len=arg3:u32) sample $2
+udp_sendmsg+5(len=%dx:u32) sample $2
+inet_sendmsg(len=arg3:u32) if len>500 sample $2" >$probes || die "$(head -n 1 $probes)"
	begin
	before=$(sent)
	for process in 1 2; do
		also udp 2500 $((process * 300))
		also udp 1500 1000
	done
	join
	after=$(sent)
	echo $((after - before)) >"$OUT/$1.sent"
	end "$1"
}
measure all 1/1
measure time 2ms

# From here on, jit_harden hides the constants of samples and filters in the machine code.
echo 2 >/proc/sys/net/core/bpf_jit_harden
measure count 1/20
measure probability p=0.03

# The same eight bytes, as a number and as bytes, at places on the packet's path: in a kprobe, by
# the stub's own code, after a filter, and by C. 104 is the offset of rsi in struct pt_regs.
for seed in "" " seed 4711"; do
	echo "+__x64_sys_sendto(id=arg1->104[0:8]) sample 1/50 by id$seed
+__x64_sys_sendto+5(id=%di->104) sample 1/50 by id$seed
+ip_send_skb(id=skb->data->28:u64) sample 1/50 by id$seed
+ip_output(id=skb->data[28:8]) sample 1/50 by id$seed
+__dev_queue_xmit(id=skb->data->42:u64) if id!=77 sample 1/50 by id$seed
+ip_rcv(skb, id=skb->data->28:u64) if skb!=0 sample 1/50 by id$seed
+udp_rcv(id=skb->data[8:8]) sample 1/50 by id$seed" >$probes || die "$(head -n 1 $probes)"
	begin
	also numbered 4000 0
	also numbered 4000 4000
	join
	end "packets$(echo "$seed" | tr -d ' ')"
done
