#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# phases.sh BLOCKS COUNT - runs the study's three phases one after the other, within a recording.
# The programs print their times to $OUT/programs.
set -eu
blocks=$1 count=$2

# phase NAME KIND [VARIABLE=VALUE...] - runs eight sequential and eight parallel programs together
phase() {
	name=$1 kind=$2
	shift 2
	# Enough time to start all of them
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
