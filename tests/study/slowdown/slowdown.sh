#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# slowdown.sh ROUNDS BLOCKS COUNT BUFFER_KB HOW... - runs the study's programs, recorded in each of
# these ways, and before, between and after them without recording ("off"). HOW is "events" or an
# interval of the sampler, such as 250Hz. A thread computes BLOCKS blocks of COUNT numbers. Under
# --icount, ns are instructions.
#
# $OUT/times gets "ROUND HOW PHASE NS", from the programs' common start to the end of the last one.
# $OUT/costs gets "ROUND HOW LOGD_NS BYTES LOST FILE_BYTES SAMPLER_NS PASSES MISSED", without logd's
# start and end.
. /script/guest.sh

rounds=$1 blocks=$2 count=$3
echo "$4" >$evtlog/buffer_kb
echo 16 >$evtlog/buffers
shift 4
default=$(cat $evtlog/events)

# run_phase PHASE KIND - waiting threads block at once, so all phases have the same work
run_phase() {
	start=$(($(fib now) + 400000000))
	: >/tmp/programs
	for number in 1 2 3 4 5 6 7 8; do
		fib "$1" sequential $number "$blocks" "$count" $start >>/tmp/programs &
		FIB_CPUS=8 GOMP_SPINCOUNT=0 fib "$1" "$2" $number "$blocks" "$count" $start >>/tmp/programs &
	done
	for pid in $(jobs -p); do
		[ "$pid" = "${logd_pid:-}" ] || wait "$pid"
	done
	# A late program has begun after the common start.
	awk -v start="$start" '{ if ($6 > last) last = $6; late += $5 > start + 50000000 }
		END { if (NR == 16 && !late) printf "%.0f\n", last - start }' /tmp/programs
}

# run_phases ROUND HOW
run_phases() {
	for phase in big small; do
		took=$(run_phase $phase $phase)
		[ "$took" ] || die "$2: a program began late or did not end: $(cat /tmp/programs)"
		echo "$1 $2 $phase $took" >>"$OUT/times"
	done
}

# ran PID - prints its ns on a CPU
ran() {
	cut -d' ' -f1 "/proc/$1/schedstat"
}

is_sampling() {
	sampler_pid=$(grep -ls '^evtlog-sampler$' /proc/[0-9]*/comm | cut -d/ -f3)
	[ "$sampler_pid" ]
}

# number NAME FILE - prints N of a line "NAME N"
number() {
	sed -n "s/^$1 //p" "$2"
}

# count_bytes - prints the bytes of all buffers so far, and the number of lost records
count_bytes() {
	awk '$1 == "cpu" { for (i = 2; i < NF; i++) {
		if ($i == "bytes") bytes += $(i + 1)
		if ($i ~ /^lost_/) lost += $(i + 1)
	} } END { printf "%.0f %.0f\n", bytes, lost }' $evtlog/status
}

# record ROUND HOW
record() {
	start_logd
	case $2 in
	events) echo "$default" >$evtlog/events ;;
	*)
		# The types of evtlog record --sample
		echo "-all +task +event" >$evtlog/events
		echo "interval=$2 tree=$$" >$evtlog/sampler
		;;
	esac
	echo 1 >$evtlog/enable
	[ "$2" = events ] || await 10 is_sampling
	logd_before=$(ran $logd_pid)
	run_phases "$1" "$2"
	logd_ns=$(($(ran $logd_pid) - logd_before))
	sampler="0 0 0"
	[ "$2" = events ] ||
		sampler="$(ran $sampler_pid) $(number passes $evtlog/sampler) $(number missed $evtlog/sampler)"
	bytes=$(count_bytes)
	echo 0 >$evtlog/enable
	echo off >$evtlog/sampler
	stop_logd
	logd_pid=
	mv $log/*.evl "/tmp/$2.evl"
	echo "$1 $2 $logd_ns $bytes $(stat -c %s "/tmp/$2.evl") $sampler" >>"$OUT/costs"
}

for round in $(seq "$rounds"); do
	run_phases "$round" off
	for how; do
		record "$round" "$how"
	done
done
run_phases end off
for how; do
	mv "/tmp/$how.evl" "$OUT"
done
