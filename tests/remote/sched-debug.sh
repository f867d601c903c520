#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sched-debug.sh NS ROUNDS - sched-policies.sh and then sched-inherit.sh in one guest: of a debug
# kernel the boot costs as much as either.
/script/sched-policies.sh "$1" || exit
echo "== priority inheritance"
/script/sched-inherit.sh "$2"
