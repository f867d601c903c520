#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# order.sh - a global named buffer: read while it is written, not read, and recorded to a file
. /script/guest.sh

named=$evtlog/named
control=$named/control
dmesg -c >/dev/null

# tickets NAME RECORDS - puts RECORDS on each CPU; writes the module's counts to NAME.txt
tickets() {
	insmod evtlog_order_test.ko records=$2 || die "insmod: $?"
	sleep 0.5
	rmmod evtlog_order_test || die "rmmod: $?"
	dmesg -c | grep 'evtlog_order_test: put' >"$OUT/$1.txt"
}

evtlog buffer add order --global --buffers 64x64 --events ordered || die "add: $?"
[ "$(ls $named/order | grep -c '^cpu')" = 0 ] || die "it has files of CPUs: $(ls $named/order)"
also dd if=$named/order/all of="$OUT/read" bs=1M status=none
tickets read 4000
cat $named/order/events >"$OUT/events.txt"
evtlog buffer end order || die "end: $?"
join
cat $named/order/status >"$OUT/status.txt"
evtlog buffer list
evtlog buffer list --json >"$OUT/list.json"
evtlog buffer del order || die "del: $?"

# The buffer is read only after it has ended.
echo '+order global kb=4 buffers=3 events=ordered' >$control || die "$(head -n 1 $control)"
tickets lossy 1000
echo '!order' >$control
dd if=$named/order/all of="$OUT/lossy" bs=1M status=none
echo '-order' >$control

# Records an urgent event to a file, while a CPU goes offline and comes back.
evtlog buffer add order --global --buffers x16 --events ordered --urgent ordered || die "add: $?"
also evtlog buffer record order -o "$OUT/file.evl"
sleep 0.3
echo 0 >/sys/devices/system/cpu/cpu2/online || die "CPU 2 stays"
tickets file 200
echo 1 >/sys/devices/system/cpu/cpu2/online || die "CPU 2 does not come back"
tickets again 100
evtlog buffer end order || die "end: $?"
# 4: record reports lost events.
for pid in $jobs; do
	wait "$pid" || [ $? = 4 ] || die "record: $?"
done
jobs=
evtlog buffer del order || die "del: $?"
# 4: events were lost
for what in 'dump --json' dump stat info check; do
	evtlog $what "$OUT/file.evl" >"$OUT/file.${what#* --}" || [ $? = 4 ] || die "$what: $?"
done

dmesg | grep -i 'BUG\|WARN\|Oops\|stall\|lockdep' && die "the kernel complains"
[ -z "$(cat $control)" ] || die "left: $(cat $control)"
