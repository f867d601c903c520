#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# devices.sh - sends pings through a bridge, VLANs, a bond and combinations of them to another
# network namespace, while a run records.
. /script/guest.sh

for name in llc stp bridge 8021q bonding; do
	insmod $name.ko || die "insmod $name.ko: $?"
done

unshare -n sleep 1000 &
far_pid=$!
is_apart() {
	[ "$(readlink /proc/$far_pid/ns/net)" != "$(readlink /proc/self/ns/net)" ]
}
await 60 is_apart
far() {
	nsenter -t $far_pid -n "$@"
}

# pair NAME - makes a cable from $NAME here to f$NAME there
pair() {
	ip link add name "$1" type veth
	ip link set veth0 name "f$1"
	ip link set "f$1" netns $far_pid
	ip link set "$1" up
	far ip link set "f$1" up
}

# address DEVICE FAR-DEVICE NET - sets 10.NET.0.1 here, 10.NET.0.2 there
address() {
	ip link set "$1" up
	far ip link set "$2" up
	ip addr add "10.$3.0.1/24" broadcast "10.$3.0.255" dev "$1"
	far ip addr add "10.$3.0.2/24" broadcast "10.$3.0.255" dev "$2"
}

for name in a b d e g; do
	pair $name
done
far ip link set lo up

# 1: a cable; 2: a VLAN on it
address a fa 1
ip link add link a name a.5 type vlan id 5
far ip link add link fa name fa.5 type vlan id 5
address a.5 fa.5 2

# 3: a bridge with two ports; 4: a VLAN on the bridge
brctl addbr br0
for port in b dummy0; do
	brctl addif br0 $port
	ip link set $port up
done
address br0 fb 3
ip link add link br0 name br0.7 type vlan id 7
far ip link add link fb name fb.7 type vlan id 7
address br0.7 fb.7 4

# 5: a bond of two cables to a bridge; 6: a VLAN on the bond
for slave in d e; do
	ip link set $slave down
	echo +$slave >/sys/class/net/bond0/bonding/slaves
done
far brctl addbr fbr
far brctl addif fbr fd
far brctl addif fbr fe
address bond0 fbr 5
ip link add link bond0 name bond0.9 type vlan id 9
far ip link add link fbr name fbr.9 type vlan id 9
address bond0.9 fbr.9 6

# 7: a bridge whose port is a VLAN of a cable
ip link add link g name g.3 type vlan id 3
far ip link add link fg name fg.3 type vlan id 3
brctl addbr br1
brctl addif br1 g.3
ip link set g.3 up
address br1 fg.3 7

for net in $(seq 7); do
	await_host "10.$net.0.2"
done
echo 0 >/proc/sys/net/ipv4/icmp_echo_ignore_broadcasts
far sh -c 'echo 0 >/proc/sys/net/ipv4/icmp_echo_ignore_broadcasts'
start_logd
echo 1 >$evtlog/enable
for net in $(seq 7); do
	ping -q -c 10 -i 0.05 "10.$net.0.2" >/dev/null &
	ping -q -c 5 -i 0.05 -s 3000 "10.$net.0.2" >/dev/null &
	far ping -q -c 10 -i 0.05 "10.$net.0.1" >/dev/null &
	pings="${pings:-} $!"
done
sleep 3
for net in $(seq 7); do
	ping -q -c 1 -W 1 "10.$net.0.255" >/dev/null || true
done
wait $pings
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT"
kill $far_pid
