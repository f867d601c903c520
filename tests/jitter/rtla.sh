#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rtla.sh SECONDS - prints rtla's own summary of the noise, from 1 us on and with its default.
. /script/noise.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
export PATH=/script:$PATH
start_noise 0
echo "from 1 us on:"
rtla osnoise top -q -c 0 -T 1 -d "$1s"
echo "by default, from 5 us on:"
rtla osnoise top -q -c 0 -d "$1s"
end_noise 2>/dev/null
exit 0
