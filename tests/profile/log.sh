#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# log.sh SEED - keeps profiles while a run records all events that they are made from
. /script/guest.sh

ifconfig lo 127.0.0.1 up
echo +all >$evtlog/events
echo 32 >$evtlog/buffers
echo 256 >$evtlog/buffer_kb
start_logd
# Pids are reused soon.
echo 330 >/proc/sys/kernel/pid_max
echo 1 >$evtlog/enable
# A switch on each CPU gives the running task. Tasks that were never in user mode are listed.
for cpu in 0 1 2; do
	taskset -c $cpu true
done
for stat in /proc/[0-9]*/stat; do
	# shellcheck disable=SC2046 # words
	set -- "$1" $(sed 's/^\([0-9]*\).*) /\1 /' $stat 2>/dev/null)
	[ $(($9 & 0x200000)) = 0 ] || echo "$2"
done >"$OUT/threads"
echo 1 >$evtlog/profile/control || die "profile: cannot be started"
mixed "$1" 800 6 /tmp/done &
also hotplug 2
for job in $jobs; do
	wait "$job"
done
until_true 60 test -e /tmp/done || die "mixed does not end"
sleep 0.2
# Tasks exit while they are read.
for i in 1 2 3; do
	(exec true) &
	cat $evtlog/profile/all >/dev/null
	evtlog check --profile >/dev/null || die "evtlog check --profile while tasks die: $?"
done
sleep 0.3
# A CPU is offline when profiles stop.
echo 0 >/sys/devices/system/cpu/cpu$last_cpu/online
sleep 0.2
evtlog check --profile || die "while they are kept: $?"
cat $evtlog/profile/self >"$OUT/self"
# The process that opened the file reads it.
exec 9<>$evtlog/profile/others
echo $$ >&9
while IFS= read -r line; do
	printf '%s\n' "$line"
done <&9 >"$OUT/others"
exec 9<&-
echo 0 >$evtlog/profile/control
cat $evtlog/profile/all >"$OUT/stopped"
evtlog check --profile >"$OUT/check" || die "evtlog check --profile: $?"
cat "$OUT/check"
# One group, while all types are recorded
! echo "groups softirq,nonsense" 2>/dev/null >$evtlog/profile/control || die "a group nonsense"
# refused CAUSE - the control file contains the cause
refused() {
	grep -qF "error $1" $evtlog/profile/control || die "$1: $(cat $evtlog/profile/control)"
}
refused 'groups: "nonsense" is not a group; use sched, syscall, '
! evtlog profile start --groups softirq,nonsense 2>/tmp/said || die "start --groups nonsense"
grep -q 'groups: "nonsense" is not a group; use sched, syscall, .* joined by commas$' /tmp/said || die "$(cat /tmp/said)"
! echo begin 2>/dev/null >$evtlog/profile/control || die "begin"
refused '"begin" is not a command; write 1, 0, groups LIST, self on or self off'
echo "self on" >$evtlog/profile/control
! grep '^error' $evtlog/profile/control || die "an error that is over"
grep -qx "state off" $evtlog/profile/control || die "groups that are refused start profiles"
evtlog profile start --groups softirq || die "start --groups: $?"
grep -qx "groups sched,softirq" $evtlog/profile/all || die "$(grep ^groups $evtlog/profile/all)"
! echo "groups all" 2>/dev/null >$evtlog/profile/control || die "other groups while profiles are kept"
refused 'groups: the groups cannot change'
! evtlog profile start --groups all 2>/tmp/said || die "start --groups while profiles are kept"
grep -q 'profile stop' /tmp/said || die "$(cat /tmp/said)"
ping -q -c 3 -i 0.1 127.0.0.1 >/dev/null
(exec true)
echo 0 >$evtlog/profile/control
cat $evtlog/profile/all >"$OUT/softirq"
evtlog check --profile
echo 0 >$evtlog/enable
killall mixed
evtlog profile --json -o "$OUT/family.json" -- true || die "a family: $?"
stop_logd
cp $log/*.evl "$OUT/run.evl"

# A run's records are complete whatever profiles do at the same time.
rm $log/*.evl
echo "groups all" >$evtlog/profile/control
start_logd
echo 1 >$evtlog/enable
ping -q -c 60 -i 0.02 127.0.0.1 >/dev/null &
for i in 1 2 3 4 5 6 7 8 9 10; do
	echo 1 >$evtlog/profile/control
	(exec true)
	[ $i != 5 ] || sh -c "printf 'x\ncpu 9 1 2' >/proc/\$\$/comm; cat $evtlog/profile/all; :" >/tmp/named
	echo 0 >$evtlog/profile/control
	(exec true)
done
wait $!
echo 0 >$evtlog/enable
stop_logd
evtlog check $log/*.evl >/tmp/checked || die "evtlog check: $(cat /tmp/checked)"
grep '^task .*x\\012cpu 9 1 2$' /tmp/named || die "the name is not there"
! grep '^cpu 9' /tmp/named || die "a name is taken for a CPU"
