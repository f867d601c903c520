#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# position.sh - asks for positions, without logd.
. /script/guest.sh

position || die "a position is not what was recorded"
