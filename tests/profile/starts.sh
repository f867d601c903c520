#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# starts.sh FEW MANY - what a start and a stop of profiles cost, by processes
. /script/guest.sh

echo 20000 >/proc/sys/kernel/pid_max
for count; do
	starts processes "$count" >>"$OUT/starts" || die "starts: $?"
	until_true 100 sh -c '! pidof starts >/dev/null' || die "processes stay"
done
