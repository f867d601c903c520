#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# buffer.sh [uring] - named buffers: refused, filled by a module and by a probe, ended, lost,
# deleted. With "uring", the kernel has io_uring, and a buffer is also read with it.
. /script/guest.sh

named=$evtlog/named
control=$named/control
ifconfig lo 127.0.0.1 up
dmesg -c >/dev/null

sent() {
	awk '/^Udp:/ { if (n++) print $5 }' /proc/net/snmp
}

# must_refuse WORDS LINE - the order is refused, and the control file contains the reason
must_refuse() {
	! echo "$2" >$control 2>/dev/null || die "$2: not refused"
	grep -q "^error .*$1" $control || die "$2: refused with $(head -n 1 $control)"
	[ "$(ls $named)" = control ] || die "$2: a buffer is left"
}
must_refuse '"net" is not an order; write +NAME' 'net'
must_refuse 'kb is given twice' '+net kb=4 mode=keep kb=8'
must_refuse 'events is given twice' '+net events=one events=two'
must_refuse 'buffer net does not exist' '-net'
must_refuse 'buffer net does not exist' '!net'
must_refuse 'not a valid buffer name' '+9net'
must_refuse 'not a valid buffer name' '+a/b'
must_refuse 'not a valid buffer name' '+control'
must_refuse 'key "size" is unknown' '+net size=5'
must_refuse 'neither KEY=VALUE' '+net size'
must_refuse 'kb=x is not a number' '+net kb=x'
must_refuse 'buffers must be 2 to 64' '+net kb=5'
must_refuse 'buffers must be 2 to 64' '+net buffers=1'
must_refuse 'free memory' '+net kb=65536 buffers=64'
must_refuse 'filter: ' '+net if cpu=='
must_refuse 'an order must be one line' '+net kb=4
+other kb=4'

order() {
	echo "$1" >$control || die "$1: $(head -n 1 $control)"
}

# read_all DIRECTORY - copies the buffers of all CPUs to files in the background until they end
read_all() {
	mkdir -p "$OUT/$1"
	for cpu in $(seq 0 $last_cpu); do
		also dd if=$named/net/cpu$cpu of="$OUT/$1/cpu$cpu" bs=1M status=none
	done
}

said() {
	dmesg -c | grep "evtlog_event_test: place" >"$OUT/$1.txt"
}

# Events of a module that is loaded after the buffer is added, while a run records
order '+net kb=64 buffers=64 events=sample'
! su nobody -s /bin/sh -c "ls $named/net || cat $control $named/net/status" >/dev/null 2>&1 ||
	die "anybody looks at named buffers"
