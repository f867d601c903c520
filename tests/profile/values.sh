# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# values.sh SEED - bytes, packets and queues of a thread and of CPUs. Sourced by profile.sh.

counters() {
	cat /proc/net/snmp /proc/net/netstat
	grep ^pgpg /proc/vmstat
}

echo 0 >$evtlog/profile/control
echo "groups net,block,syscall,softirq" >$evtlog/profile/control
dd if=/dev/zero of=/tmp/values.disk bs=1M count=1 2>/dev/null
losetup /dev/loop0 /tmp/values.disk || die "losetup: $?"
grep -qx "groups sched,syscall,softirq,net,block" $evtlog/profile/control ||
	die "$(cat $evtlog/profile/control)"
counters >"$OUT/values.before"
echo 1 >$evtlog/profile/control
values "$1" /dev/loop0 >"$OUT/values.told" || die "values: $?"
echo 0 >$evtlog/profile/control
counters >"$OUT/values.after"
cat $evtlog/profile/all >"$OUT/values.all"
evtlog profile report --per-cpu --tau "$OUT/values.tau" live || die "report: $?"
# Values of ended tasks are in a family's sums, and in the records of ended tasks.
mkdir "$OUT/values.periods"
evtlog profile record --interval 1 --json -o "$OUT/values.periods" & recorder=$!
until ls "$OUT/values.periods"/*.json >/dev/null 2>&1; do sleep 0.1; done
evtlog profile --json -o "$OUT/values.family" -- values "$1" >"$OUT/values.family.told"
evtlog profile -o "$OUT/values.table" -- values "$1" >/dev/null
sleep 1.5
kill $recorder
wait $recorder || die "record ends with $?"
evtlog profile stop
losetup -d /dev/loop0
