#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# module.sh - probes on a module's function; the module stays as long as it is probed
. /script/guest.sh

probes=$evtlog/probes
calls=/sys/module/evtlog_probe_test/parameters/calls
echo "compress = 0" >/tmp/logd.conf

must_refuse() {
	! echo "$2" >$probes 2>/dev/null || die "$2: not refused"
	[ "$(head -n 1 $probes)" = "error $1" ] || die "$2: refused with $(head -n 1 $probes)"
}
must_refuse 'there is no function probed_function: it may be inlined everywhere' '+probed_function'
insmod evtlog_probe_test.ko || die "insmod: $?"
must_refuse 'there is no function evtlog_put_test:probed_function: it may be inlined everywhere' \
	'+evtlog_put_test:probed_function'
must_refuse 'number: this kernel has no BTF of probed_function; say arg1 to arg6' \
	'+probed_function(number)'
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
	# Once nobody can be in a probe's code
	until_true 20 rmmod evtlog_probe_test 2>/dev/null || die "the module stays for 20 s"
	insmod evtlog_probe_test.ko || die "insmod: $?"
done
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT/module.evl"
