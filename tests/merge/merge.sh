# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# merge.sh - what the tests of merging share: simulate, and what sample.sh has.
. "$(dirname "$0")/../support/sample.sh"
simulate=$build/tests/clock/simulate
PYTHONPATH+=:$top/tests/oracle

# simulate DIRECTORY OPTION...
simulate() {
	local directory=$1
	shift
	"$simulate" --seed "$seed" "$@" "$directory"
}

# shuffled DIRECTORY - its files in any order, another one each time
shuffled() {
	echo >>"$work/shuffled"
	printf '%s\n' "$1"/*.evl |
		sort -R --random-source=<(yes "$seed $(wc -l <"$work/shuffled")")
}
