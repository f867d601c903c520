# SPDX-License-Identifier: GPL-2.0-or-later
#
# guest.sh - what the scripts in the guest share: claims, a load, waiting.
# Sourced by busybox sh.

set -u

fail() {
	echo "FAIL: $*"
	exit 1
}

# claim WHAT COMMAND... - the command must succeed
claim() {
	what=$1
	shift
	"$@" || fail "$what: $*"
}

# ends STATUS COMMAND... - the command must end with just that status
ends() {
	wanted=$1
	shift
	"$@"
	got=$?
	[ $got -eq "$wanted" ] || fail "exit $got instead of $wanted: $*"
}

# until_true SECONDS COMMAND...
until_true() {
	tries=$(($1 * 10))
	shift
	while ! "$@"; do
		[ $tries -gt 0 ] || return 1
		tries=$((tries - 1))
		sleep 0.1
	done
}

logger_is() {
	[ "$(cat /proc/evtlog/pid)" = "$1" ]
}

# Small buffers, so that a little load fills many.
geometry() {
	echo "$1" >/proc/evtlog/buffers && echo "$2" >/proc/evtlog/buffer_kb ||
		fail "geometry $1 x $2 KiB"
}

load_start() {
	pingpong &
	load=$!
}

load_stop() {
	kill $load
	wait $load 2>/dev/null
	true
}

# What the kernel says that was lost in the current or last run.
kernel_lost() {
	awk '$1 == "cpu" { for (i = 1; i < NF; i++) if ($i ~ /^lost_/) n += $(i + 1) }
	     END { print n + 0 }' /proc/evtlog/status
}

file_lost() {
	evtlog info --json "$1" | awk -F: '/^  "lost":/ { print $2 + 0 }'
}

# CPU time of a process so far, in ticks.
cpu_ticks() {
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}
