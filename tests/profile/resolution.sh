#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# resolution.sh - profiles of programs, and the counts of strace, perf, ftrace and the kernel for the
# same programs; a nanosecond is an instruction
. /script/guest.sh

ip link set lo up
# Two runs of the same program: one under strace, one with a profile
strace -c -f -o "$OUT/strace" witnessed "" 3 || die "strace: $?"
evtlog profile run --json -o "$OUT/witnessed.json" -- witnessed "" 3 || die "evtlog profile: $?"

# One run: the tasks live until their profiles are read.
echo "groups all" >$evtlog/profile/control
functions=/sys/kernel/tracing/function_profile_enabled
printf '__x64_sys_%s\n' times getpgid >/sys/kernel/tracing/set_ftrace_filter
echo 1 >$functions
evtlog profile start
cat /proc/stat >"$OUT/stat.begin"
# With 16 MiB per CPU, perf loses no events.
perf trace -s -m 4096 -o "$OUT/perf" -- witnessed /tmp/ready 4 & program=$!
until_true 60 test -e /tmp/ready || die "witnessed does not end"
cat /proc/stat >"$OUT/stat.end"
evtlog profile stop
cat $evtlog/profile/all >"$OUT/witnessed"
echo 0 >$functions
cat /sys/kernel/tracing/trace_stat/function* >"$OUT/functions"
echo >/sys/kernel/tracing/set_ftrace_filter
cp /tmp/ready "$OUT/ready"
while read -r pid _; do
	grep -H . /proc/[0-9]*/task/"$pid"/schedstat
done <"$OUT/ready" >"$OUT/schedstat"
grep "^ticks_hz" $evtlog/status >"$OUT/hz"
rm /tmp/ready
wait $program || die "witnessed: $?"

# A program that counts what it reads, writes, sends and receives
dd if=/dev/zero of=/tmp/values.disk bs=1M count=1 2>/dev/null
loop=$(losetup -f --show /tmp/values.disk) || die "losetup: $?"
echo "groups all,net,block" >$evtlog/profile/control
evtlog profile start
values 5 "$loop" >"$OUT/io" || die "values: $?"
evtlog profile stop
losetup -d "$loop"
# The same for IPv6
cat /proc/net/snmp6 >"$OUT/snmp6.before"
evtlog profile start
values 6 "" 6 >"$OUT/ipv6" || die "values, of IPv6: $?"
evtlog profile stop
cat $evtlog/profile/all >"$OUT/ipv6.all"
cat /proc/net/snmp6 >"$OUT/snmp6.after"
evtlog profile start
values 7 "" mapped >"$OUT/mapped" || die "values, of IPv4 by IPv6's sockets: $?"
evtlog profile stop
