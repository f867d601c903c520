#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# builtin.sh - runs a sensor of built-in events, with buffers of each CPU and with a global one, and
# one that ends during a run
. /script/guest.sh
# shellcheck source=tests/support/named-in-guest.sh
. /script/named-in-guest.sh
ifconfig lo 127.0.0.1 up

is_made() {
	grep -q "^buffer sensor .* recording" $control && grep -q '"stats"' "$1"
}

is_gone() {
	! grep -q "^buffer sensor" $control
}

# run NAME OPTION... - runs a sensor during a load
run() {
	name=$1
	shift
	counts $name.before.out
	evtlog sensor --interval 100ms --buffers 64x64 "$@" >"$OUT/$name.lines" 2>/tmp/said &
	sensor=$!
	until_true 20 is_made "$OUT/$name.lines" || die "sensor: $(cat /tmp/said)"
	counts $name.before.in
	stir
	counts $name.after.in
	kill -TERM $sensor
	wait $sensor || die "$name: $?: $(cat /tmp/said)"
	counts $name.after.out
	is_gone || die "$name is left"
}
run each --events sched_switch,softirq,sched_migrate_task,sched_wakeup_new
run global --global --events sched_switch,softirq

# A client gets a record with its fields, and with the CPU that recorded it.
evtlog sensor --socket /tmp/sensor.sock --global --events sched_switch,softirq --buffers 8x256 2>/tmp/said &
sensor=$!
until_true 20 test -S /tmp/sensor.sock || die "sensor: $(cat /tmp/said)"
listen /tmp/sensor.sock 'subscribe sched_switch' >"$OUT/told" &
told=$!
stir
taskset 2 sh -c 'for i in 1 2 3; do sleep 0.1; done'
await 10 grep -q '"type": "event"' "$OUT/told"
sleep 1
kill -TERM $sensor
wait $sensor || [ $? = 4 ] || die "$?: $(cat /tmp/said)"
wait $told || die "client"

# A sensor ends during a run: the run lacks its built-in events to the end, the next has them.
evtlog sensor --interval 100ms --events sched_switch >/tmp/lines 2>/tmp/said &
sensor=$!
until_true 20 is_made /tmp/lines || die "sensor: $(cat /tmp/said)"
start_logd
echo 1 >$evtlog/enable
kill -TERM $sensor
wait $sensor || [ $? = 4 ] || die "$?: $(cat /tmp/said)"
is_gone || die "left: $(cat $control)"
grep -qx -- '-sched_switch' $evtlog/events || die "the run has them: $(cat $evtlog/events)"
echo 0 >$evtlog/enable
stop_logd
grep -qx '+sched_switch' $evtlog/events || die "runs lack them: $(cat $evtlog/events)"

# A buffer that overwrites cannot be read before its end, and the error explains this.
evtlog buffer add flight --overwrite --events 'udp_*' || die "add: $?"
! evtlog sensor flight 2>/tmp/said || die "it reads a flight recorder"
grep -q 'flight: it overwrites' /tmp/said || die "$(cat /tmp/said)"
evtlog buffer del flight
! evtlog sensor --global flight 2>/tmp/said || die "--global without events"
grep -q 'need --probe or --events' /tmp/said || die "$(cat /tmp/said)"
