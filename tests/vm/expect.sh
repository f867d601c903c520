# SPDX-License-Identifier: GPL-2.0-or-later
#
# expect.sh - what the harness's own tests share: a scratch directory, a script
# for the guest, and claims about how tests/vm/run ended. Sourced, not run.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
said=$scratch/said	# all that the last run printed

fail() {
	echo "FAIL: $*"
	[ ! -f "$said" ] || sed 's/^/    | /' "$said"
	exit 1
}

# script NAME - writes standard input as a script for the guest
script() {
	{
		echo '#!/bin/sh'
		cat
	} >"$scratch/$1"
	chmod +x "$scratch/$1"
}

# expect STATUS RUN-ARGUMENT... - the run must end with just that status
expect() {
	local wanted=$1 got=0
	shift

	"$here/run" "$@" >"$said" 2>&1 </dev/null || got=$?
	[ "$got" = "$wanted" ] || fail "exit $got instead of $wanted: run $*"
}

# The last run must have printed a line that matches
expect_said() {
	grep -qE -e "$1" "$said" || fail "not printed: $1"
}
