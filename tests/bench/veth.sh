# SPDX-License-Identifier: GPL-2.0-or-later
# veth - sourced by guests of benches: makes the network namespaces left (10.77.0.1) and right
# (10.77.0.2), a veth pair between them, and a control group for the recorder.
mkdir -p /sys/fs/cgroup/recorder
run=in-group

ip netns add left
ip netns add right
ip link add to-right netns left mtu 9000 type veth peer name to-left netns right
ip -n right link set to-left mtu 9000
ip -n left addr add 10.77.0.1/24 dev to-right
ip -n right addr add 10.77.0.2/24 dev to-left
for side in left right; do
	sysctl_of=/proc/sys/net/ipv6/conf/all/disable_ipv6
	[ ! -e $sysctl_of ] || ip netns exec $side sh -c "echo 1 >$sysctl_of"
	ip -n $side link set lo up
done
ip -n left link set to-right up
ip -n right link set to-left up
# The neighbours are permanent. The kernel must query any other neighbour again; until the answer
# comes, this costs each datagram about 90 more instructions.
address_of() {
	ip -n "$1" -o link show "$2" | sed 's/.* link\/ether \([^ ]*\) .*/\1/'
}
ip -n left neigh replace 10.77.0.2 lladdr "$(address_of right to-left)" dev to-right nud permanent
ip -n right neigh replace 10.77.0.1 lladdr "$(address_of left to-right)" dev to-left nud permanent

# Prints the kernel's count of datagrams that left has sent.
sent() {
	ip netns exec left cat /proc/net/snmp | awk '/^Udp:/ { if (n++) print $5 }'
}

recorder_ns() {
	awk '$1 == "usage_usec" { printf "%.0f\n", $2 * 1000 }' /sys/fs/cgroup/recorder/cpu.stat
}

# The guest's root is the host's, by 9p. Each path that logd opens at a run's first buffer costs
# round trips to the emulator, while the load continues. So logd's root is in memory, as is
# tcpdump's file.
logd_root=/tmp/bench/root
mkdir -p $logd_root/proc $logd_root/sys $logd_root/dev $logd_root/tmp/bench
mount --rbind /proc $logd_root/proc
mount --rbind /sys $logd_root/sys
mount --rbind /dev $logd_root/dev
cp "$(command -v logd)" $logd_root/logd
mount --bind /tmp/bench $logd_root/tmp/bench
evtlog_logd="chroot $logd_root /logd"
