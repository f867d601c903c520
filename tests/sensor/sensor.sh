#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sensor.sh - runs a sensor with clients that read, that do not, and that are killed; with losses;
# with all kinds of ends; and tries clients without rights
. /script/guest.sh

socket=/tmp/sensor.sock
file=/tmp/evtlog.prom
ifconfig lo 127.0.0.1 up

sent() {
	awk '/^Udp:/ { if (n++) print $5 }' /proc/net/snmp
}

is_served() {
	[ -S $socket ] && [ -s $file ]
}

# start OPTION... - starts a sensor and waits until it serves
start() {
	evtlog sensor --socket $socket --textfile $file "$@" 2>/tmp/said &
	sensor=$!
	until_true 20 is_served || die "sensor $*: $(cat /tmp/said)"
}

nothing_left() {
	! grep -q '^buffer\|^probe' $evtlog/named/control $evtlog/probes && [ ! -e $socket ] &&
		[ ! -e $file ]
}

# stop SIGNAL STATUS - ends the sensor: no buffer, probe or file remains
stop() {
	status=0
	until_true 5 grep -q 'Ctrl-C' /tmp/said || die "it runs in silence"
	kill -$1 $sensor
	wait $sensor || status=$?
	[ $status = $2 ] || die "ended with $status, not $2: $(cat /tmp/said)"
	# A killed sensor removes no files; the next sensor replaces them.
	[ $1 != KILL ] || rm -f $socket $file
	until_true 5 nothing_left || die "left: $(cat $evtlog/named/control $evtlog/probes; ls /tmp)"
}

# refuses STATUS WORDS OPTION... - the sensor exits with this status and error
refuses() {
	wanted=$1 words=$2 status=0
	shift 2
	evtlog sensor "$@" >/tmp/out 2>/tmp/said || status=$?
	[ $status = $wanted ] || die "sensor $*: $status: $(cat /tmp/said)"
	grep -q -e "$words" /tmp/said || die "sensor $*: $(cat /tmp/said)"
	nothing_left || die "sensor $*: something is left"
}
refuses 2 'no named buffer' --interval 1s
refuses 2 'only one named buffer' a b
refuses 2 'a time from 10ms' --interval 5ms a
refuses 2 'a time from 10ms' --interval 1 a
refuses 2 'name of a named buffer' ../../x
refuses 2 'end with .prom' -e softirq --textfile /tmp/x
refuses 2 'need --probe or --events' --urgent '*' a
refuses 2 'is for --socket' --group root a
refuses 2 'there is no group nonesuch' --group nonesuch --socket $socket a
refuses 1 'no such named buffer' nonesuch
refuses 1 'function nonesuch does not exist' -p 'nonesuch()'
refuses 1 'not a valid buffer name' -e softirq 9
refuses 1 'HOST:PORT' -e softirq --ganglia 10.0.0.1
refuses 1 'HOST:PORT' -e softirq --ganglia ::1:8649
refuses 1 'HOST:PORT' -e softirq --ganglia 10.0.0.1:74185
refuses 2 '--events: is empty' -p udp_sendmsg -e 'a kb=4'
refuses 1 'nodir/x.prom: No such file' -e softirq --textfile /nodir/x.prom
refuses 1 'nodir/x: No such file' -e softirq --socket /nodir/x
echo text >/tmp/text
refuses 1 'not a socket' -e softirq --socket /tmp/text
[ "$(cat /tmp/text)" = text ] || die "a file is gone"
mkdir /tmp/full
mount -t tmpfs -o size=4k none /tmp/full
echo x >/tmp/full/x
refuses 1 'No space' -e softirq --histogram '*' --textfile /tmp/full/x.prom
if su nobody -s /bin/sh -c "evtlog sensor -p udp_sendmsg" >/tmp/out 2>/tmp/said; then
	die "nobody inserts probes"
fi
grep -q 'Permission denied\|not permitted\|root' /tmp/said || die "nobody: $(cat /tmp/said)"

# Two clients get the same data, which equals the kernel's counts.
before=$(sent)
start --interval 1s -p 'udp_sendmsg(len=arg3:u32)' -p 'vfs_read%return(retval:s64)' --histogram '*' --urgent 'udp_*'
refuses_second() {
	! evtlog sensor --socket $socket -e irq other 2>/tmp/other &&
		grep -q 'another process serves it' /tmp/other
}
refuses_second || die "two sensors: $(cat /tmp/other)"
! evtlog sensor -e irq 2>/tmp/other && grep -q 'already' /tmp/other ||
	die "a buffer twice: $(cat /tmp/other)"
! evtlog sensor sensor 2>/tmp/other && grep -q 'another process reads it' /tmp/other ||
	die "two readers: $(cat /tmp/other)"
[ "$(stat -c '%a %U' $socket)" = "600 root" ] || die "$(stat -c '%a %U' $socket)"
[ "$(stat -c '%a %U' $file)" = "600 root" ] || die "$(stat -c '%a %U' $file)"
! su nobody -s /bin/sh -c "listen $socket || cat $file" >/dev/null 2>&1 || die "anybody looks"
listen $socket >"$OUT/first" &
first=$!
listen $socket >"$OUT/second" &
second=$!
listen $socket 'subscribe udp_*,nonesuch' >"$OUT/told" &
told=$!
listen $socket >"$OUT/killed" &
killed=$!
await 10 grep -q hello "$OUT/told"
udp 100 111
for n in $(seq 10); do
	udp 1 222
	sleep 0.05
