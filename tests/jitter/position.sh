#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# position.sh - runs the program position, without logd.
. /script/guest.sh

position || die "a position is not what was recorded"
