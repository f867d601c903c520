#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# pids.sh - rules of events of one task: in a run, in a flight recorder, in a ring of all CPUs
. /script/guest.sh

watches=$evtlog/watches
control=$evtlog/named/control
ifconfig lo 127.0.0.1 up
dmesg -c >/dev/null
before=$(cat $watches $control)

order() {
	echo "$1" >$watches || die "$1: $(head -n 1 $watches)"
}

# must_refuse WORDS FILE LINE - and the file says why
must_refuse() {
	! echo "$3" >"$2" 2>/dev/null || die "$3: not refused"
	grep -q "^error .*$1" "$2" || die "$3: refused with $(head -n 1 "$2")"
}

is_open() {
	ls -l /proc/$1/fd | grep -q evtlog/matches
}

# matches NAME PREFIX - of rules over what is sent meanwhile
matches() {
	order "+pid $2udp_sendmsg if len==111 then udp_sendmsg if len==222 within 2ms, same pid do wake"
	order "+any $2udp_sendmsg if len==111 then udp_sendmsg if len==222 within 2ms do wake"
	dd if=$evtlog/matches of="$OUT/$1.matches" bs=64k 2>/dev/null &
	reader=$!
	until_true 20 is_open $reader || die "matches are not read"
	lengths $SEED $COUNT || die "lengths: $?"
	sleep 0.3
	kill $reader
	cp $watches "$OUT/$1.watches"
	echo '-*' >$watches
}

probe='udp_sendmsg(len=arg3:u32, pid=current.pid, process=current.tgid, on=current.cpu, low=current.pid:u8)'
must_refuse 'current.comm is unknown; write current.pid' $evtlog/probes '+udp_sendmsg(current.comm)'
must_refuse 'current.pid is a number' $evtlog/probes '+udp_sendmsg(current.pid[0:4])'
must_refuse 'no parameter current\|no BTF' $evtlog/probes '+udp_sendmsg(current)'
must_refuse 'two arguments have the label pid' $evtlog/probes '+udp_sendmsg(pid=arg1, pid=current.pid)'

# In a run: a direct call, a kprobe at the function of a return probe, a filter
start_logd
echo "+$probe
+ip_send_skb%return(pid=current.pid, process=current.tgid, on=current.cpu, low=current.pid:u8)
+ip_send_skb(pid=current.pid, process=current.tgid, on=current.cpu, low=current.pid:u8) if pid != 1 && on < 99
+ip_send_skb+5(pid=current.pid, process=current.tgid, on=current.cpu, low=current.pid:u8)" \
	>$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
echo 1 >$evtlog/enable
matches run ''
echo 0 >$evtlog/enable
cp $evtlog/probes "$OUT/run.probes"
echo '-*' >$evtlog/probes
stop_logd
mv $log/*.evl "$OUT/run.evl"

# In a flight recorder that keeps everything; and a probe without an argument for the task
echo '+flight kb=256 buffers=4 mode=overwrite' >$control || die "$(cat $control)"
echo '+>flight udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
must_refuse 'no field pid, and buffer flight does not record .* the argument pid=current.pid, or use a global' $watches \
	'+x in flight udp_sendmsg then udp_sendmsg within 2ms, same pid do wake'
must_refuse 'no field pid, and buffer flight does not record' $watches '+x in flight udp_sendmsg if pid==1 do wake'
echo '-*' >$evtlog/probes
echo "+>flight $probe" >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
also evtlog buffer record flight -o "$OUT/flight.evl"
matches flight 'in flight '
echo '!flight' >$control
join
echo '-*' >$evtlog/probes
echo '-flight' >$control

# In a ring of all CPUs, whose records contain the task
echo '+all global kb=256 buffers=4' >$control || die "$(cat $control)"
echo '+>all udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
also evtlog buffer record all -o "$OUT/global.evl"
matches global 'in all '
echo '!all' >$control
join
echo '-*' >$evtlog/probes
echo '-all' >$control

# A rule that uses the tasks of a global buffer refuses a later buffer of the same name without tasks.
echo '+all global kb=256 buffers=4' >$control || die "$(cat $control)"
echo '+>all udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
order "+pid in all udp_sendmsg if len==111 then udp_sendmsg if len==222 within 2ms, same pid do wake"
order "+any in all udp_sendmsg if len==111 then udp_sendmsg if len==222 within 2ms do wake"
order "+known in all udp_sendmsg if pid>=0 do wake"
lengths $SEED 20 || die "lengths: $?"
sleep 0.3
echo '-*' >$evtlog/probes
echo '-all' >$control
cp $watches "$OUT/one.watches"
echo '+all kb=256 buffers=4 mode=overwrite' >$control || die "$(cat $control)"
echo '+>all udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
lengths $SEED 100 || die "lengths: $?"
sleep 0.3
cp $watches "$OUT/another.watches"
echo '-*' >$watches
echo '-*' >$evtlog/probes
echo '-all' >$control

# A buffer's own reader gets what it has, far less than a buffer, when a rule matches there, and not before
echo '+net kb=64 buffers=4' >$control || die "$(cat $control)"
echo '+>net udp_sendmsg(len=arg3:u32)' >$evtlog/probes || die "$(head -n 1 $evtlog/probes)"
dd if=$evtlog/named/net/cpu0 of=/tmp/net bs=64k count=1 2>/dev/null &
reader=$!
taskset -c 0 lengths $SEED 5 || die "lengths: $?"
sleep 0.5
kill -0 $reader || die "it is read before anything matches"
order "+own in net udp_sendmsg if len==222 do wake"
sleep 0.3
kill -0 $reader || die "a rule alone wakes the reader"
taskset -c 0 lengths $SEED 5 || die "lengths: $?"
until_true 10 sh -c "! kill -0 $reader 2>/dev/null" || die "the reader is not woken: $(cat $watches)"
[ "$(wc -c </tmp/net)" -gt 100 ] || die "the reader got $(wc -c </tmp/net) bytes"
echo '-*' >$watches
echo '-*' >$evtlog/probes
echo '-net' >$control
dmesg | grep -i 'BUG\|WARN\|Oops\|stall\|lockdep' && die "the kernel complains"
[ "$(cat $watches $control)" = "$before" ] || die "left: $(cat $watches $control)"
