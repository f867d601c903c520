#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hostile.sh COUNT SEED - one node attacks the other, or a lone one itself, and then one of
# its own users does; nothing is obeyed or answered, and each refusal counted.
. /script/control-guest.sh

causes="namespace fragment broadcast length version reply format key stale future
	tag replay busy"
count=$1 seed=$2

# icmp_of FIELD - a counter of /proc/net/snmp; 0 where the kernel names none
icmp_of() {
	awk -v field="$1" '/^Icmp/ { if (!($1 in names)) names[$1] = $0; else {
		n = split(names[$1], name); split($0, value)
		for (k = 2; k <= n; k++) if (name[k] == field) { print value[k]; found = 1 }
	} } END { if (!found) print 0 }' /proc/net/snmp
}

# since FILE NAME - by how much it has grown
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

attack_all() {
	ip route add 224.0.0.0/4 dev eth0
	attack "$1" 10.99.0.255 "$count" "$seed" >/tmp/expected || die "the attack failed"
}

# What is still under way is waited for.
settle() {
	last=
	until [ "$(icmp_of InType253)" = "$last" ]; do
		last=$(icmp_of InType253)
		sleep 2
	done
}

# judge - what has happened to this node is what /tmp/expected says
judge() {
	for cause in fragment broadcast length version reply format key stale future tag \
		replay; do
		equal $cause "$(since /tmp/before remote_refused_$cause)" "$(expected $cause)"
	done
	equal namespace "$(since /tmp/before remote_refused_namespace)" 0
	equal busy "$(since /tmp/before remote_refused_busy)" 0
	equal obeyed "$(since /tmp/before remote_obeyed)" "$(expected obeyed)"
	equal replied "$(since /tmp/before remote_replied)" 0
	sum=$(since /tmp/before remote_obeyed)
	for cause in $causes; do
		sum=$((sum + $(since /tmp/before remote_refused_$cause)))
	done
	equal "type 253 received" "$(since /tmp/before InType253)" $sum
}

# untouched - no run, no boost, no key changed
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

# heard ARGUMENT... - it is answered once what waits before it in the queues of both nodes has
# been received; if not, it is repeated, as a controller does, and told where messages were dropped
heard() {
	for attempt in 1 2 3 4 5; do
		send patience=10000 "$@" >/tmp/answer && grep -q '^result 0 ' /tmp/answer && return
		echo "attempt $attempt: send $*: $(cat /tmp/answer)"
		grep ^Icmp /proc/net/snmp
		cat /proc/net/raw /proc/net/softnet_stat /proc/net/dev
	done
	die "send $*: no answer"
}

# await_or_tell COMMAND... - true within a minute, else it is told what was refused
await_or_tell() {
	until_true 60 "$@" && return
	grep ^remote $evtlog/status
	die "not in 60 s: $*"
}

same_clock
if [ "$NODES" = 2 ] && [ "$NODE" = 1 ]; then
	victim=10.99.0.2
	until nc -w 1 $victim 7000 </dev/null >/dev/null 2>&1; do
		sleep 0.2
	done
	attack_all $victim
	until nc -w 1 $victim 7001 </tmp/expected 2>/dev/null; do
		sleep 0.2
	done
	# Who sends right ones is heard all the time, whoever else speaks in his name.
	await 60 nc -w 1 $victim 7002 </dev/null
	attack flood $me $victim 10.99.0.255 1000000000 &
	flood=$!
	sleep 2
	for round in 1 2 3; do
		heard $me $victim status
	done
	heard name=after $me $victim start
	answered 'run 1'
	heard $me $victim stop
	kill $flood || die "the flood was over before"
	exit
fi

set_key 1 $key
age_key
# Whoever is answered in spite of all is reachable: the answer would be counted.
ip route add 172.16.0.0/12 dev eth0
ip route add 10.99.0.0/16 dev eth0
if [ "$NODES" = 2 ]; then
	note >/tmp/before
	nc -l -p 7000 </dev/null >/dev/null
	nc -l -p 7001 >/tmp/expected </dev/null
	settle
	echo "$(expected packets) packets"
	judge
	equal "type 253 sent" "$(since /tmp/before OutType253)" 0
	equal "ICMP sent" "$(since /tmp/before OutMsgs)" 0
	own_users
	untouched
	nc -l -p 7002 </dev/null >/dev/null
	await_or_tell grep -qx 'run_name after' $evtlog/status
	await_or_tell grep -qx 'state stopped' $evtlog/status
else
	note >/tmp/before
	attack_all $me
	settle
	echo "$(expected packets) packets"
	judge
	own_users
	untouched
	ask 0 name=after $me $me start
	ask 0 $me $me stop
fi
[ $faults = 0 ] || die "$faults faults"
