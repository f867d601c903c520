# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# sample.sh - for tests of the evtlog command: sets $evtlog and $work, and defines make_log, expect,
# and checks of the last command's output. Sourced by bash and by sh.
. "$(dirname "$0")/../support/test.sh"
# Built with sanitizers, so that each call also checks memory accesses.
evtlog=$build/sanitized/evtlog
work=$scratch
# fontconfig keeps its memory until the program ends. Naming the suppressed functions takes twice as
# long as drawing a picture; LSAN_OPTIONS=symbolize=1 shows names in reports.
printf 'leak:libfontconfig\nleak:libcairo\n' >"$work/suppressions"
export LSAN_OPTIONS="suppressions=$work/suppressions:print_suppressions=0:symbolize=0:${LSAN_OPTIONS:-}"

# make_log OPTION... FILE - writes a generated log: tests/support/loggen.c
make_log() {
	"$build/tests/make-log" "$@"
}

# page_of COMMAND - prints the manual page that has evtlog-COMMAND in its NAME
page_of() {
	grep -lx "\.Nm evtlog-$1\( ,\)\?" tools/man/*.1 || fail "evtlog $1 has no manual page"
}

# expect STATUS COMMAND... - runs COMMAND, which must exit with STATUS; writes its output to
# $work/out and $work/err
expect() {
	wanted=$1
	shift
	got=0
	"$@" >"$work/out" 2>"$work/err" || got=$?
	if [ "$got" != "$wanted" ]; then
		tail -n 40 "$work/out" "$work/err" >&2
		fail "exit status $got instead of $wanted: $*"
	fi
}

# has FILE FACT... - FILE must contain each FACT, a fixed string
has() {
	local file=$1 fact
	shift
	for fact; do
		grep -qF -- "$fact" "$file" || {
			head -n 40 "$file" >&2
			fail "$file does not contain: $fact"
		}
	done
}

# says FACT... - stderr of the last command must contain each FACT: a name, a number or an
# option, not a sentence
says() {
	has "$work/err" "$@"
}

# shows FACT... - stdout of the last command must contain each FACT
shows() {
	has "$work/out" "$@"
}

# holds FILTER FILE [TEXT] - jq's FILTER must be true of FILE
holds() {
	jq -e "$1" "$2" >/dev/null || {
		echo "$(jq -c . "$2" | head -c 2000)" >&2
		fail "${3:-it does not hold: $1}"
	}
}

# struck SIGNAL COMMAND... - runs COMMAND and sends it SIGNAL at its tenth write; sets $got to
# the exit status
struck() {
	struck_by=$1
	shift
	got=0
	strace -f -qq -o "$scratch/struck" -e trace=write,writev,pwrite64 \
		-e "inject=write,writev,pwrite64:signal=SIG$struck_by:when=10" "$@" || got=$?
	grep -q "SIG$struck_by" "$scratch/struck" ||
		fail "SIG$struck_by was not sent, since this wrote fewer than ten times: $*"
}
