#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rights.sh GID [OPEN-TO-GROUP] - tries accesses that must be refused, while a run records.
. /script/guest.sh

echo '+each kb=4 events=sched_switch' >$evtlog/named/control || die "$(head -n 1 $evtlog/named/control)"
echo '+common global kb=4' >$evtlog/named/control || die "$(head -n 1 $evtlog/named/control)"
echo 1 >$evtlog/enable
rights "$@" || die "something was allowed that must not be"
echo 0 >$evtlog/enable