! echo x >$named/net/status 2>/dev/null || die "status is written"
read_all whole
start_logd
echo 1 >$evtlog/enable
insmod evtlog_event_test.ko late_ms=50 || die "insmod: $?"
sleep 0.4
cat $named/net/events >"$OUT/events.txt"
rmmod evtlog_event_test || die "rmmod: $?"
echo 0 >$evtlog/enable
stop_logd
said whole
order '!net'
join
cat $named/net/status >"$OUT/status.txt"
order '-net'
[ "$(ls $named)" = control ] || die "it is not deleted: $(ls $named)"
mv $log/*.evl "$OUT/run.evl"

# The buffer is read only after it has ended.
order '+net kb=16 buffers=2 events=sample'
insmod evtlog_event_test.ko copies=1 pause_us=0 || die "insmod: $?"
sleep 0.2
rmmod evtlog_event_test || die "rmmod: $?"
said lossy
order '!net'
read_all lossy
join
order '-net'

# The buffer is added and deleted while CPUs write to it and a reader and a poller wait for it.
insmod evtlog_event_test.ko copies=1 || die "insmod: $?"
for round in $(seq 5); do
	order '+net kb=4 events=sample'
	(dd if=$named/net/cpu0 of=/dev/null bs=1M status=none || :) &
	reader=$!
	bufread wait $named/net/cpu1 &
	poller=$!
	sleep 0.0$round
	order '-net'
	wait $reader $poller || :
done
rmmod evtlog_event_test || die "rmmod: $?"

# A reader gets no memory: the page belongs to a frozen file system. CPUs still go offline and come
# back, other orders are executed, and a process that waits for the reader can be killed.
make_disk
dd if=/dev/zero of=/mnt/page bs=64k count=1 2>/dev/null
order '+net kb=64'
echo '+>net udp_sendmsg' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
also bufread frozen $named/net/cpu0 /mnt/page
sleep 0.5
echo '-*' >$evtlog/probes
echo '-net' >$control &
deleter=$!
sleep 0.2
[ -d $named/net ] || die "it is deleted under a reader"
since=$(date +%s)
echo 0 >/sys/devices/system/cpu/cpu1/online || die "CPU 1 stays"
echo 1 >/sys/devices/system/cpu/cpu1/online || die "CPU 1 does not come back"
[ -d $named/net ] || die "CPU 1 went after $(($(date +%s) - since)) s, when the reader was done"
must_refuse 'still being read' '+net kb=64'
order '+other kb=64'
order '-other'
[ -d $named/net ] || die "other orders waited for the reader"
kill -9 $deleter
wait $deleter || :
[ -d $named/net ] || die "the order to delete could not be killed"
join
until_true 10 [ ! -d $named/net ] || die "it is not deleted"

# A full run cannot record the formats of five events that return to it: one second for all five.
echo 2 >$evtlog/buffers
echo 4 >$evtlog/buffer_kb
order '+net kb=64'
for name in udp_sendmsg udp_recvmsg ip_send_skb ip_rcv udp_rcv; do
	echo "+>net $name"
done >/tmp/five
dd if=/tmp/five of=$evtlog/probes bs=4k 2>/dev/null || die "$(head -n 1 $evtlog/probes)"
echo +sched >$evtlog/events
echo 1 >$evtlog/enable
for i in $(seq 40); do
	sh -c : | cat
done
grep -q 'lost_full [1-9]' $evtlog/status || die "the run's buffers are not full"
read -r before _ </proc/uptime
order '-net'
read -r after _ </proc/uptime
echo 0 >$evtlog/enable
awk "BEGIN { exit !($after - $before < 2.5) }" || die "$before to $after s for five events"
echo '-*' >$evtlog/probes
echo 4 >$evtlog/buffers
echo 256 >$evtlog/buffer_kb

# Events of a probe. The kernel itself counts the datagrams.
evtlog buffer add net --buffers x256 --urgent '*' || die "buffer add: $?"
before=$(sent)
evtlog probe add --buffer net 'udp_sendmsg(len=arg3:u32, head=arg2->0)' \
	'udp_sendmsg+5(%dx:u32)' || die "probe add: $?"
echo '+>nett udp_sendmsg+5(%dx:u32)' >$evtlog/probes 2>/dev/null && die "no buffer nett"
grep -q 'named buffer nett does not exist' $evtlog/probes || die "$(head -n 1 $evtlog/probes)"
read_all probe
also udp 1000 111
also udp 500 222
udp 700 333
all_sent() {
	after=$(sent)
	[ $((after - before)) -ge 2200 ]
}
until_true 20 all_sent || die "$after datagrams"
order '!net'
join
cat $evtlog/probes >"$OUT/probes.txt"
echo '-*' >$evtlog/probes
order '-net'
echo $((after - before)) >"$OUT/sent"

# Recording to a file. An existing file is refused; events that fail the filter are rejected.
evtlog buffer add net --events 'udp_*' --if 'comm!="other"' || die "buffer add: $?"
echo '+udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
also evtlog buffer record net -o "$OUT/file.evl"
is_read() {
	[ -s "$OUT/file.evl" ] && evtlog buffer record net -o "$OUT/other.evl" 2>&1 | grep -q 'another'
}
until_true 20 is_read || die "it is not read by one alone"
evtlog buffer record net -o "$OUT/file.evl" 2>"$OUT/refused" && die "a file is overwritten"
[ "$(wc -l <"$OUT/refused")" = 1 ] || die "$(cat "$OUT/refused")"
udp 100 444
cp "$(command -v udp)" /tmp/other
/tmp/other 50 444
evtlog buffer list
evtlog buffer list --json >"$OUT/list.json"
evtlog buffer end net || die "buffer end: $?"
join
evtlog buffer del net || die "buffer del: $?"
evtlog buffer del net 2>"$OUT/refused" && die "deleted twice"
grep -q 'net: buffer net does not exist' "$OUT/refused" || die "$(cat "$OUT/refused")"

# A buffer is deleted while it is recorded; '*' deletes all buffers.
evtlog buffer add net || die "buffer add: $?"
evtlog buffer add other || die "buffer add: $?"
(
	evtlog buffer record net -o "$OUT/cut.evl" 2>"$OUT/cut" || echo "status $?" >>"$OUT/cut"
) &
reader=$!
is_cut_read() {
	[ -s "$OUT/cut.evl" ]
}
until_true 20 is_cut_read || die "it is not read"
sleep 0.2
mkdir /tmp/full
# When the disk fills up and the command is killed, the rest waits in the kernel for the next one.
mount -t tmpfs -o size=64k full /tmp/full
echo '-*' >$evtlog/probes
evtlog buffer add small --buffers 64x16 --events 'udp_*' || die "buffer add: $?"
echo '+udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
evtlog buffer record small -o /tmp/full/x.evl 2>"$OUT/refused" &
filling=$!
until_true 20 test -s /tmp/full/x.evl || die "it is not read"
udp 5000 10
until_true 20 grep -q 'No space left on device' "$OUT/refused" || die "a disk that fills up: $(cat "$OUT/refused")"
kill -KILL $filling
wait $filling || :
mount -o remount,size=4m /tmp/full
evtlog buffer end small || die "buffer end: $?"
evtlog buffer record small -o /tmp/full/x.evl || die "with room again: $?"
cp /tmp/full/x.evl "$OUT/filled.evl"
umount /tmp/full
evtlog buffer del '*' || die "buffer del: $?"
wait $reader
grep -q 'Ctrl-C' "$OUT/cut" || die "it records in silence"
grep -q '^status 4' "$OUT/cut" && grep -q 'deleted before all' "$OUT/cut" || die "$(cat "$OUT/cut")"
[ -z "$(evtlog buffer list)" ] || die "$(evtlog buffer list)"
echo '-*' >$evtlog/probes

# A CPU that goes offline hands over its buffer; it records again after it comes back.
order '+net kb=64 events=udp_*'
echo '+udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
taskset 2 udp 10 10
echo 0 >/sys/devices/system/cpu/cpu1/online || die "CPU 1 stays"
grep -q '^cpu 1 online 0 buffers 1 waiting 1 ' $named/net/status || die "$(cat $named/net/status)"
udp 10 20
# Its file can be read by itself: it has the format of an event that was added meanwhile.
echo '+udp_send_skb%return(retval)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
echo 1 >/sys/devices/system/cpu/cpu1/online || die "CPU 1 does not come back"
taskset 2 udp 10 30
order '!net'
read_all hotplug
join
order '-net'
echo '-*' >$evtlog/probes

# A probe of a named buffer with `sample TIME` works without a run.
order '+net kb=64'
echo '+>net udp_sendmsg(len=arg3:u32) sample 20ms' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
read -r begin _ </proc/uptime
udp 3000 33
read -r end _ </proc/uptime
cat $evtlog/probes >"$OUT/sampled.txt"
echo "$begin $end" >"$OUT/sampled.time"
order '!net'
read_all sampled
join
echo '-*' >$evtlog/probes
order '-net'

# The conditions that wake a reader
order '+net kb=64'
echo '+>net udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
for how in records bytes ms mmap sigio ${1:+"$1"}; do
	timeout 10 taskset 1 bufread $how $named/net/cpu0 || die "$how"
done
echo '-*' >$evtlog/probes
order '-net'
order '+net kb=64 urgent=udp_send*'
echo '+>net udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
timeout 10 taskset 1 bufread urgent $named/net/cpu0 || die "urgent"
echo '-*' >$evtlog/probes
order '-net'
dmesg | grep -i 'BUG\|WARN\|Oops\|stall\|lockdep' && die "the kernel complains"
[ -z "$(cat $control)" ] || die "left: $(cat $control)"
