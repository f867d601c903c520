#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nodes.sh - three nodes ping each other and log: node 1's logger is stopped until events are
# lost, node 2's is killed and started again, node 3 is gone before the run ends.
. /script/guest.sh

# What the kernel could not record
lost() {
	awk '$1 == "cpu" { for (i = 1; i < NF; i++) if ($i ~ /^lost_/) n += $(i + 1) }
	     END { print n + 0 }' $evtlog/status
}

others=
for node in $(seq "$NODES"); do
	[ "$node" = "$NODE" ] || others="$others 10.99.0.$node"
done
for other in $others; do
	await_host "$other"
done

# Little room, so that a little load fills it
echo 64 >$evtlog/buffer_kb
start_logd
evtlog start --name nodes -e +all >/dev/null || die "evtlog start"
for other in $others; do
	ping -q -i 0.1 "$other" >/dev/null &
done
sleep 2
case $NODE in
1)
	kill -STOP "$logd_pid"
	tries=600
	until [ "$(lost)" -gt 0 ]; do
		find /proc >/dev/null 2>&1 || true
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "nothing is lost"
	done
	kill -CONT "$logd_pid"
	;;
2)
	kill -KILL "$logd_pid"
	sleep 0.3
	rm -f /tmp/logd.pid
	start_logd
	;;
3)
	# What a host leaves that loses its power: the file so far
	tries=300
	until [ "$(cat $log/*.evl 2>/dev/null | wc -c)" -gt 60000 ]; do
		find /proc >/dev/null 2>&1 || true
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "no file of some buffers"
	done
	cp $log/*.evl "$OUT"
	# The others go on
	sleep 5
	exit 0
	;;
esac
sleep 3
status=0
evtlog stop -t 60 >/dev/null || status=$?
[ $status = 0 ] || [ $status = 4 ] || die "evtlog stop: $status"
stop_logd
cp $log/*.evl "$OUT"
# Node 3 still needs answers
sleep 3
