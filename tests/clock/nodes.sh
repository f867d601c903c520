#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nodes.sh RUNS - each guest pings the others ten times a second, with bursts of load; node 1 has all of them
# log one run after the other. Node 2 has somebody with node 1's address, in a network namespace of his own.
. /script/guest.sh

await_others
# Control messages are of hosts whose clocks agree.
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
# The others wait for node 1, however this ends.
tell_others() {
	for other in $others; do
		until_true 30 sh -c "echo done | nc -w 1 $other 7001" || echo "$other does not hear"
	done
}
# to_all ORDER... - until all have done it: they may have no CPU for seconds
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
# The others may still wait for an answer.
sleep 2
stop_logd
cp $log/*.evl "$OUT"
