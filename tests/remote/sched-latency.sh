#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sched-latency.sh ORDERS NS LOAD... - boosts a group ORDERS times for NS under each load. Each load
# has a run of the same name.
. /script/sched-guest.sh
# Above all hogs, so that they do not delay the sender; below the group
above 45 "$@"
orders=$1 duration=$2
shift 2
set_key 1 $key
age_key
start_logd

# hogs MEMBER... - starts these hogs, which are not boosted, on each CPU
hogs() {
	specs=
	for cpu in $(seq 0 $last_cpu); do
		specs="$specs $(echo "$1" | sed "s/ /:$cpu /g; s/\$/:$cpu/")"
	done
	# shellcheck disable=SC2086 - a list
	group group $specs
	beside=$group
}

# pinned MEMBER - one on each CPU
pinned() {
	hogs "$1"
}

for load; do
	case $load in
	fair | session | cgroup)
		hogs 'x:other:0:0:0:hog y:other:0:0:0:hog'
		group session a:other:0:0:0:hog b:other:0:0:0:hog c:other:0:0:0:sleep
		;;
	nice)
		hogs 'x:other:0:-20:0:hog'
		group group a:other:0:19:0:hog b:other:0:19:0:hog
		;;
	idle)
		hogs 'x:other:0:0:0:hog y:batch:0:0:0:hog'
		group group a:idle:0:0:0:hog b:idle:0:0:0:hog
		;;
	fifo)
		# These hogs leave CPU time to others only by real-time throttling. ksoftirqd needs
		# a priority above theirs, see evtlog-remote(1).
		members raise ksoftirqd 41
		hogs 'x:fifo:10:0:0:hog y:rr:40:0:0:hog'
		group group a:other:0:0:0:hog b:fifo:5:0:0:hog
		;;
	many)
		hogs 'x:other:0:0:0:hog'
		specs=
		for i in $(seq 40); do
			specs="$specs m$i:other:0:0:0:hog"
		done
		# shellcheck disable=SC2086 - a list
		group group $specs
		;;
	pinned)
		hogs 'x:other:0:0:0:hog y:other:0:-10:0:hog'
		other=$beside
		pinned 'a:other:0:0:0:hog'
		group=$beside beside=$other
		;;
	*) die "$load: no such load" ;;
	esac
	kind=$pgid name='' number=$group ns=$duration
	case $load in
	fair) ns=$((10 * duration)) ;;
	session) kind=$sid ;;
	cgroup)
		[ -d /tmp/cgroup ] || { mkdir /tmp/cgroup && mount -t cgroup2 none /tmp/cgroup; }
		mkdir -p /tmp/cgroup/job/step
		for pid in $(members pids "$group"); do
			echo "$pid" >/tmp/cgroup/job/step/cgroup.procs
		done
		kind=$cgroup name=/job/step number=0
		;;
	esac
	echo "1 $load" >$evtlog/enable
	for i in $(seq "$orders"); do
		# No reply: this script would read it only after the boost.
		send reply=0 kind=$kind group="$number" for="$ns" name=$name \
			$me $me sched || die "send: ended with $?"
		await 60 ended
		# Only this script has run since. Give the other tasks a turn.
		sleep 0.04
	done
	echo 0 >$evtlog/enable
	kill -KILL -"$group" -"$beside"
done
stop_logd
cp $log/*.evl "$OUT"
