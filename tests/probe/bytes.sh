#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bytes.sh - probes that copy so many bytes, of memory that is there and that is not, by each mechanism
. /script/guest.sh

probes=$evtlog/probes
copies=/sys/module/evtlog_probe_test/parameters/copies
echo "compress = 0" >/tmp/logd.conf
echo -all +event >$evtlog/events
insmod evtlog_probe_test.ko || die "insmod: $?"

# What is at arg_start of this shell, which calls the function
tr '\0' '@' <"/proc/$$/cmdline" >"$OUT/arguments"
# copied NAME PROBE...
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
for bytes in 1 7 8 9 15 16 23 100 1991; do
	copied entry-$bytes \
		"copied_function(which=arg1:u32, data=arg2[0:$bytes], later=arg2[3:$bytes], end=arg1:u64)" \
		"copied_function+5(which=%di:u32, data=%si[0:$bytes], later=%si[3:$bytes], end=%di:u64)"
	copied return-$bytes \
		"copied_function%return(which=retval:u32, data=arg2[0:$bytes], later=arg2[3:$bytes], end=arg1:u64)"
done
until_true 20 rmmod evtlog_probe_test 2>/dev/null || die "the module stays for 20 s"
