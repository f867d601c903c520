#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# jitter.sh - the demo's part in the guest whose instructions are counted: two daemons, and a
# program that they interrupt. Lines that begin with "guest: " are shown.
set -eu

# daemon NAME SECONDS COMMAND - a script of that name runs the command again and again
daemon() {
	printf '#!/bin/sh\nwhile :; do sleep %s; %s; done\n' "$2" "$3" >/tmp/$1
	chmod +x /tmp/$1
	/tmp/$1 &
	daemons="${daemons:-} $!"
}

daemon monitor 0.1 'cat /proc/stat >/dev/null'
daemon backup 0.7 'dd if=/dev/zero bs=1k count=100 2>/dev/null | md5sum >/dev/null'
echo "guest: evtlog jitter run -o jitter --duration 5s, with the daemons 'monitor' and 'backup'"
evtlog jitter run -o /tmp/jitter --duration 5s >/tmp/said
sed 's/^/guest:     /' /tmp/said
kill $daemons
cp -r /tmp/jitter "$OUT"
