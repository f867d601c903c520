#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# lines.sh - records runs on a machine with many interrupt lines: first none interrupts, then half
# of them do, and then all are freed during a run.
. /script/guest.sh
fire=/sys/module/evtlog_lines_test/parameters/fire

insmod evtlog_lines_test.ko lines="$1" || die "insmod: $?"
start_logd
evtlog start --arm || die "evtlog start --arm"
# run_of NAME COMMAND...
run_of() {
	echo "1 $1" >$evtlog/enable
	shift
	"$@"
	echo 0 >$evtlog/enable
	await 20 is_fetched
}

# The next run needs this run's buffers.
is_fetched() {
	! grep -q " waiting [1-9]" $evtlog/status
}

half=$(($1 / 2))
fire_twice() {
	echo $half >$fire
	usleep 20000
	echo $half >$fire
}

give_back() {
	echo $half >$fire
	rmmod evtlog_lines_test || die "rmmod: $?"
	# By now the kernel has freed its memory, unless evtlog keeps it.
	sleep 1
}

run_of none usleep 20000
run_of half fire_twice
run_of again usleep 20000
run_of back give_back
stop_logd
for file in $log/*.evl; do
	cp "$file" "$OUT"
	evtlog check "$file" >/tmp/check.txt || die "evtlog check $file: $(cat /tmp/check.txt)"
done
