# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# merge.sh - functions for tests of merging: simulate, and those of sample.sh.
. "$(dirname "$0")/../support/sample.sh"
simulate=$build/tests/clock/simulate
PYTHONPATH+=:$top/tests/oracle

# simulate DIRECTORY OPTION... - makes the logs of simulated hosts
simulate() {
	local directory=$1
	shift
	"$simulate" --seed "$seed" "$@" "$directory"
}

# shuffled DIRECTORY - prints its files in random order, a new one for each call
shuffled() {
	echo >>"$work/shuffled"
	printf '%s\n' "$1"/*.evl |
		sort -R --random-source=<(yes "$seed $(wc -l <"$work/shuffled")")
}