done
await 10 grep -q '"type": "stats"' "$OUT/killed"
kill -9 $killed
wait $killed || :
hostile $socket ${SEED:-1} 300 || die "hostile: $?"
udp 300 333
sleep 1.2
cp $file "$OUT/evtlog.prom"
evtlog probe list --json >"$OUT/probes.json"
stop TERM 0
wait $first $second $told || die "clients"
echo $(($(sent) - before)) >"$OUT/sent"

# A client that does not read. It writes to memory: writing to $OUT advances virtual time.
before=$(sent)
start --interval 1s -p 'udp_sendmsg(len=arg3:u32)'
listen $socket >/tmp/quiet &
quiet=$!
listen $socket 'subscribe *' >/tmp/fast &
fast=$!
listen $socket 'subscribe *' 5000 >/tmp/slow &
slow=$!
sleep 0.3
udp 8000 50
sleep 6
stop HUP 0
wait $quiet $fast $slow || die "clients"
cp /tmp/quiet /tmp/fast /tmp/slow "$OUT"
echo $(($(sent) - before)) >"$OUT/many"

# The sensor is stopped for a while, and the lost records are reported.
before=$(sent)
start --interval 200ms --buffers 2x4 -p 'udp_sendmsg(len=arg3:u32)'
listen $socket >"$OUT/lossy" &
lossy=$!
kill -STOP $sensor
udp 3000 50
kill -CONT $sensor
sleep 1
cp $file "$OUT/lossy.prom"
evtlog buffer list --json >"$OUT/lossy.json"
stop TERM 4
grep -q 'events lost' /tmp/said || die "losses: $(cat /tmp/said)"
wait $lossy
echo $(($(sent) - before)) >"$OUT/lossy.sent"

# A group may connect. A killed sensor leaves no buffer or probe in the kernel.
echo 'watchers:x:4711:nobody' >>/etc/group
start --group watchers -p 'udp_sendmsg(len=arg3:u32)'
[ "$(stat -c '%a %g' $socket)$(stat -c '%a %g' $file)" = "660 4711640 4711" ] ||
	die "group: $(stat -c '%a %g' $socket $file)"
su nobody -s /bin/sh -c "listen $socket" >/tmp/group &
await 10 grep -q hello /tmp/group
stop KILL 137

# Without a descriptor for a client the sensor does not spin, and accepts it once another leaves.
limited() {
	ulimit -n 24
	exec evtlog sensor --socket $socket --interval 20s -e softirq
}
served() {
	cat /tmp/client* | grep -c hello
}
limited 2>/tmp/said &
sensor=$!
until_true 20 test -S $socket || die "sensor: $(cat /tmp/said)"
clients=
for n in $(seq 30); do
	listen $socket >/tmp/client$n &
	clients="$clients $!"
done
until_true 10 grep -q 'Too many open files: new clients must wait' /tmp/said || die "$(cat /tmp/said)"
had=$(served)
ticks=$(cpu_ticks $sensor)
sleep 2
ticks=$(($(cpu_ticks $sensor) - ticks))
echo "$had clients are served, then $ticks ticks of CPU in 2 s"
[ $ticks -lt 20 ] || die "it spins"
[ "$(grep -c 'clients must wait' /tmp/said)" = 1 ] || die "said more than once: $(cat /tmp/said)"
n=0
for pid in $clients; do
	n=$((n + 1))
	! grep -q hello /tmp/client$n || kill $pid
done
have_more() {
	[ "$(served)" -ge $((2 * had)) ]
}
until_true 5 have_more || die "$(served) clients after $had"
stop TERM 0
for pid in $clients; do
	wait $pid || :
done
rm /tmp/client*

# Sockets of others stay: of another sensor at the same path, and of another user.
start -e softirq
rm $socket
evtlog sensor --socket $socket -e irq another 2>/tmp/another &
another=$!
until_true 20 test -S $socket || die "another: $(cat /tmp/another)"
kill -TERM $sensor
wait $sensor || die "sensor: $?"
listen $socket >/tmp/another.lines &
await 10 grep -q hello /tmp/another.lines
mv $socket /tmp/left
kill -KILL $another
wait $another || :
until_true 5 nothing_left || die "left: $(cat $evtlog/named/control)"
mv /tmp/left $socket
chown nobody $socket
! evtlog sensor --socket $socket -e irq 2>/tmp/said && grep -q 'socket of another user' /tmp/said ||
	die "another user's: $(cat /tmp/said)"
[ -S $socket ] || die "another user's socket is gone"
chown root $socket

# An old socket does not prevent a start, and neither does an existing buffer, which stays.
evtlog buffer add net --events 'udp_*' || die "buffer add"
echo '+udp_sendmsg(len=arg3:u32)' >$evtlog/probes
udp 50 10
evtlog sensor --interval 100ms -n 2 net >"$OUT/other" || die "sensor net: $?"
evtlog sensor --interval 100ms -n 2 --socket $socket net || die "sensor net: $?"
[ ! -e $socket ] || die "its socket is left"
grep -q '^buffer net .* recording' $evtlog/named/control || die "it is gone"
evtlog sensor --interval 100ms net >"$OUT/deleted" 2>&1 &
sensor=$!
await 10 grep -q '"stats"' "$OUT/deleted"
evtlog buffer end net
wait $sensor || die "it was ended: $?"
evtlog buffer del net
echo '-*' >$evtlog/probes
nothing_left
