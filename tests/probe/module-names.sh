#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# module-names.sh - probes of a module's function by names, where its BTF is beside the kernel's
. /script/guest.sh

insmod evtlog_names_test.ko || die "insmod: $?"
# As a kernel with CONFIG_DEBUG_INFO_BTF_MODULES has it
mkdir /tmp/btf
cp /sys/kernel/btf/vmlinux /tmp/btf/
! evtlog probe add 'evtlog_names_hit(port)' 2>/tmp/said || die "by a name that nobody has told"
grep -q 'this kernel has no BTF of evtlog_names_hit' /tmp/said || die "$(cat /tmp/said)"
cp /script/evtlog_names_test.btf /tmp/btf/evtlog_names_test
mount --bind /tmp/btf /sys/kernel/btf || die "mount"
evtlog probe add --show 'evtlog_names_hit(port)' || die "--show"

echo "-all +event" >$evtlog/events
start_logd
evtlog probe add 'evtlog_names_hit(it->id, second=it->next->id, it->part.number, next=it->next->part.number, port, last, odd=it->is_odd, it->part.text, current.cpu) if port!=5003' ||
	die "add"
echo 1 >$evtlog/enable
echo 20 >/sys/module/evtlog_names_test/parameters/calls || die "calls"
echo 0 >$evtlog/enable
stop_logd
evtlog probe del '*'
evtlog probe add 'evtlog_names_test:evtlog_names_hit%return(retval, port)' || die "a return's"
start_logd
echo 1 >$evtlog/enable
echo 20 >/sys/module/evtlog_names_test/parameters/calls || die "calls"
echo 0 >$evtlog/enable
stop_logd
evtlog probe del '*'
for run in 1 2; do
	evtlog dump --json $log/*-$run.evl >"$OUT/$run.json" || die "dump: $?"
done
! evtlog probe add 'evtlog_names_hit(it->nothing)' 2>/tmp/said || die "it has no such member"
grep -q 'no structure with a member nothing' /tmp/said || die "$(cat /tmp/said)"
umount /sys/kernel/btf
until_true 20 rmmod evtlog_names_test 2>/dev/null || die "the module stays"
