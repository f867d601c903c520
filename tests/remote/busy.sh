#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# busy.sh - messages of every kind from several senders at once, while keys are changed and removed,
# CPUs go offline and come back, and the status is read
. /script/control-guest.sh

lo=127.0.0.1
two=ffeeddccbbaa99887766554433221100

# Results are ignored: some messages find no key, or a run of another name.
orders() {
	for round in $(seq "$1"); do
		send name="run-$2" "127.0.0.$2" $lo start >/dev/null || true
		send "127.0.0.$2" $lo status >/dev/null || true
		send kind=2 group="$group" for=3000000 "127.0.0.$2" $lo sched >/dev/null || true
		send reply=0 "127.0.0.$2" $lo stop || true
	done
}

read_status() {
	for round in $(seq "$1"); do
		cat $evtlog/status >/dev/null
		sleep 0.05
	done
}

change_keys() {
	for round in $(seq "$1"); do
		echo "7 $two" >$evtlog/remote_key
		sleep 0.1
		echo "7 -" >$evtlog/remote_key
		sleep 0.1
	done
}

remove_all() {
	for round in $(seq "$1"); do
		set_key 1 $key
		send reply=0 name=x 127.0.0.9 $lo start
		send reply=0 kind=2 group="$group" for=900000000 127.0.0.9 $lo sched
		echo "1 -" >$evtlog/remote_key
	done
}

setsid sh -c 'echo $$ >/tmp/group; while :; do :; done' &
spinner=$!
await 60 test -s /tmp/group
group=$(cat /tmp/group)
set_key 1 $key
age_key
pidof evtlog_remote >/dev/null || die "no thread"
start_logd
also orders 6 2
also orders 6 3
also read_status 40
also change_keys 20
also hotplug 6
join
echo 0 >$evtlog/enable 2>/dev/null || true
stop_logd
obeyed=$(status_of remote_obeyed)
[ "$obeyed" -ge 20 ] || die "only $obeyed messages were obeyed"
check_files
echo "$obeyed obeyed, $(status_of remote_replied) answered"

echo "1 -" >$evtlog/remote_key
remove_all 10
kill "$spinner" "$group" 2>/dev/null || true
[ "$(status_of remote_keys)" = - ] || die "keys: $(status_of remote_keys)"
! pidof evtlog_remote || die "its thread is still there"
