#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cost.sh - measures the sensor's instructions for a record, for an interval, and from an urgent
# record to its client
. /script/guest.sh

socket=/tmp/sensor.sock
ifconfig lo 127.0.0.1 up

# had - prints the sensor's CPU time, in instructions
had() {
	cut -d ' ' -f 1 /proc/$sensor/schedstat
}

start() {
	evtlog sensor --socket $socket -p 'udp_sendmsg(len=arg3:u32)' "$@" &
	sensor=$!
	until_true 20 test -S $socket || die "no socket"
	sleep 0.2
}

stop() {
	kill $sensor
	wait $sensor || die "sensor: $?"
}

# record WHAT - measures 40,000 records: 10 buffers of 64 KiB, the last one not full
record() {
	before=$(had)
	udp 40000 50
	sleep 0.1
	echo "$1 $((($(had) - before) / 36846))" >>"$OUT/cost.txt"
}

start --interval 3600s --buffers x64
record record
stop
start --interval 3600s --buffers x64 --histogram '*'
record histogram
stop
start --interval 3600s --buffers x64 --fields nothing
record count
stop

start --interval 100ms
before=$(had)
sleep 5
echo "interval $((($(had) - before) / 50))" >>"$OUT/cost.txt"
stop
start --interval 100ms --textfile /tmp/x.prom
before=$(had)
sleep 5
echo "textfile $((($(had) - before) / 50))" >>"$OUT/cost.txt"
stop

start --interval 3600s --urgent '*'
listen $socket 'subscribe *' >"$OUT/urgent" &
listener=$!
sleep 0.2
for n in $(seq 50); do
	udp 1 50
	sleep 0.01
done
stop
wait $listener
