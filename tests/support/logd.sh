# SPDX-License-Identifier: GPL-2.0-or-later
#
# logd.sh - runs a script of tests/logd in a guest. Sourced by host tests.
. "$(dirname "${BASH_SOURCE[0]}")/test.sh"

# in_guest SCRIPT OPTION... [-- ARG...] - runs tests/logd/SCRIPT with ARGs in a guest; OPTIONs are
# those of tests/vm/run
in_guest() {
	local script=tests/logd/$1 options=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	[ $# -eq 0 ] || shift
	tests/vm/run --file tests/support/logd-in-guest.sh --file "$build/tests/logd/pingpong" \
		"${options[@]}" "$script" "$@"
}
