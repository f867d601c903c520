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

# has FILE FACT... - the last command wrote each of them there
has() {
	local file=$1 fact
	shift
	for fact; do
		grep -qF -- "$fact" "$file" || {
			head -n 40 "$file" >&2
			fail "${file##*/} lacks: $fact"
		}
	done
}

# says FACT... - on stderr: names, numbers and options, in whatever words
says() {
	has "$work/err" "$@"
}

# shows FACT... - on stdout
shows() {
	has "$work/out" "$@"
}

# struck SIGNAL COMMAND... - it gets the signal at its tenth write; its exit status is in $got
struck() {
	struck_by=$1
	shift
	got=0
	strace -f -qq -o "$scratch/struck" -e trace=write,writev,pwrite64 \
		-e "inject=write,writev,pwrite64:signal=SIG$struck_by:when=10" "$@" || got=$?
	grep -q "SIG$struck_by" "$scratch/struck" || fail "SIG$struck_by: fewer than ten writes: $*"
}
