#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# stock.sh - loads the module, records the same load with ftrace and evtlog, and unloads the module.
set -eu
insmod /script/evtlog.ko
/script/ftrace.sh 1
rmmod evtlog
[ ! -e /proc/evtlog ]
