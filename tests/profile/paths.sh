#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# paths.sh - regions with the kernel's call paths: with the group net, without, with profiles off,
# as another user, and with a restart of profiles
. /script/guest.sh

ifconfig lo 127.0.0.1 up
export EVTLOG_REGION_PATHS=1
# run NAME ARGUMENT...
run() {
	name=$1
	shift
	EVTLOG_PROFILE_FILE=$OUT/$name paths "$@" >"$OUT/$name.self" || die "paths, $name: $?"
}
echo "groups all,net" >$evtlog/profile/control
evtlog profile start || die "profiles cannot be started"
run net
chmod 777 "$OUT"
run user user
run lost lost
EVTLOG_REGION_PATHS=0 run groups
evtlog profile stop
run off
echo "groups all" >$evtlog/profile/control
evtlog profile start || die "profiles cannot be started"
run all
EVTLOG_PROFILE_FILE=$OUT/restart edges restart || die "edges: $?"
EVTLOG_PROFILE_FILE=/tmp/closed edges closed || die "a descriptor of the program's was closed"
evtlog profile stop
