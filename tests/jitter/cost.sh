#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cost.sh WHAT... - instructions of a getppid(): with no evtlog, off, by default, user
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
		# No logger: what fits the buffers is written, the rest would be lost.
		echo 4096 >$evtlog/buffer_kb
		echo 1 >$evtlog/enable
		measure "$what"
		echo 0 >$evtlog/enable
		grep '^cpu\|lost' $evtlog/status || true
		;;
	esac
done
