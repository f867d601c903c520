# SPDX-License-Identifier: GPL-2.0-or-later
#
# waiting.sh - waits in a guest until something is so, what is waited for by numbers: CPU time,
# lost records; a second host's place; and die(), which ends a script with a reason. In every
# guest's /script; sourced by busybox sh. The caller says that a wait was in vain.

die() {
	echo "guest: $*"
	exit 1
}

# until_true SECONDS COMMAND... - until it succeeds; else it is false
until_true() {
	local tries=$(($1 * 10))
	shift
	while ! "$@"; do
		[ $tries -gt 0 ] || return 1
		tries=$((tries - 1))
		sleep 0.1
	done
}

# cpu_ticks PID - the CPU time that it has had, with all its threads, in 1/100 s
cpu_ticks() {
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# kernel_lost - the records that the kernel says were lost in the current or last run
kernel_lost() {
	awk '$1 == "cpu" { for (i = 1; i < NF; i++) if ($i ~ /^lost_/) n += $(i + 1) }
	     END { print n + 0 }' /proc/evtlog/status
}

# A network namespace with the address 10.88.0.2; this one has 10.88.0.1. $inside is in it.
other_namespace() {
	unshare -n sleep 3600 &
	inside=$!
	sleep 1
	# Their names are the kernel's choice: busybox does not give any.
	ip link add type veth
	ip link set veth1 netns $inside
	ip addr add 10.88.0.1/24 dev veth0
	ip link set veth0 up
	nsenter -t $inside -n ip addr add 10.88.0.2/24 dev veth1
	nsenter -t $inside -n ip link set veth1 up
	until_true 60 ping -q -c 1 -W 1 10.88.0.2 >/dev/null
}
