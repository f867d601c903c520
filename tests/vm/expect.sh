# SPDX-License-Identifier: GPL-2.0-or-later
#
# expect.sh - functions for the harness's own tests: write a script for the guest, and check how
# tests/vm/run ended. Sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/../support/test.sh"
said=$scratch/said	# all that the last run printed

# script NAME - writes standard input as a script for the guest
script() {
	{
		echo '#!/bin/sh'
		cat
	} >"$scratch/$1"
	chmod +x "$scratch/$1"
}

# expect STATUS RUN-ARGUMENT... - the run must end with this status
expect() {
	local wanted=$1 got=0
	shift

	"$here/run" "$@" >"$said" 2>&1 </dev/null || got=$?
	[ "$got" = "$wanted" ] || fail "exit $got instead of $wanted: run $*"
}

# expect_said PATTERN - the last run must have printed a matching line
expect_said() {
	grep -qE -e "$1" "$said" || fail "not printed: $1"
}
