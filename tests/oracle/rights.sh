#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rights.sh GID [OPEN-TO-GROUP] - tries what must be refused, while a run records.
. /script/guest.sh

echo 1 >$evtlog/enable
rights "$@" || die "something was allowed that must not be"
echo 0 >$evtlog/enable
