#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hostile.sh COUNT SEED - another network namespace attacks the kernel, then one of the kernel's own
# users does. No message is obeyed or answered, and each refusal is counted.
. /script/control-guest.sh

causes="namespace fragment broadcast length version reply format key stale future
	tag replay busy"
count=$1 seed=$2

# icmp_of FIELD [COMMAND...] - a counter of /proc/net/snmp; 0 if the kernel does not list it
icmp_of() {
	field=$1
	shift
	"$@" awk -v field="$field" '/^Icmp/ { if (!($1 in names)) names[$1] = $0; else {
		n = split(names[$1], name); split($0, value)
		for (k = 2; k <= n; k++) if (name[k] == field) { print value[k]; found = 1 }
	} } END { if (!found) print 0 }' /proc/net/snmp
}

# since FILE NAME - the increase of a counter
since() {
	before=$(sed -n "s/^$2 //p" "$1")
	case $2 in
	remote_*) now=$(status_of "$2") ;;
	*) now=$(icmp_of "$2") ;;
	esac
	echo $((now - before))
}

note() {
	for cause in $causes; do
		echo "remote_refused_$cause $(status_of remote_refused_"$cause")"
	done
	echo "remote_obeyed $(status_of remote_obeyed)"
	echo "remote_replied $(status_of remote_replied)"
	for field in OutMsgs OutType253 InType253; do
		echo "$field $(icmp_of $field)"
	done
}

expected() {
	sed -n "s/^$1 //p" /tmp/expected
}

faults=0
# equal WHAT GOT WANTED
equal() {
	printf '%-24s %s\n' "$1" "$2"
	[ "$2" = "$3" ] || {
		echo "WRONG: $1: $2, must be $3"
		faults=$((faults + 1))
	}
}

# Wait for messages that are still under way.
settle() {
	last=
	until [ "$(icmp_of InType253)" = "$last" ]; do
		last=$(icmp_of InType253)
		sleep 2
	done
}

# judge - the counters of this node match /tmp/expected
judge() {
	for cause in fragment broadcast length version reply format key stale future tag \
		replay; do
		equal $cause "$(since /tmp/before remote_refused_$cause)" "$(expected $cause)"
	done
	# The sender of a broadcast receives it, too.
	equal namespace "$(since /tmp/before remote_refused_namespace)" "$(icmp_of InType253 $from)"
	equal busy "$(since /tmp/before remote_refused_busy)" 0
	equal obeyed "$(since /tmp/before remote_obeyed)" "$(expected obeyed)"
	equal replied "$(since /tmp/before remote_replied)" 0
	sum=$(since /tmp/before remote_obeyed)
	for cause in ${causes#namespace}; do
		sum=$((sum + $(since /tmp/before remote_refused_$cause)))
	done
	equal "type 253 received" "$(since /tmp/before InType253)" $sum
}

# untouched - no run, no boost, no changed key
untouched() {
	equal runs "$(status_of run)" 0
	equal state "$(status_of state)" stopped
	equal boosted "$(status_of boost_boosted)" 0
	equal keys "$(status_of remote_keys)" 1
}

own_users() {
	echo "0 2147483647" >/proc/sys/net/ipv4/ping_group_range
	note >/tmp/before
	attack nobody >/tmp/expected || die "attack nobody: $(cat /tmp/expected)"
	equal "from a user's network" "$(since /tmp/before remote_refused_namespace)" \
		"$(expected namespace)"
	equal "of these obeyed" "$(since /tmp/before remote_obeyed)" 0
}

set_key 1 $key
age_key
other_namespace
victim=10.88.0.1 controller=10.88.0.2
from="nsenter -t $inside -n"
# All senders are reachable: an answer by mistake would be counted.
ip route add 172.16.0.0/12 dev veth0
ip route add 10.99.0.0/16 dev veth0
$from ip route add 224.0.0.0/4 dev veth1

note >/tmp/before
$from attack $victim 10.88.0.255 "$count" "$seed" >/tmp/expected || die "the attack failed"
settle
echo "$(expected packets) packets"
judge
equal "type 253 sent" "$(since /tmp/before OutType253)" 0
equal "ICMP sent" "$(since /tmp/before OutMsgs)" 0
own_users
untouched

# Correct messages are obeyed, even while another host sends with the same address.
$from attack flood $controller $victim 10.88.0.255 1000000000 &
flood=$!
sleep 1
for round in 1 2 3; do
	ask 0 $controller $victim status
done
ask 0 name=after $controller $victim start
answered 'run 1'
ask 0 $controller $victim stop
kill $flood || die "the flood was over before"
[ $faults = 0 ] || die "$faults faults"
