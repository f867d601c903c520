#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sched-debug.sh NS ROUNDS - runs sched-policies.sh and sched-inherit.sh in one guest: the boot of a
# debug kernel takes as long as each of them
/script/sched-policies.sh "$1" || exit
echo "== priority inheritance"
/script/sched-inherit.sh "$2"
