#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# self.sh READS - threads read their own pages; see selfread.c and others.c
. /script/guest.sh

cp "$(command -v selfread)" /tmp/secret || die "no room for a copy"
chmod 4755 /tmp/secret
echo 1 >$evtlog/profile/control || die "profiles cannot be started"
selfread "$1" || die "a claim was wrong"
# Not only root sees a process, but nobody sees root's.
cat >/tmp/shows <<'END'
sleep 20 & pid=$!
evtlog profile show --pid $pid >/tmp/shown || exit 2
kill $pid
! evtlog profile show --pid 1 2>&1 | grep -v 'its profile is for its user'
END
su nobody -s /bin/sh -c 'umask 0; . /tmp/shows' || die "show --pid as nobody: $?"
grep -q 'sleep-' /tmp/shown || die "$(cat /tmp/shown)"
others || die "a claim was wrong"
library || die "a claim was wrong"
