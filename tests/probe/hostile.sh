#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hostile.sh SECONDS SEED - writes texts that resemble probes, samples, packets' programs and
# filters, under load; checks that the kernel's text is unchanged afterwards
. /script/guest.sh

seconds=$1 seed=$2
probes=$evtlog/probes

symbol() {
	awk -v name="$1" '$3 == name { print "0x" $1 }' /script/symbols
}

sum_of_text() {
	insmod evtlog_text_test.ko start="$(symbol _stext)" end="$(symbol _etext)" 2>/dev/null || true
	dmesg | sed -n 's/.*evtlog_text_test: //p' | tail -n 1
}

packet=
if [ -e /sys/kernel/btf/vmlinux ]; then
	packet='+ip_send_skb(skb->len, skb->data[0:20]) if skb_len>1 && pcap "udp" raw 4,48 0 0 9,21 0 1 17,6 0 0 65535,6 0 0 0 sample 1/2'
fi
ifconfig lo 127.0.0.1 up
# The first use changes some text permanently: do it before taking the checksum.
returns=
[ ! -e /sys/kernel/btf/vmlinux ] || returns='+ip_rcv%return'
echo "+udp_sendmsg
+udp_sendmsg+5
$returns" >$probes || die "$(head -n 1 $probes)"
echo 'softirq vec==1' >$evtlog/filters
echo 'softirq' >$evtlog/filters
echo 1 >$evtlog/enable
udp 10 100
echo 0 >$evtlog/enable
echo '-*' >$probes
sleep 1
before=$(sum_of_text)
[ -n "$before" ] || die "the text has no sum"
echo 1 >$evtlog/enable
send() {
	while udp 20 100; do
		usleep 20000
	done
}
also send
load=$!
hostile $probes "$seconds" "$seed" \
	'+udp_sendmsg(arg1, len=arg3:u32, arg2->16, arg2[0:8]) if len>10 && comm!="x*" sample 1/3' \
	'+udp_sendmsg(port=sk->__sk_common.skc_dport, a=sk->__sk_common.skc_daddr:ip4, n=msg->msg_name:str8) if a!=10.0.0.1 && n=="x"' \
	'+udp_sendmsg+5(%di, %dx:u32) if cpu in {0-3, 7} || tree==1 sample p=0.25' \
	'+vfs_read(arg1, n=arg3) sample 1/16 by n seed 0x4711' \
	'+ip_rcv(arg1[0:24]) sample 1/8 by arg1' \
	'+__x64_sys_getppid sample 10ms' \
	'+ksys_read
+ksys_write(arg1:u32, arg2->0:x64) if (arg1&0xff)!=3' ${packet:+"$packet"} || die "$(head -n 1 $probes)"
echo 0 >$evtlog/enable
hostile $evtlog/filters "$seconds" "$seed" \
	'sched_waking if pid in {1, 5-9} && !(cpu==0 || prio<100)' \
	'softirq (vec&3)==1 || comm~"k*"' || die "see above"
kill $load
wait $load 2>/dev/null || true
! grep '^probe' $probes || die "probes are left"
! grep . $evtlog/filters || die "filters are left"
# Wait until no task is in the probes' code
after() {
	[ "$(sum_of_text)" = "$before" ]
}
until_true 20 after || die "text: $before, after it $(sum_of_text)"
echo "$before"
# Probes still work.
echo '+__x64_sys_getppid' >$probes || die "$(head -n 1 $probes)"
echo '-*' >$probes
