#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# merged.sh - programs with regions, including MPI and OpenMP, while profiles are on
. /script/guest.sh

export LD_LIBRARY_PATH=/script OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ip link set lo up
evtlog profile start || die "profiles cannot be started"
EVTLOG_PROFILE_FILE=$OUT/regions regions >"$OUT/told" || die "regions: $?"
# Each user's threads can map their own page.
EVTLOG_PROFILE_FILE=/tmp/nobody setpriv --reuid 65534 --regid 65534 --clear-groups regions \
	>"$OUT/told.nobody" || die "regions, as nobody: $?"
# The threads have no page, or only one has.
for bytes in 0 4096; do
	EVTLOG_PROFILE_FILE=/tmp/limit-$bytes prlimit --memlock=$bytes setpriv --reuid 65534 --regid 65534 \
		--clear-groups regions >/dev/null || die "regions, with $bytes bytes of locked memory: $?"
done
cp /tmp/nobody.* /tmp/limit-* "$OUT/"
if [ -e /script/ranks ]; then
	EVTLOG_PROFILE_FILE=$OUT/ranks mpirun --oversubscribe --mca btl self,vader -np 2 \
		-x LD_PRELOAD=/script/libevtlog-mpi.so /script/ranks || die "mpirun: $?"
fi
if [ -e /script/teams ]; then
	EVTLOG_PROFILE_FILE=$OUT/teams OMP_TOOL_LIBRARIES=/script/libevtlog-openmp.so teams ||
		die "teams: $?"
	# Waiting threads block at once.
	EVTLOG_PROFILE_FILE=$OUT/tasks OMP_TOOL_LIBRARIES=/script/libevtlog-openmp.so OMP_CANCELLATION=true \
		KMP_BLOCKTIME=0 tasks >"$OUT/told.tasks" || die "tasks: $?"
fi
EVTLOG_PROFILE_FILE=$OUT/restart edges restart || die "edges: $?"
EVTLOG_PROFILE_FILE=$OUT/child edges child || die "edges: $?"
evtlog profile stop
# Without profiles, all time is user mode.
EVTLOG_PROFILE_FILE=$OUT/off regions >"$OUT/told.off" || die "regions, without profiles: $?"
