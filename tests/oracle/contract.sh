#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# contract.sh - asks /proc/evtlog for its promises, with a CPU that is away.
. /script/guest.sh

echo 0 >/sys/devices/system/cpu/cpu$last_cpu/online
contract || die "a promise was not kept"
