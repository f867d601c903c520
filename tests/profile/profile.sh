#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# profile.sh SEED - profiles of commands, periods and cgroups; traces; and values
. /script/guest.sh

# The kernel's command line has started profiles.
[ "$(head -n 2 $evtlog/profile/control)" = "$(printf 'state on\ngroups sched,syscall,softirq')" ] ||
	die "at boot: $(head -n 2 $evtlog/profile/control)"
echo 0 >$evtlog/profile/control
evtlog check --profile
echo "groups all" >$evtlog/profile/control
# shellcheck source=tests/profile/family.sh
. /script/family.sh
echo 1 >$evtlog/profile/control || die "profile: cannot be started"
# shellcheck source=tests/profile/trace.sh
. /script/trace.sh
# shellcheck source=tests/profile/record.sh
. /script/record.sh
# shellcheck source=tests/profile/record-traces.sh
. /script/record-traces.sh
echo 0 >$evtlog/profile/control
echo 1 >$evtlog/profile/control
# An unfinished wait, alone and as part of a period
sleep 1000 & pid=$!
sleep 0.5
evtlog profile report --json --pid $pid >"$OUT/asleep"
evtlog profile record --interval 1s --count 1 --pid $pid --json -o "$OUT/asleep-period"
kill $pid
echo 0 >$evtlog/profile/control
cat $evtlog/profile/all >"$OUT/stopped"

# Functions nest with other events.
ifconfig lo 127.0.0.1 up
! evtlog probe add 'vfs_read%timer(arg1)' || die "a timer with an argument"
evtlog probe add udp_sendmsg%timer udp_rcv%timer vfs_read%timer || die "probe add %timer: $?"
! evtlog profile -o /nodir/x -- touch /tmp/has-run || die "-o where there is no directory"
[ ! -e /tmp/has-run ] || die "the command has run, and its profile cannot be written"
evtlog profile --json -o "$OUT/timer.json" -- udp 100 300 5555 || die "evtlog profile: $?"
evtlog probe list
evtlog probe del '*'
# shellcheck source=tests/profile/values.sh
. /script/values.sh
