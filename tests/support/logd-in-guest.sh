# SPDX-License-Identifier: GPL-2.0-or-later
#
# logd-in-guest.sh - functions for scripts of tests/logd in the guest: check claims, set the
# kernel's buffers, make a load. Sourced by busybox sh; waiting.sh adds functions that wait.

set -u
. ./waiting.sh

# claim WHAT COMMAND... - COMMAND must succeed; WHAT describes it if it fails
claim() {
	what=$1
	shift
	"$@" || die "$what: $*"
}

# ends STATUS COMMAND... - COMMAND must exit with STATUS
ends() {
	wanted=$1
	shift
	"$@"
	got=$?
	[ $got -eq "$wanted" ] || die "exit $got instead of $wanted: $*"
}

# logger_is PID - is PID the process that the kernel has as its logger?
logger_is() {
	[ "$(cat /proc/evtlog/pid)" = "$1" ]
}

# geometry COUNT KIB - sets number and size of the kernel's buffers. Small ones fill with little load.
geometry() {
	echo "$1" >/proc/evtlog/buffers && echo "$2" >/proc/evtlog/buffer_kb ||
		die "geometry $1 x $2 KiB"
}

# load_start - starts two tasks on each CPU that wake each other; load_stop ends them
load_start() {
	pingpong &
	load=$!
}

load_stop() {
	kill $load
	wait $load 2>/dev/null
	true
}

# file_lost LOG - prints how many records the log lost
file_lost() {
	evtlog info --json "$1" | awk -F: '/^  "lost":/ { print $2 + 0 }'
}
