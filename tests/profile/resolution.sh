#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# resolution.sh - witnesses.sh alone; a nanosecond is an instruction
. /script/guest.sh

ip link set lo up
# shellcheck source=tests/profile/witnesses.sh
. /script/witnesses.sh
