# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# merge.sh - what the tests of merging share; sourced in the tree's root. Gives
# $evtlog (with sanitizers), $work (removed at the end), simulate, expect, says,
# shows and fail.

set -euo pipefail
. tests/support/sample.sh
simulate=$build/tests/clock/simulate
seed=${SEED:-$(date +%s)}
echo "SEED=$seed"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/support:tests/oracle

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

# needs_python - skips the test without
needs_python() {
	command -v python3 >/dev/null && return
	echo "python3: not installed; run tests/depend check"
	exit 77
}
