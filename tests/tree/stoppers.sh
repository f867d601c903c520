#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# stoppers.sh - kernel threads join the tree of a run while their CPUs' stopper threads run
. /script/guest.sh

taskset -p 1 $$ >/dev/null
enter stoppers / 0 &
for trial in $(seq 150); do
	echo +4194304 >$evtlog/trees && echo 4194304 >$evtlog/run_tree && echo 1 >$evtlog/enable || die "start: $?"
	echo "=4194304 2" >$evtlog/trees || die "trees: $?"
	echo 0 >$evtlog/enable && echo all >$evtlog/run_tree && echo -4194304 >$evtlog/trees || die "stop: $?"
	echo 16 >$evtlog/buffers || die "buffers: $?"
done
kill $!
wait $! || true
