#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hotplug.sh - takes CPUs offline and online during a run, and while runs start and stop.
. /script/guest.sh

make_disk
start_logd
background_load no-workers
echo 1 >$evtlog/enable
hotplug 3
echo 0 >$evtlog/enable
also hotplug 3
also start_and_stop 8
join
end_load
stop_logd
check_files
cp $log/*.evl "$OUT"
