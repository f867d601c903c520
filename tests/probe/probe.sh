#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# probe.sh - tries probes that are refused, and records probes of datagrams, which the kernel counts
. /script/guest.sh

probes=$evtlog/probes
ifconfig lo 127.0.0.1 up
# The oracle's reader of packed blocks does not support records of variable size.
echo "compress = 0" >/tmp/logd.conf
# A busy host may leave logd without a CPU for a while.
echo 1024 >$evtlog/buffer_kb

sent() {
	awk '/^Udp:/ { if (n++) print $5 }' /proc/net/snmp
}

# must_refuse WORDS LINE - the kernel refuses the line, and the file contains the reason
must_refuse() {
	! echo "$2" >$probes 2>/dev/null || die "$2: not refused"
	grep -q "^error .*$1" $probes || die "$2: refused with $(head -n 1 $probes)"
	! grep -q '^probe' $probes || die "$2: a probe is left"
}
must_refuse 'function no_such_function does not exist' '+no_such_function'
must_refuse 'is not an order; write +PROBE' 'udp_sendmsg'
must_refuse 'probe nothing does not exist' '-nothing'
must_refuse 'expected u8 to u64' '+udp_sendmsg(arg1:u7)'
must_refuse 'expected u8 to u64' '+udp_sendmsg(arg1:q8)'
must_refuse 'expected an argument' '+udp_sendmsg(,)'
must_refuse 'register %rsi is unknown; the registers are %ax' '+udp_sendmsg+5(%rsi)'
must_refuse 'two arguments have the label len; write LABEL=arg2' '+udp_sendmsg(len=arg3,len=arg2)'
must_refuse 'two arguments have the label arg1; write LABEL=arg1' '+udp_sendmsg(arg1,arg1[0:8])'
must_refuse '"9x" is not a valid label: use a letter' '+udp_sendmsg(9x=arg3)'
must_refuse 'line 2, "+no_such_function(arg1)": function no_such_function does not exist' '+udp_sendmsg
+no_such_function(arg1)
+ip_send_skb'
must_refuse 'expected , or )' '+udp_sendmsg(arg1'
must_refuse 'unexpected text' '+udp_sendmsg(arg1) x'
must_refuse 'START:BYTES' '+udp_sendmsg(arg1[0:5000])'
must_refuse 'only a %return probe' '+udp_sendmsg(retval)'
must_refuse 'more than 4000 bytes' '+udp_sendmsg(a=arg1[0:3000],b=arg1[0:3000])'
must_refuse 'write a register' '+udp_sendmsg+5(arg1)'
must_refuse "evtlog's own function" '+__evtlog_sched_switch+4'
must_refuse "evtlog's own function" '+evtlog_ring_slow'
must_refuse "evtlog's own function" '+ring_swap_at+4'
must_refuse 'register %ex is unknown' '+udp_sendmsg+5(%ex)'
must_refuse 'the start of an instruction' '+udp_sendmsg+1'
must_refuse 'after the end of udp_sendmsg, which has [0-9]* bytes' '+udp_sendmsg+0xfffff'
must_refuse 'filter: ' '+udp_sendmsg(len=arg3:u32) if len>'
must_refuse 'already' '+udp_sendmsg
+udp_sendmsg'
# A write inserts all of its lines or none
must_refuse 'function no_such_function does not exist' '+ip_send_skb
+no_such_function'

su nobody -s /bin/sh -c "evtlog probe add udp_sendmsg" 2>&1 | grep -q 'CAP_SYS_MODULE' ||
	die "it does not say what is needed"
! su nobody -s /bin/sh -c "cat $probes" 2>/dev/null || die "anybody reads the probes"
CAP_SYS_MODULE=16
! without $CAP_SYS_MODULE -- sh -c "echo +udp_sendmsg >$probes" 2>/dev/null ||
	die "a probe without CAP_SYS_MODULE"
grep -q '^error probes need CAP_SYS_MODULE' $probes || die "it does not say why"
# Nor by the worker that undoes a session's changes
echo >$probes
without $CAP_SYS_MODULE -- sh -c "printf 'probes\nundo +udp_sendmsg\n' >$evtlog/session" || die "session: $?"
until_true 20 grep -q '^error probes need CAP_SYS_MODULE' $probes || die "by a session: $(cat $probes)"

echo '+udp_sendmsg(sk=arg1, len=arg3:u32)
+ip_send_skb(arg2, gone=arg3->8, net=arg1[0:16])
+udp_sendmsg+5(%dx:u32)
+__x64_sys_sendto if comm=="udp"' >$probes || die "$(head -n 1 $probes)"
start_logd -f /tmp/logd.conf
echo 1 >$evtlog/enable
before=$(sent)
for process in 1 2 3; do
	also udp 1000 $((process * 111))
done
# Meanwhile other probes are inserted and deleted.
for round in $(seq 10); do
	echo '+ip_output(arg3->0)
+__ip_append_data(arg1->0:u8)' >$probes || die "$(head -n 1 $probes)"
	echo '-ip_output
-__ip_append_data' >$probes || die "$(head -n 1 $probes)"
done
join
after=$(sent)
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT/values.evl"
rm $log/*.evl
cp $probes "$OUT/probes.txt"
echo $((after - before)) >"$OUT/sent"
evtlog probe list
evtlog probe list --json >"$OUT/list.json"
evtlog probe del udp_sendmsg ip_send_skb udp_sendmsg+5 __x64_sys_sendto || die "del: $?"
[ -z "$(cat $probes)" ] || die "some are left: $(cat $probes)"

# The filter checks each hit; only accepted hits are recorded.
echo '+udp_sendmsg(len=arg3:u32) if len>1000 && pid!=1
+ip_send_skb+5(%si) if cpu==77' >$probes || die "$(head -n 1 $probes)"
start_logd -f /tmp/logd.conf
echo 1 >$evtlog/enable
udp 500 100
udp 300 1200
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT/filtered.evl"
cp $probes "$OUT/filtered.txt"
echo '-*' >$probes

# The kernel's own list also shows which kprobes are jumps.
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null || true
for offset in $(seq 5 90); do
	for function in vfs_read vfs_write do_sys_openat2; do
		echo "+$function+$offset" >$probes 2>/dev/null || true
	done
done
cat $probes >"$OUT/mechanisms.txt"
cat /sys/kernel/debug/kprobes/list >"$OUT/kprobes.txt" || die "the kernel does not list its kprobes"
echo '-*' >$probes
