#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# module.sh - probes a module's function; the module stays while it is probed
. /script/guest.sh

probes=$evtlog/probes
calls=/sys/module/evtlog_probe_test/parameters/calls
echo "compress = 0" >/tmp/logd.conf

must_refuse() {
	! echo "$2" >$probes 2>/dev/null || die "$2: not refused"
	[ "$(head -n 1 $probes)" = "error $1" ] || die "$2: refused with $(head -n 1 $probes)"
}
must_refuse 'function probed_function does not exist; the compiler may have inlined it everywhere' '+probed_function'
insmod evtlog_probe_test.ko || die "insmod: $?"
must_refuse 'function evtlog_put_test:probed_function does not exist; the compiler may have inlined it everywhere' \
	'+evtlog_put_test:probed_function'
if [ -e /sys/kernel/btf/evtlog_probe_test ]; then
	must_refuse 'probed_function has no parameter numbers' '+probed_function(numbers)'
else
	must_refuse 'number: this kernel has no BTF of probed_function; write arg1, arg2 and so on' \
		'+probed_function(number)'
fi
must_refuse "seq_printf%return: the function has no BTF, and its name is that of a function with any number of arguments" \
	'+seq_printf%return'
# Structures by value whose place BTF does not describe
if [ -e /sys/kernel/btf/evtlog_probe_test ]; then
	for of in wide:2 packed:2 empty:2 pair:8; do
		must_refuse "takes_${of%:*}%return: the function's argument ${of#*:} is a packed, empty or wide structure, whose place is not known" \
			"+takes_${of%:*}%return"
	done
	for of in wide packed empty; do
		must_refuse "behind: takes_$of takes a packed, empty or wide structure, so the place is unknown; write arg1, arg2 and so on" \
			"+takes_$of(behind)"
		echo "+takes_$of(number, arg2)" >$probes || die "$(head -n 1 $probes)"
		echo '-*' >$probes
	done
	echo '+takes_even_pair%return' >$probes || die "$(head -n 1 $probes)"
	echo '-*' >$probes
	until_true 20 rmmod evtlog_probe_test 2>/dev/null || die "the module stays for 20 s"
	insmod evtlog_probe_test.ko || die "insmod: $?"
fi
rmmod evtlog_probe_test || die "what was refused holds the module"
insmod evtlog_probe_test.ko || die "insmod: $?"

start_logd -f /tmp/logd.conf
echo 1 >$evtlog/enable
for round in 1 2 3; do
	echo '+evtlog_probe_test:probed_function(number=arg1:s32, arg2[0:15])
+probed_function+5(%di:s32)' >$probes || die "$(head -n 1 $probes)"
	echo 100 >$calls
	cat $probes >>"$OUT/module.txt"
	! rmmod evtlog_probe_test 2>/dev/null || die "the module goes while it is probed"
	echo 100 >$calls &
	echo '-*' >$probes
	wait $!
	# The module can be unloaded once no task can be in a probe's code
	until_true 20 rmmod evtlog_probe_test 2>/dev/null || die "the module stays for 20 s"
	insmod evtlog_probe_test.ko || die "insmod: $?"
done
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT/module.evl"
rm $log/*.evl

# A return without BTF: 16 words of stack are passed on, also at the end of an interrupt's stack.
sums=/sys/module/evtlog_probe_test/parameters/sums
echo 10 >$sums || die "without a probe: $?"
start_logd -f /tmp/logd.conf
echo '+many_arguments%return(retval, arg6)
+probed_function%return(retval:s32)
+__sysvec_apic_timer_interrupt%return' >$probes || die "$(head -n 1 $probes)"
echo 1 >$evtlog/enable
echo 100 >$sums || die "many_arguments() has other arguments while its return is probed"
echo 100 >$calls
sleep 0.1
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT/return.evl"
echo '-*' >$probes
rm $log/*.evl

# A filter that the module registers
must_refuse 'handler odds does not exist; load the module that registers it' \
	'+__x64_sys_getppid(arg1) if handler odds(arg1)'
must_refuse 'handler: the probe has no argument "arg2)"' \
	'+__x64_sys_getppid(arg1) if handler evens(arg2)'
must_refuse 'handler: unexpected text at "x"' '+__x64_sys_getppid(arg1) if handler evens(arg1) x'
start_logd -f /tmp/logd.conf
echo '+evtlog_probe_test:probed_function(number=arg1:s32) if handler evens
+probed_function+5(text=%si, number=%di:s32) if number>-50 && handler evens(number)' >$probes ||
	die "$(head -n 1 $probes)"
echo 1 >$evtlog/enable
echo 100 >$calls
echo 0 >$evtlog/enable
stop_logd
cp $probes "$OUT/handler.txt"
cp $log/*.evl "$OUT/handler.evl"
echo '-*' >$probes
until_true 20 rmmod evtlog_probe_test 2>/dev/null || die "the module stays for 20 s"
insmod evtlog_probe_test.ko || die "insmod: $?"
# A function of the kernel, so that only the filter holds the module
echo '+vfs_read(count:u64) if handler evens(count)' >$probes || die "$(head -n 1 $probes)"
! rmmod evtlog_probe_test 2>/dev/null || die "the module goes while its filter is used"
cat /proc/version >/dev/null
echo '-*' >$probes
until_true 20 rmmod evtlog_probe_test 2>/dev/null || die "the module stays for 20 s"

# A hit within another probe's handler reads no memory: it is lost if it would have to. Its named buffer
# continues to record: the lock of a global buffer must not stay taken.
insmod evtlog_probe_test.ko || die "insmod: $?"
for kind in '' global; do
	echo "+net kb=64 $kind" >$evtlog/named/control || die "$(head -n 1 $evtlog/named/control)"
	echo '+>net probed_function(number=arg1:s32) if handler nests(number)
+>net nested_function(number=arg1->0:s32)
+>net nested_function+5(number=%di:u64)' >$probes || die "$(head -n 1 $probes)"
	echo 100 >$calls
	cat $probes >>"$OUT/nested.txt"
	cat $evtlog/named/control >>"$OUT/nested.buffers"
	echo '-*' >$probes
	echo '-net' >$evtlog/named/control || die "$(head -n 1 $evtlog/named/control)"
done

# Within a kprobe's handler the kernel calls no other: its hits are lost, too.
echo '+net kb=64' >$evtlog/named/control || die "$(head -n 1 $evtlog/named/control)"
echo '+>net probed_function+5(number=%di:s32) if handler nests(number)
+>net nested_function+5(number=%di:u64)' >$probes || die "$(head -n 1 $probes)"
echo 100 >$calls
cat $probes >"$OUT/missed.txt"
echo '-*' >$probes
echo '-net' >$evtlog/named/control || die "$(head -n 1 $evtlog/named/control)"
until_true 20 rmmod evtlog_probe_test 2>/dev/null || die "the module stays for 20 s"
