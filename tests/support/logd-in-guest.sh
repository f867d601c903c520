# SPDX-License-Identifier: GPL-2.0-or-later
#
# logd-in-guest.sh - what the scripts in the guest share: claims, a load, waiting.
# Sourced by busybox sh.

set -u
. ./waiting.sh

# claim WHAT COMMAND... - the command must succeed
claim() {
	what=$1
	shift
	"$@" || die "$what: $*"
}

# ends STATUS COMMAND... - the command must end with just that status
ends() {
	wanted=$1
	shift
	"$@"
	got=$?
	[ $got -eq "$wanted" ] || die "exit $got instead of $wanted: $*"
}

logger_is() {
	[ "$(cat /proc/evtlog/pid)" = "$1" ]
}

# Small buffers, so that a little load fills many.
geometry() {
	echo "$1" >/proc/evtlog/buffers && echo "$2" >/proc/evtlog/buffer_kb ||
		die "geometry $1 x $2 KiB"
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

file_lost() {
	evtlog info --json "$1" | awk -F: '/^  "lost":/ { print $2 + 0 }'
}
