#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# starts.sh FEW MANY - the cost of a start and a stop of profiles, by processes and by pages; of
# reading a family; and of a thread's first mapping, by threads
. /script/guest.sh

echo 20000 >/proc/sys/kernel/pid_max
for what in processes pages threads; do
	for count; do
		starts $what "$count" >>"$OUT/starts" || die "starts $what: $?"
		until_true 100 sh -c '! pidof starts >/dev/null' || die "processes stay"
	done
done
starts family 250 >>"$OUT/starts" || die "starts family: $?"
echo 1 >$evtlog/profile/control || die "profile: cannot be started"
starts limit >>"$OUT/starts"
