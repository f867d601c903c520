#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# self.sh READS - threads read their own pages, see selfread.c and others.c
. /script/guest.sh

cp "$(command -v selfread)" /tmp/secret || die "no room for a copy"
chmod 4755 /tmp/secret
echo "groups all,net,block" >$evtlog/profile/control || die "groups"
evtlog probe add vfs_read%timer || die "probe add %timer: $?"
echo 1 >$evtlog/profile/control || die "profiles cannot be started"
selfread "$1" || die "a claim was wrong"
! evtlog probe del vfs_read 2>/tmp/said || die "a name that is none"
grep -q 'there is vfs_read%timer' /tmp/said || die "$(cat /tmp/said)"
evtlog probe del '*'
# Deleted timers leave no counters.
percpu_kb() {
	awk '/^Percpu/ { print $2 }' /proc/meminfo
}
timers() {
	for _ in $(seq 30); do
		printf '+%s%%timer\n' ip_rcv vfs_write ksys_read ksys_write vfs_open do_sys_openat2 udp_rcv ip_output \
			tcp_sendmsg tcp_recvmsg tcp_v4_rcv icmp_rcv seq_read_iter vfs_statx do_filp_open >$evtlog/probes ||
			die "timers: $(head -n 1 $evtlog/probes)"
		echo '-*' >$evtlog/probes
	done
	sleep 1
}
timers
before=$(percpu_kb)
timers
timers
timers
after=$(percpu_kb)
echo "1350 timers more: $before kB for CPUs, then $after"
[ "$after" -le $((before + 64)) ] || die "counters of timers stay"
# Users other than root see their processes, but not root's.
cat >/tmp/shows <<'END'
sleep 20 & pid=$!
# Wait until it has its name, which it gets after exec.
until [ "$(cat /proc/$pid/comm)" = sleep ]; do :; done
evtlog profile report --pid $pid >/tmp/shown || exit 2
evtlog profile report --tree --pid $pid live >/tmp/reported || exit 3
kill $pid
! evtlog profile report --pid 1 2>&1 | grep -v 'only its user and root'
END
su nobody -s /bin/sh -c 'umask 0; . /tmp/shows' || die "show --pid as nobody: $?"
grep -q 'sleep-' /tmp/shown || die "$(cat /tmp/shown)"
grep -q 'sleep' /tmp/reported || die "$(cat /tmp/reported)"
# Without CAP_PERFMON, a member of evtlog.gid has any user's rights; messages name what is needed.
echo 'reader:x:4242:4242::/:/bin/sh' >>/etc/passwd
su reader -s /bin/sh -c 'umask 0; . /tmp/shows' || die "show --pid as a member: $?"
for user in nobody reader; do
	for command in 'profile report' 'check --profile' 'profile top -n 1' 'profile report live'; do
		! su $user -s /bin/sh -c "evtlog $command" >/tmp/refused 2>&1 || die "$user: $command: accepted"
		grep -q 'needs root, or CAP_PERFMON and the group of evtlog.gid' /tmp/refused ||
			die "$user: $command: $(cat /tmp/refused)"
	done
done
# Reading one's own profile does not wait for CPU hotplug; reading CPUs does.
evtlog probe add cpus_read_lock%timer || die "probe add %timer: $?"
# locked COMMAND - does the command take the lock of CPU hotplug?
locked() {
	evtlog profile --json -o /tmp/locked.json -- sh -c "$1" >/tmp/read || die "$1: $?"
	grep -q '^task ' /tmp/read || die "$1: $(cat /tmp/read)"
	grep -q 'function:cpus_read_lock' /tmp/locked.json
}
locked "cat $evtlog/profile/all" || die "the lock is not seen"
! locked "cat $evtlog/profile/self" || die "self takes the lock of CPU hotplug"
evtlog probe del '*'
others || die "a claim was wrong"
library || die "a claim was wrong"
