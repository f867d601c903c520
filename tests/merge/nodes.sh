#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nodes.sh - three nodes ping each other and record: node 1's logger is stopped until events are
# lost, node 2's is killed and restarted, and node 3 is gone before the run ends.
. /script/guest.sh

# Each check is also a load.
has_lost() {
	find /proc/sys || true
	[ "$(kernel_lost)" -gt 0 ]
}
has_logged() {
	find /proc/sys || true
	[ "$(cat $log/*.evl | wc -c)" -gt 30000 ]
}

await_others

# Small buffers, which a little load fills
echo 16 >$evtlog/buffer_kb
start_logd
evtlog start --name nodes -e +all >/dev/null || die "evtlog start"
for other in $others; do
	ping -q -i 0.1 "$other" >/dev/null &
done
sleep 2
case $NODE in
1)
	kill -STOP "$logd_pid"
	await 60 has_lost
	kill -CONT "$logd_pid"
	;;
2)
	kill -KILL "$logd_pid"
	sleep 0.3
	rm -f /tmp/logd.pid
	start_logd
	;;
3)
	# The file of a host after a power failure
	await 30 has_logged
	cp $log/*.evl "$OUT"
	# The other nodes continue
	sleep 5
	exit 0
	;;
esac
sleep 3
status=0
evtlog stop --timeout 60 >/dev/null || status=$?
[ $status = 0 ] || [ $status = 4 ] || die "evtlog stop: $status"
stop_logd
cp $log/*.evl "$OUT"
# Node 3 still needs answers
sleep 3
