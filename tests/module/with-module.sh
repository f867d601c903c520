#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# with-module.sh SCRIPT [ARG...] - loads the module, runs the script, and unloads the module.
set -eu
insmod /script/evtlog.ko
"$@"
rmmod evtlog
[ ! -e /proc/evtlog ]
