#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nodes.sh RUNS - each guest pings the others ten times a second, with bursts of load. Node 1 makes
# all of them log RUNS runs. On node 2, another network namespace has node 1's address.
. /script/guest.sh

await_others
# Control messages are accepted only between hosts whose clocks agree.
date -s @1800000000 >/dev/null
mkdir -p /etc/evtlog
cp /script/remote.key /etc/evtlog
chmod 600 /etc/evtlog/remote.key
evtlog remote key install || die "its key: $?"
start_logd
if [ "$NODE" = 2 ]; then
	unshare -n sh -c "ip link set lo up; ip addr add 10.99.0.1/32 dev lo
		ping -q -i 0.5 10.99.0.1" >/dev/null &
fi
for other in $others; do
	ping -q -i 0.1 "$other" >/dev/null &
done
while sleep 0.$NODE; do
	cat /proc/*/maps /proc/kallsyms >/dev/null 2>&1
done &
all="node[1-$NODES]"
# The other nodes wait for node 1, however node 1 ends.
tell_others() {
	for other in $others; do
		until_true 30 sh -c "echo done | nc -w 1 $other 7001" || echo "$other does not hear"
	done
}
# to_all ORDER... - repeats until all nodes have done it; a node may get no CPU for seconds.
to_all() {
	until_true 60 evtlog remote "$@" "$all" >/tmp/said 2>&1 || die "$*: $(cat /tmp/said)"
}
if [ "$NODE" = 1 ]; then
	trap tell_others EXIT
	to_all status
	for run in $(seq "$1"); do
		to_all start --name "pair$run"
		sleep 3
		to_all stop
		sleep 0.5
	done
else
	nc -l -p 7001 >/dev/null
fi
# Other nodes may still wait for an answer.
sleep 2
stop_logd
cp $log/*.evl "$OUT"
