#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# region-cost.sh - what a region costs with profiles off and on
. /script/guest.sh

grep ^ticks_hz $evtlog/status
echo "off:"
pairs
evtlog profile start || die "profiles cannot be started"
echo "on:"
pairs
