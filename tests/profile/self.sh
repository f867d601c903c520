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
# A member of evtlog.gid has no more rights without CAP_PERFMON, nor less, and is told so.
echo 'reader:x:4242:4242::/:/bin/sh' >>/etc/passwd
su reader -s /bin/sh -c 'umask 0; . /tmp/shows' || die "show --pid as a member: $?"
for user in nobody reader; do
	for command in show check 'top --batch -n 1' 'report live'; do
		! su $user -s /bin/sh -c "evtlog profile $command" >/tmp/refused 2>&1 || die "$user: $command: accepted"
		grep -q 'needs root, or CAP_PERFMON and the group of evtlog.gid' /tmp/refused ||
			die "$user: $command: $(cat /tmp/refused)"
	done
done
others || die "a claim was wrong"
library || die "a claim was wrong"
