# SPDX-License-Identifier: GPL-2.0-or-later
#
# waiting.sh - functions for scripts in a guest: wait for a condition, read the CPU time of a
# process and the number of lost records, make a network namespace that acts as a second host,
# and end with a reason. It is in /script of each guest; scripts source it in busybox sh.
# It prints nothing when a wait times out: the caller does.

# die TEXT... - prints the reason and ends the script with 1
die() {
	echo "guest: $*"
	exit 1
}

# until_true SECONDS COMMAND... - repeats COMMAND until it succeeds; fails after SECONDS
until_true() {
	local tries=$(($1 * 10))
	shift
	while ! "$@"; do
		[ $tries -gt 0 ] || return 1
		tries=$((tries - 1))
		sleep 0.1
	done
}

# cpu_ticks PID - prints the CPU time that the process used, with all its threads, in 1/100 s
cpu_ticks() {
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# kernel_lost - prints how many records the kernel lost in the current run, or in the last one
kernel_lost() {
	awk '$1 == "cpu" { for (i = 1; i < NF; i++) if ($i ~ /^lost_/) n += $(i + 1) }
	     END { print n + 0 }' /proc/evtlog/status
}

# other_namespace - makes a network namespace with the address 10.88.0.2, and gives the current
# one the address 10.88.0.1. $inside is the pid of a process in the new namespace.
other_namespace() {
	unshare -n sleep 3600 &
	inside=$!
	sleep 1
	# busybox cannot name the two ends; the kernel names them veth0 and veth1.
	ip link add type veth
	ip link set veth1 netns $inside
	ip addr add 10.88.0.1/24 dev veth0
	ip link set veth0 up
	nsenter -t $inside -n ip addr add 10.88.0.2/24 dev veth1
	nsenter -t $inside -n ip link set veth1 up
	until_true 60 ping -q -c 1 -W 1 10.88.0.2 >/dev/null
}
