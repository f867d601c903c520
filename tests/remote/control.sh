#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# control.sh - another network namespace starts and stops runs, one by one and by broadcast
. /script/control-guest.sh

set_key 1 $key
start_logd

status_is() {
	[ "$(status_of "$1")" = "$2" ]
}

other_namespace
away=10.88.0.2 me=10.88.0.1
from="nsenter -t $inside -n"
# Wait until the key is old enough.
await 60 $from send $away $me status

echo "== one by one"
ask 0 name=one-by.one_1 $away $me start
answered 'run_name one-by.one_1'
answered 'recording 1'
answered 'logger 1'
ask 114 name=one-by.one_1 $away $me start
answered 'run 1'
ask 16 name=other $away $me start
ask 0 $away $me status
answered 'run_name one-by.one_1'
answered 'cpus 2'
$from ping -q -c 2 -i 0.2 $me >/dev/null
ask 0 $away $me stop
answered 'recording 0'
ask 114 $away $me stop

echo "== by broadcast"
for name in second last; do
	ask none name=$name $away 10.88.0.255 start
	ask 0 $away $me status
	answered "run_name $name"
	answered 'recording 1'
	ask none $away 10.88.0.255 stop
	ask 0 $away $me status
	answered 'recording 0'
done

echo "== a group that leaves nobody a CPU"
mkdir -p /tmp/cgroup
mount -t cgroup2 none /tmp/cgroup
mkdir /tmp/cgroup/spin
for cpu in 0 1 2; do
	sh -c 'echo $$ >/tmp/cgroup/spin/cgroup.procs; while :; do :; done' &
	spinners="${spinners:-} $!"
done
sleep 0.5
# The sender has a higher priority than the group, and is done before real-time throttling starts.
members run fifo 49 $from sh -e -c "
	send kind=3 name=/spin for=8000000000 $away $me sched >/tmp/answer
	send patience=2000 $away $me status >/tmp/status
	send patience=2000 kind=3 name=/spin for=1000000 $away $me sched >/dev/null" ||
	die "no answer: $(cat /tmp/answer /tmp/status)"
answered 'tasks 3'
kill $spinners
from=

echo "== what a run may not be called"
long=abcdefghijklmnopqrstuvwxyzABCDE
for name in 1abc a/b .a _a 'a b' a%s ${long}F; do
	ask 22 "name=$name" $me $me start
	answered 'run 3'
	! echo "1 $name" >$evtlog/enable 2>/dev/null || die "enable took '$name'"
done
for name in a $long 'Z9._-'; do
	ask 0 "name=$name" $me $me start
	ask 0 $me $me stop
	echo "1 $name" >$evtlog/enable
	[ "$(status_of run_name)" = "$name" ] || die "run_name: $(status_of run_name)"
	echo 0 >$evtlog/enable
done

echo "== a group of tasks"
setsid sh -c 'echo $$ >/tmp/group; sleep 30 & sleep 30; true' &
await 60 test -s /tmp/group
sleep 0.2
group=$(cat /tmp/group)
for kind in 1 2; do
	ask 0 kind=$kind group="$group" for=200000000 $me $me sched
	answered 'tasks 3'
	answered 'operation 4'
done
await 60 grep -qx 'boost_tasks 0' $evtlog/status
ask 3 kind=1 group=4000000 for=1000000 $me $me sched
ask 22 kind=9 group="$group" for=1000000 $me $me sched
ask 22 kind=1 group="$group" for=20000000000 $me $me sched
ask 22 kind=1 group="$group" $me $me sched

echo "== keys"
two=ffeeddccbbaa99887766554433221100
set_key 7 $two
! echo "8 $two" >$evtlog/remote_key 2>/dev/null || die "a third key was taken"
[ "$(status_of remote_keys)" = 1,7 ] || die "keys: $(status_of remote_keys)"
ask none id=7 key=$two $me $me status
# Setting the same key again changes nothing; setting another key does.
set_key 1 $key
ask 0 $me $me status
age_key
ask 0 id=7 key=$two $me $me status
ask none id=7 $me $me status
ask none id=1 key=$two $me $me status
ask 0 $me $me status
echo "== what a key is for"
# A key whose rights are reduced still refuses replays of what it admitted.
send id=7 key=$two reply=0 save=/tmp/admitted $me $me status
set_key 7 $two ""
replays=$(status_of remote_refused_replay)
send load=/tmp/admitted
until_true 50 status_is remote_refused_replay $((replays + 1)) ||
	die "taken twice: $(grep remote_refused $evtlog/status)"
[ "$(status_of remote_keys_sched)" = 1 ] || die "may schedule: $(status_of remote_keys_sched)"
ask 1 id=7 key=$two kind=1 group="$group" for=200000000 $me $me sched
answered 'operation 4'
answered 'tasks 0'
ask 1 id=7 key=$two $me $me cancel
send id=7 key=$two reply=0 kind=1 group="$group" for=200000000 $me $me sched
ask 0 id=7 key=$two name=logged $me $me start
ask 0 id=7 key=$two $me $me stop
for operation in arm disarm status; do
	ask 0 id=7 key=$two $me $me $operation
done
[ "$(status_of remote_refused_rights)" = 3 ] ||
	die "rights: $(status_of remote_refused_rights) refused"
# The rights of a key change at once.
set_key 7 $two
[ "$(status_of remote_keys_sched)" = 1,7 ] || die "may schedule: $(status_of remote_keys_sched)"
ask 114 id=7 key=$two $me $me cancel
set_key 7 $two ""
ask 1 id=7 key=$two $me $me cancel
set_key 7 $two
# Messages under one key cannot make messages under the other key stale.
ask 0 id=7 key=$two ahead=3000000000 $me $me status
ask none id=7 key=$two $me $me status
ask 0 $me $me status
ask 0 kind=1 group="$group" for=1000000 $me $me sched
until_true 50 status_is boost_tasks 0
sleep 3
echo "1 -" >$evtlog/remote_key
ask none $me $me status
ask 0 id=7 key=$two $me $me status
set_key 7 $key
ask none id=7 key=$two $me $me status
echo "7 -" >$evtlog/remote_key
[ "$(status_of remote_keys)" = - ] || die "keys: $(status_of remote_keys)"
ask none id=7 $me $me status
for text in "1 -" "1" "" "x $key" "-1 $key" "4294967296 $key" "1 ${key}0" "1 ${key%f}" \
	"1 ${key%f}g" "1 $key 1" "1 $key sched" "1 $key -sched" "1 $key+sched" \
	"1 $key +sched +sched" "1 - +sched" "1 $key +sched 1" "1 00000000000000000000000000000000" "1$key"; do
	! echo "$text" >$evtlog/remote_key 2>/dev/null || die "remote_key took '$text'"
done
grep ^remote $evtlog/status
stop_logd
cp $log/*.evl "$OUT"
