#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# phases.sh BLOCKS COUNT - the study's three phases, one after the other, within a recording.
# What programs print of their times is $OUT/programs.
set -eu
blocks=$1 count=$2

# phase NAME KIND [VARIABLE=VALUE...] - eight sequential and eight parallel programs at one time
phase() {
	name=$1 kind=$2
	shift 2
	# Time enough for all of them to be there
	start=$(($(raw_ns) + 2000000000))
	for number in 1 2 3 4 5 6 7 8; do
		fib "$name" sequential $number "$blocks" "$count" $start >>"$OUT/programs" &
		env FIB_CPUS=8 "$@" fib "$name" "$kind" $number "$blocks" "$count" $start \
			>>"$OUT/programs" &
	done
	wait
}

raw_ns() {
	fib now
}

phase big big
phase busy small GOMP_SPINCOUNT=infinite
phase yield small GOMP_SPINCOUNT=0
