#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# module-names.sh - probes a module's functions by names, with the command and through /proc
. /script/guest.sh

insmod evtlog_names_test.ko || die "insmod: $?"
ls /sys/kernel/btf
echo "-all +event" >$evtlog/events
run=0
# calls - records a run with the current probes
calls() {
	run=$((run + 1))
	start_logd
	echo 1 >$evtlog/enable
	echo 20 >/sys/module/evtlog_names_test/parameters/calls || die "calls"
	echo 0 >$evtlog/enable
	stop_logd
	cat $evtlog/probes
	evtlog probe del "${1:-*}" || die "del $1"
	[ -z "$(cat $evtlog/probes)" ] || die "some are left: $(cat $evtlog/probes)"
	evtlog dump --json $log/*-$run.evl >"$OUT/$run.json" || die "dump: $?"
}
refused() {
	! evtlog probe add "$1" 2>/tmp/said || die "$1: taken"
	grep -q "$2" /tmp/said || die "$1: $(cat /tmp/said)"
}
# refuses LINE CAUSE - the kernel refuses the line; faster than the command, which reads all symbols
refuses() {
	! echo "+$1" 2>/dev/null >$evtlog/probes || die "$1: taken"
	grep -q "^error .*$2" $evtlog/probes || die "$1: $(head -n 1 $evtlog/probes)"
}

evtlog probe add 'evtlog_names_hit(it->id, second=it->next->id, it->part.number, next=it->next->part.number, port, last, odd=it->is_odd, it->part.text, it->high, current.cpu) if port!=5003' ||
	die "add"
calls
echo '+evtlog_names_test:evtlog_names_hit%return(retval, port)' >$evtlog/probes || die "a return's: $(head -n 1 $evtlog/probes)"
calls
# A function named printf, a function with a name of the kernel, arguments on the stack, a packet, a
# structure on the stack
evtlog probe add 'evtlog_names_printf%return(retval, port)' 'evtlog_names_test:tcp_sendmsg_locked(port)' \
	'evtlog_names_many%return(retval, a, f, seventh, eighth)' \
	'evtlog_names_send(skb->len, packet(skb)[0:16], data=skb->data[8:8])' \
	'evtlog_names_wide%return(retval:u64, wide=port, it.words[19], bytes=it.words[0:16])' || die "add: $?"
calls
# Packets whose first byte is odd
odd='raw 4,48 0 0 0,69 0 1 1,6 0 0 1,6 0 0 0'
echo "+evtlog_names_send(odd=skb->len) pcap $odd" >$evtlog/probes || die "pcap: $(head -n 1 $evtlog/probes)"
calls
# The module's and the kernel's function select the same packets for the sample.
evtlog probe add 'evtlog_names_send(sampled=skb->data[0:8]) sample 1/2 by sampled' \
	'kfree_skb_reason(freed=skb->data[0:8]) sample 1/2 by freed' || die "samples by packet"
calls
# Types: network order, addresses, elements, structures in registers, unreadable memory
types='net->port, net->address, a=net->address:ip4, net->v4, net->v6, mac=net->mac:mac, net->ports[2]'
types="$types, net->parts[1].number, net->table[1]->id, port=port, raw=port:u16, bytes=net->port[0:2]"
types="$types, name=net->name:str16, gone=gone:str16, id=memory(count)[0:8], be=net->port[0:2]:be16"
evtlog probe add "evtlog_names_net($types)" \
	'evtlog_names_pair(before, it.first, it.small, it.bit, it.port, it.next->id, behind)' ||
	die "types, and a structure in registers"
calls
# The same in filters, in machine code and in a kprobe
evtlog probe add "evtlog_names_net($types) if net_port>5557 && a in {10.0.0.0-10.0.0.15} && (net_v4&255.255.255.255)!=192.168.0.4 && net_v6!=\"2001:db8::a\" && mac!=\"02:00:00:00:00:05\" && name!=\"name-7\" && name~\"name-*\" && gone!=\"\"" \
	"evtlog_names_net+0(kp=net->port, a=net->address:ip4, v6=net->v6, mac=net->mac:mac, name=net->name:str16) if kp==5556 || a==10.0.0.9 || v6==\"2001:db8::6\" || mac==\"02:00:00:00:00:08\" || name==\"name-4\" || name==\"\"" ||
	die "filters of types, one in a kprobe"
calls
echo '+evtlog_names_pair(it.port, small=it.small:u8) if it_port!=8003 && small<210' >$evtlog/probes ||
	die "a filter of registers: $(head -n 1 $evtlog/probes)"
# Arguments on the stack, in machine code and in a kprobe
echo '+evtlog_names_many(direct=seventh, a, eighth:u16) if direct!=5 && eighth==100
+evtlog_names_many+0(kprobe=seventh, f, low=arg8:u8) if kprobe!=6
+evtlog_names_wide(port, first=it.words[0], bytes=it.words[19][0:8])' >$evtlog/probes ||
	die "arguments on the stack: $(head -n 1 $evtlog/probes)"
# Clones: all of a name that has no function of its own, and one of two
evtlog probe add 'evtlog_names_changed.*(changed=arg1)' || die "a clone in the function's place"
evtlog probe add 'evtlog_names_split(split=arg1)' 2>/tmp/said || die "a function with a clone"
grep -q 'evtlog_names_split\.part\.0' /tmp/said || die "no warning of the clone: $(cat /tmp/said)"
calls
evtlog probe add 'evtlog_names_test:evtlog_names_split.*%return(sum=retval:s32)' 2>/tmp/said || die "a function and its clone"
! [ -s /tmp/said ] || die "a warning of a clone that has a probe: $(cat /tmp/said)"
calls 'evtlog_names_test:evtlog_names_split.*%return'
refused 'evtlog_names_changed' 'evtlog_names_changed\.isra\.0'
refused 'vmlinux:evtlog_names_split' 'evtlog_names_split'
# A name of any length is refused, or passed on unchanged.
for length in 200 600; do
	long=$(printf "%0${length}d" 0)
	refused "evtlog_names_changed.$long" 'evtlog_names_changed\.isra\.0'
	[ "$(evtlog probe add --show "no_$long")" = "+no_$long" ] || die "a name of $length characters is cut off"
done
! evtlog probe add --show "no_$(printf '%02000d' 0)" 2>/tmp/said || die "a name of 2000 characters"
refused 'evtlog_names_net(count[0:8])' 'is a number'
refuses 'evtlog_names_net(count:str16)' 'is a number'
refuses 'evtlog_names_net(net->ports[4])' '4 elements'
refuses 'evtlog_names_net(count[1])' 'an array or a pointer'
refuses 'evtlog_names_net(net->table:ip4)' 'is a pointer'
refuses 'evtlog_names_net(net->mac[0:4]:mac)' '6 bytes'
refuses 'evtlog_names_net(v6=net->v6) if v6=="2001:db8::g"' 'not a valid IPv6 address'
refuses 'evtlog_names_pair(it)' 'append .MEMBER'
refuses 'evtlog_names_hit(port) if port=5003' 'did you mean =='
refuses 'evtlog_names_hit(port) if tree=1' 'did you mean =='
refuses 'evtlog_names_hit(port) if tree==99999' 'no process'
refuses 'evtlog_names_hit(it->nothing)' 'no member nothing'
refuses 'evtlog_names_hit(nothing)' 'no parameter nothing'
refuses 'evtlog_names_many(arg23)' 'no parameter arg23'
refuses "evtlog_names_many pcap(seventh) $odd" 'not in a register'
refuses 'evtlog_names_any%return(retval)' 'takes any number of arguments'
refuses 'evtlog_names_large(seventh)' 'no BTF of evtlog_names_large'
# The module checks its arguments.
echo '+evtlog_names_large%return(retval)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
echo 5 >/sys/module/evtlog_names_test/parameters/calls || die "calls"
evtlog probe del '*'
refuses "evtlog_names_hit pcap(it) $odd" 'sk_buff'
refuses 'evtlog_names_hit(packet(it)[0:8])' 'sk_buff'
# The module and its names stay while it is probed.
echo '+evtlog_names_hit(port)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
! rmmod evtlog_names_test 2>/dev/null || die "the module went"
evtlog probe del '*'
until_true 20 rmmod evtlog_names_test 2>/dev/null || die "the module stays"
[ ! -e /sys/kernel/btf/evtlog_names_test ] || die "its BTF stays"
refused 'evtlog_names_hit(port)' 'evtlog_names_hit'

# Without BTF, as if built without: positions and offsets
insmod evtlog_names_bare.ko || die "insmod: $?"
[ ! -e /sys/kernel/btf/evtlog_names_test ] || die "it has BTF"
refused 'evtlog_names_hit(port)' 'this kernel has no BTF of evtlog_names_hit'
refused 'evtlog_names_printf%return(retval)' 'its name is that of a function with any number of arguments'
echo '+evtlog_names_hit(arg1->0, arg2:u16)
+evtlog_names_many(arg7:u32, arg8)' >$evtlog/probes || die "by position: $(head -n 1 $evtlog/probes)"
calls
until_true 20 rmmod evtlog_names_test 2>/dev/null || die "the module stays"
