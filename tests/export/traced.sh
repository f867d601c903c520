#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# traced.sh COUNT - a program that traces itself, and the log of its run
. /script/guest.sh

traces=$OUT/traces
mkdir -p "$traces"
evtlog record -o "$OUT/run.evl" -- traced "$traces" "$1"
