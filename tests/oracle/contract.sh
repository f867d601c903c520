#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# contract.sh - tests the promises of /proc/evtlog while a CPU is offline.
. /script/guest.sh

echo 0 >/sys/devices/system/cpu/cpu$last_cpu/online
contract || die "a promise was not kept"
