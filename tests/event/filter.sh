#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# filter.sh - filters a module's event by its fields, while records are put in place and copied, and
# deletes the filter
. /script/guest.sh

filters=$evtlog/filters
# must_refuse WORDS TEXT - the kernel refuses the text with this error
must_refuse() {
	! echo "$2" >$filters 2>/dev/null || die "$2: not refused"
	grep -q "$1" ${evtlog}/filters_error || die "$2: refused with $(cat ${evtlog}/filters_error)"
}
run() {
	start_logd
	echo 1 >$evtlog/enable
	sleep 0.1
	echo 0 >$evtlog/enable
	stop_logd
	mv $log/*.evl "$OUT/$1.evl"
	evtlog stat "$OUT/$1.evl" >"$OUT/$1.stat" || die "$1: evtlog stat: $?"
}

echo "-all +event" >$evtlog/events
echo 64 >$evtlog/buffers
echo 128 >$evtlog/buffer_kb
must_refuse 'nor an event of a module' 'sample if place==1'
insmod evtlog_event_test.ko || die "insmod: $?"
must_refuse 'column 1.*nonsense' 'sample if nonsense==1'
run all
evtlog filter sample '(place!=2 && (sequence&3)==1) || (place==2 && (sequence&3)==2)' ||
	die "not taken: $(cat $evtlog/filters_error)"
run some
evtlog filter | tee "$OUT/filters"
evtlog filter sample 'place in {3}' || die "not replaced"
run hard
# The same field, interpreted in network order
evtlog filter sample 'ecalp in {0x2000000, 3}' || die "not replaced"
run swapped
evtlog filter del sample || die "not taken away"
[ -z "$(cat $filters)" ] || die "left: $(cat $filters)"
run again
# An event is removed with its filter; a new event has none.
evtlog filter sample 'place==9' || die "not taken"
rmmod evtlog_event_test || die "rmmod: $?"
[ -z "$(cat $filters)" ] || die "left: $(cat $filters)"
insmod evtlog_event_test.ko || die "insmod: $?"
run new
rmmod evtlog_event_test || die "rmmod: $?"
