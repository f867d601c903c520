# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What the tests of the command line share; sourced from the tree's root. Gives
# $evtlog, $work (removed at the end), make_log, expect and fail.

build=${BUILD:-build}
# With sanitizers, so that each run is a test of memory as well.
evtlog=$build/sanitized/evtlog
[ -f "$build/test-programs" ] || { echo "not built: run make test-programs"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "$(basename "$0"): $*" >&2
	exit 1
}

make_log() {
	"$build/tests/make-log" "$@"
}

# expect STATUS COMMAND...: its output is in $work/out and $work/err
expect() {
	wanted=$1
	shift
	got=0
	"$@" >"$work/out" 2>"$work/err" || got=$?
	if [ "$got" != "$wanted" ]; then
		tail -n 40 "$work/out" "$work/err" >&2
		fail "$* exits $got, not $wanted"
	fi
}

# says TEXT: the last command said it on stderr
says() {
	grep -qF -- "$1" "$work/err" || {
		cat "$work/err" >&2
		fail "stderr lacks: $1"
	}
}

# shows TEXT: the last command printed it
shows() {
	grep -qF -- "$1" "$work/out" || {
		head -n 40 "$work/out" >&2
		fail "stdout lacks: $1"
	}
}
