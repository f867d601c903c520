#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cost.sh WHAT... - counts the instructions of getppid() for each WHAT: none (a kernel without
# evtlog), off, default events, or user (the boundary)
set -eu
evtlog=/proc/evtlog
measure() {
	echo "$1 $(boundary 0 cost 2000)" >>"$OUT/cost.txt"
}

[ "$1" = none ] || cat $evtlog/events >"$OUT/events"
for what; do
	case $what in
	none | off) measure "$what" ;;
	default | user)
		[ "$what" = default ] || echo "+user" >$evtlog/events
		# There is no logger: all records must fit the buffers.
		echo 4096 >$evtlog/buffer_kb
		echo 1 >$evtlog/enable
		measure "$what"
		echo 0 >$evtlog/enable
		grep '^cpu\|lost' $evtlog/status || true
		;;
	esac
done
