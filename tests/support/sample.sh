# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# sample.sh - what the tests of the command line share: $evtlog, $work, make_log, expect and
# what the last command printed. Sourced, by bash and sh.
. "$(dirname "$0")/../support/test.sh"
# With sanitizers, so that each run is a test of memory as well.
evtlog=$build/sanitized/evtlog
work=$scratch

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
