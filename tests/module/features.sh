#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# features.sh - runs the scripts of other tests with the module, which each of them finds just loaded.
. /script/guest.sh

all=$OUT

# with SCRIPT [ARG...] - its files are in $OUT/SCRIPT, without its suffix
with() {
	OUT=$all/${1%.sh}
	export OUT
	mkdir "$OUT"
	insmod /script/evtlog.ko || die "insmod: $?"
	echo "$*"
	"/script/$@" || die "$1: $?"
	rmmod evtlog || die "rmmod after $1: $?"
	[ ! -e $evtlog ] || die "$evtlog is left after $1"
	rm -rf $log
}

ifconfig lo 127.0.0.1 up
with form.sh
with filter.sh 0.4
with named.sh
with event.sh 0.5
with watch.sh
# It can be unloaded with all of them in use, except events, whose modules keep it.
insmod /script/evtlog.ko || die "insmod: $?"
echo "+kept events=softirq if vec==1" >$evtlog/named/control || die "$(cat $evtlog/named/control)"
echo "sched_switch if next_pid==1" >$evtlog/filters || die "$(cat $evtlog/filters_error)"
insmod evtlog_event_test.ko || die "insmod: $?"
echo "sample if place==1" >$evtlog/filters || die "$(cat $evtlog/filters_error)"
echo "+w sample do wake" >$evtlog/watches || die "$(cat $evtlog/watches)"
! rmmod evtlog 2>/dev/null || die "unloaded while a module has an event"
rmmod evtlog_event_test || die "rmmod: $?"
exec 3<$evtlog/named/kept/cpu0
! rmmod evtlog 2>/dev/null || die "unloaded while a named buffer is open"
exec 3<&-
exec 3<$evtlog/matches
! rmmod evtlog 2>/dev/null || die "unloaded while matches is open"
exec 3<&-
echo 1 >$evtlog/enable
rmmod evtlog || die "rmmod: $?"
! ps | grep -q '[e]vtlog_watch' || die "a thread is left"
