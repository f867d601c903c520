#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# btf.sh - uses probes by names of parameters and members, and of returns; unknown names are refused
. /script/guest.sh

probes=$evtlog/probes
ifconfig lo 127.0.0.1 up
echo "compress = 0" >/tmp/logd.conf

# must_refuse SENTENCE LINE - the kernel refuses the line with this error
must_refuse() {
	! echo "$2" >$probes 2>/dev/null || die "$2: not refused"
	[ "$(head -n 1 $probes)" = "error $1" ] || die "$2: refused with $(head -n 1 $probes)"
	! grep -q '^probe' $probes || die "$2: a probe is left"
}
must_refuse 'udp_sendmsg has no parameter nothing' '+udp_sendmsg(nothing)'
must_refuse 'struct sk_buff has no member nothing' '+ip_send_skb(skb->nothing)'
must_refuse 'struct sock_common has no member nothing' '+udp_sendmsg(sk->__sk_common.nothing)'
must_refuse 'sk_len_x: the value before x is not known to be a pointer to a structure' \
	'+udp_sendmsg(sk_len_x=len->x)'
must_refuse 'msg_msg_iter is not a number, pointer or text; append [START:BYTES]' \
	'+udp_sendmsg(msg->msg_iter)'
must_refuse 'len: this kernel has no BTF of vfs_fsync; write arg1, arg2 and so on' '+vfs_fsync(len)'
must_refuse 'only a %return probe can read retval' '+vfs_read(retval)'
# Functions that the probe itself calls, and functions that never return
must_refuse "evtlog_lineage_has is evtlog's own function, which cannot be probed" '+evtlog_lineage_has if tree==1'
must_refuse 'do_exit never returns; probe its entry' '+do_exit%return'
must_refuse '__x64_sys_exit_group never returns; probe its entry' '+__x64_sys_exit_group%timer'
must_refuse 'udp_sendmsg has a direct call already; delete the other probe, and add it again after this one, or end the BPF program or live patch' \
	'+udp_sendmsg
+udp_sendmsg%return(retval)'

echo '+udp_sendmsg(sk, len, port=sk->__sk_common.skc_num, family=sk->__sk_common.skc_family)
+ip_send_skb(skb->len, skb->data[0:64], skb->ip_summed, skb->sk->sk_protocol, to=skb->data[16:4]:ip4, port=skb->data[20:2]:be16)
+__dev_queue_xmit(skb->dev->name)
+vfs_read%return(retval, count)
+ip_make_skb%return(retval)
+udp_rcv%return(retval) if retval != 0' >$probes || die "$(head -n 1 $probes)"
start_logd -f /tmp/logd.conf
echo 1 >$evtlog/enable
udp 100 300 5555
udp 50 40 7777
head -c 1000 /dev/zero >/tmp/thousand
reads 500 777 /dev/zero
reads 6 333 /tmp/thousand
reads 3 517 /
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT/btf.evl"
cp $probes "$OUT/btf.txt"
evtlog dump "$OUT/btf.evl" | grep -m 3 "udp_sendmsg"
echo '-*' >$probes
