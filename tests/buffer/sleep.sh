#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sleep.sh - suspends the machine until all tasks are frozen, with all recording on, and resumes it
. /script/guest.sh

control=$evtlog/named/control
mount | grep -q ' /sys ' || mount -t sysfs sysfs /sys
echo freezer >/sys/power/pm_test || die "pm_test: $?"
echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo 1 >$evtlog/profile/control
for name in calls flight; do
	mode=
	[ $name = calls ] || mode=mode=overwrite
	call=execve
	[ $name = calls ] || call=wait4
	echo "+$name kb=16 buffers=4 $mode" >$control || die "$(head -n 1 $control)"
	echo "+>$name __x64_sys_$call" >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
done
start_logd
evtlog start || die "start: $?"
born=$(awk '$1 == "task" && $2 == 1 { print $4 }' $evtlog/profile/all)
awk 'BEGIN { for (i = 0; i < 10; i++) system("/bin/true") }'
echo freeze >/sys/power/state || die "sleep: $?"
[ "$(cat $evtlog/enable)" = 0 ] || die "the run goes on"
stop_logd
for name in calls flight; do
	grep -q "state ended" $evtlog/named/$name/status || die "$name: $(cat $evtlog/named/$name/status)"
	cat $evtlog/named/$name/cpu* >/tmp/$name
	[ -s /tmp/$name ] || die "$name has nothing"
	dmesg | grep -q "buffer $name ended" || die "the log says nothing of $name"
done
grep -q "state on" $evtlog/profile/control || die "no profiles"
again=$(awk '$1 == "task" && $2 == 1 { print $4 }' $evtlog/profile/all)
[ "$again" -gt "$born" ] || die "profiles went on: $born $again"
echo "+later kb=16 buffers=4" >$control || die "$(head -n 1 $control)"
