#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# watch.sh - rules: refused, matched during a run, a flight recorder, start and stop
. /script/guest.sh

watches=$evtlog/watches
control=$evtlog/named/control
test=/sys/module/evtlog_watch_test/parameters
dmesg -c >/dev/null

order() {
	echo "$1" >$watches || die "$1: $(head -n 1 $watches)"
}

# must_refuse WORDS LINE - and the file says why
must_refuse() {
	! echo "$2" >$watches 2>/dev/null || die "$2: not refused"
	grep -q "^error .*$1" $watches || die "$2: refused with $(head -n 1 $watches)"
}

load() {
	insmod evtlog_watch_test.ko seed="$SEED" "$@" || die "insmod: $?"
}

is_done() {
	[ "$(cat $test/done)" = 1 ]
}

go() {
	echo 1 >$test/go
	until_true 60 is_done || die "events do not end"
	sleep 0.3
}

# read_matches FILE - from now on; $reader
read_matches() {
	dd if=$evtlog/matches of="$1" bs=64k ${2:-} 2>/dev/null &
	reader=$!
	until_true 20 is_open $reader || die "matches are not read"
}

is_open() {
	ls -l /proc/$1/fd | grep -q evtlog/matches
}

unload() {
	rmmod evtlog_watch_test || die "rmmod: $?"
}

must_refuse 'is not an order; write +NAME RULE' 'x wa do wake'
must_refuse 'event wa does not exist' '+x wa do wake'
load
must_refuse 'not a valid watch name' '+9 wa do wake'
must_refuse 'no action; end it with "do wake"' '+x wa'
must_refuse 'no action' '+x'
must_refuse 'not a valid event name' '+x do wake'
must_refuse 'is not an action' '+x wa do nothing'
must_refuse '"within TIME" is missing' '+x wa then wb do wake'
must_refuse 'is not a time' '+x wa then wb within 2 do wake'
must_refuse 'is not a time' '+x wa then wb within 2ms2 do wake'
must_refuse 'is not a time' '+x wa then wb within 99999999999999999999ms do wake'
must_refuse 'too long' '+x wa then wb within 61s do wake'
must_refuse 'within 0 matches nothing' '+x wa then wb within 0s do wake'
must_refuse '"after" is longer' '+x wa then wb after 3ms within 2ms do wake'
must_refuse 'wb has no field kez' '+x wa then wb within 2ms, same key=kez do wake'
must_refuse 'same FIELD' '+x wa then wb within 2ms, samekey do wake'
must_refuse 'more than 4 fields' '+x wa then wb within 2ms, same key,seq,key,seq,key do wake'
must_refuse 'wa if: column' '+x wa if key== do wake'
must_refuse 'wa if: column' '+x wa if nokey==2 do wake'
must_refuse 'can test only the event.s fields' '+x wa if comm=="sh" do wake'
must_refuse 'can test only the event.s fields' '+x wa if key==1||tree==1 do wake'
must_refuse 'can test only the event.s fields' '+x wa if cgroup!=1 do wake'
must_refuse 'start needs the events of a named buffer' '+x wa do start'
must_refuse 'keep needs a named buffer' '+x wa do keep 2ms'
must_refuse 'named buffer net does not exist' '+x in net wa do wake'
must_refuse 'watch x does not exist' '-x'
must_refuse 'period "0" is not a number' 'period 0'
long=$(printf '%600s' | tr ' ' 'x')
must_refuse 'the rule is longer than' "+x wa if key==1 || key==$long do wake"
! echo "+x $long$long$long$long$long$long$long$long" >$watches 2>/dev/null || die "an overlong line"
must_refuse 'one line' "$(printf '+x wa if\nkey==1 do wake')"
! su nobody -s /bin/sh -c "cat $watches || cat $evtlog/matches" >/dev/null 2>&1 ||
	die "anybody reads watches"
for i in $(seq 1000); do
	echo "+n$i wa do wake" >$watches 2>/dev/null || break
done
[ "$i" = 33 ] || die "watch $i of 1000 is refused"
grep -q '^error there are 32 watches already' $watches || die "$(head -n 1 $watches)"
echo '-*' >$watches
[ -z "$(cat $watches)" ] || die "left: $(cat $watches)"
! ps | grep -q '[e]vtlog_watch' || die "a thread is left"
unload

# Rules over a run that logd records completely.
start_logd
load count="$COUNT"
order '+then wa then wb within 2ms, same key do wake'
order '+without wa without wb within 2ms, same key do wake'
# A wb of one key is 2 ms away on a fast machine, which has seldom no wb of any for 1 ms.
order '+slow wa if key==3 && delta<0 then wb if key==5 after 1ms within 20ms do wake'
order '+self wb if key<4 then wb within 500us, same key do wake'
order '+alone wa if seq in {5, 70-75} && cpu==1 do wake'
order '+sched sched_waking then sched_switch after 1ms within 100ms, same pid=next_pid do wake'
read_matches "$OUT/matches"
pid=$(ps | awk '/[[]evtlog_watch]/ { print $1 }')
sleep 0.2
cp /proc/$pid/schedstat "$OUT/idle"
sed -n 's/.*rounds //p' $watches >"$OUT/rounds.idle"
sleep 1
cp /proc/$pid/schedstat "$OUT/idle.end"
sed -n 's/.*rounds //p' $watches >"$OUT/rounds.idle.end"
echo 1 >$evtlog/enable
cp /proc/$pid/schedstat "$OUT/before"
cp /proc/uptime "$OUT/uptime.before"
go
cp /proc/$pid/schedstat "$OUT/after"
cp /proc/uptime "$OUT/uptime.after"
cat $evtlog/watches
echo 0 >$evtlog/enable
sleep 0.2
cp $evtlog/watches "$OUT/watches"
kill $reader
echo '-*' >$watches
stop_logd
unload
mv $log/*.evl "$OUT/run.evl"

# A flight recorder, much smaller than what is written.
echo '+flight kb=4 buffers=4 mode=overwrite events=wa,wb' >$control || die "$(cat $control)"
load count="$COUNT"
must_refuse 'no field pid' '+x in flight wa then wb within 2ms, same pid do wake'
order '+crash in flight wa if seq in {900-910} && cpu==0 do keep 50ms and 20ms after'
also evtlog buffer record flight -o "$OUT/flight.evl"
read_matches "$OUT/kept" count=1
go
join
wait $reader
cat $watches $control
echo '-*' >$watches
echo '-flight' >$control
unload

# Another buffer by a flight recorder's name is not ended in its place: built-in events would go to
# what is freed.
for events in sched_switch 'wa mode=overwrite'; do
	load count="$COUNT"
	echo '+flight kb=4 mode=overwrite events=wa' >$control || die "$(cat $control)"
	order '+crash in flight wa if seq==3 do keep 50ms and 1s after'
	[ "$events" != sched_switch ] || order '+switch in flight sched_switch do keep 50ms'
	read_matches "$OUT/another" count=1
	go
	echo '-flight' >$control
	echo "+flight kb=4 events=$events" >$control || die "$(cat $control)"
	wait $reader
	sleep 1.2
	grep -q '^buffer flight .* state recording' $control || die "$events: $(cat $control $watches)"
	echo '-*' >$watches
	echo '-flight' >$control
	unload
done

# Over a ring of all CPUs that is read at the same time
echo '+all global kb=64 buffers=16 events=wa,wb' >$control || die "$(cat $control)"
load count="$COUNT"
also evtlog buffer record all -o "$OUT/global.evl"
order '+then in all wa then wb within 2ms, same key do wake'
order '+without in all wa without wb within 2ms, same key do wake'
order '+alone in all wa if seq in {5, 70-75} && cpu==1 do wake'
read_matches "$OUT/matches.global"
go
cp $watches "$OUT/watches.global"
kill $reader
echo '-*' >$watches
echo '!all' >$control
join
echo '-all' >$control
unload

# More than can be looked at: what is missed is counted, and nothing is made up.
echo '+flood kb=4 buffers=2 mode=overwrite events=wa,wb' >$control || die "$(cat $control)"
load count=20000 pause_us=0
order '+flood in flood wa then wb within 2ms, same key do wake'
read_matches "$OUT/flooded"
go
kill $reader
echo '-flood' >$control
sleep 0.1
grep '^watch flood state idle' $watches >"$OUT/flood" || die "$(cat $watches)"
echo '-*' >$watches
unload

# A rule starts a run, another stops it.
start_logd
echo '+net kb=16 events=wa,wb' >$control || die "$(cat $control)"
load count="$COUNT"
order '+go in net wa if seq in {200-210} && cpu==0 do start'
order '+halt in net wa if seq in {500-510} && cpu==0 do stop'
order 'period 1'
read_matches "$OUT/started"
go
kill $reader
echo '-*' >$watches
echo '-net' >$control
[ "$(cat $evtlog/enable)" = 0 ] || die "the run was not stopped"
unload
stop_logd
mv $log/*.evl "$OUT/started.evl"

# The commands: a flight recorder over two probes, one that is interrupted, and waiting.
ifconfig lo 127.0.0.1 up
is_watched() {
	grep -q "$1" $watches
}
evtlog buffer record -o "$OUT/udp.evl" --when udp_sendmsg 2>"$OUT/said" && die "no events"
status=0
evtlog buffer record -o "$OUT/udp.evl" -p 'udp_sendmsg()' --when 'udp_sendmsg do wake' 2>"$OUT/said" || status=$?
[ $status = 2 ] || die "another action: $(cat "$OUT/said")"
evtlog buffer record -o "$OUT/udp.evl" -p 'udp_sendmsg(len=arg3:u32)' --when 'udp_sendmsg if le==1' \
	2>"$OUT/said" && die "a bad rule"
grep -q -e '--when: udp_sendmsg if: column' "$OUT/said" || die "$(cat "$OUT/said")"
evtlog buffer record -o "$OUT/none.evl" -p 'udp_sendmsg(len=arg3:u32)' --when 'udp_sendmsg if len==1' &
flight=$!
until_true 20 is_watched flight || die "no flight"
kill -TERM $flight
wait $flight && die "interrupted, and well"
[ ! -e "$OUT/none.evl" ] || die "a file is left"
[ -z "$(cat $watches $control $evtlog/probes)" ] || die "left: $(cat $watches $control)"
# Also of one that is killed.
evtlog buffer record -o "$OUT/none.evl" -p 'udp_sendmsg(len=arg3:u32)' --when 'udp_sendmsg if len==1' &
flight=$!
until_true 20 is_watched flight || die "no flight"
is_read() {
	[ -e "$OUT/none.evl" ]
}
until_true 20 is_read || die "the flight waits for nothing"
kill -KILL $(pidof evtlog)
wait $flight && die "killed, and well"
is_left_clean() {
	[ -z "$(cat $watches $control $evtlog/probes)" ]
}
until_true 20 is_left_clean || die "left of one that was killed: $(cat $watches $control)"
# Where the kernel has BTF, by names, and of the same socket.
to='ip_send_skb(skb=arg2:u64)' from='udp_sendmsg(len=arg3:u32)' same=
if [ -e /sys/kernel/btf/vmlinux ]; then
	to='ip_send_skb(sk=skb->sk)' from='udp_sendmsg(sk, len)' same=', same sk'
fi
also evtlog buffer record --json -o "$OUT/udp.evl" --buffers x64 -p "$from" -p "$to" \
	--when "udp_sendmsg if len==333 then ip_send_skb within 1s$same do keep 1ms and 5ms after" >"$OUT/flight.json"
until_true 20 is_watched flight || die "no flight"
udp 200 111
udp 1 333
join
[ -z "$(cat $watches $control $evtlog/probes)" ] || die "left: $(cat $watches $control)"
evtlog dump "$OUT/udp.evl" >"$OUT/udp.dump"
evtlog check "$OUT/udp.evl" || [ $? = 4 ] || die "check: $?"
# With built-in events, which are in runs again when the rule has ended it
also evtlog buffer record -o "$OUT/switches.evl" --buffers x64 --events sched_switch,user \
	-p 'udp_sendmsg(len=arg3:u32)' --when 'udp_sendmsg if len==444 do keep 1ms' >"$OUT/switches.said"
until_true 20 is_watched flight || die "no flight"
grep -qx -- '-sched_switch' $evtlog/events || die "runs have them: $(cat $evtlog/events)"
udp 20 111
udp 1 444
join
[ -z "$(cat $watches $control $evtlog/probes)" ] || die "left: $(cat $watches $control)"
grep -qx '+sched_switch' $evtlog/events || die "runs lack them: $(cat $evtlog/events)"
evtlog check "$OUT/switches.evl" || [ $? = 4 ] || die "check: $?"
evtlog dump "$OUT/switches.evl" >"$OUT/switches.dump"
for event in sched_switch user_exit user_enter udp_sendmsg; do
	grep -q " $event " "$OUT/switches.dump" || die "no $event: $(head "$OUT/switches.dump")"
done

evtlog buffer wait 2>"$OUT/said" && die "waits for nothing"
grep -q 'there are no rules' "$OUT/said" || die "$(cat "$OUT/said")"
evtlog buffer add net --buffers x16 && evtlog probe add --buffer net 'udp_sendmsg(len=arg3:u32)' ||
	die "probe: $?"
evtlog buffer when two --interval 1ms in net 'udp_sendmsg if len==5 then udp_sendmsg if len==6 within 1s' \
	do wake || die "buffer when: $?"
evtlog buffer when two in net udp_sendmsg do wake 2>"$OUT/said" && die "twice"
grep -q 'two: watch two exists already' "$OUT/said" || die "$(cat "$OUT/said")"
evtlog buffer wait one 2>"$OUT/said" && die "waits for one"
evtlog buffer wait --timeout 100ms 2>"$OUT/said" && die "a match of nothing"
grep -q 'no match in time' "$OUT/said" || die "$(cat "$OUT/said")"
also evtlog buffer wait two --timeout 20 --json --count 2 >"$OUT/wait.json"
is_waiting() {
	ls -l /proc/[0-9]*/fd 2>/dev/null | grep -q "$evtlog/matches"
}
until_true 20 is_waiting || die "nobody waits"
# The same event again, by another id
evtlog probe del udp_sendmsg && evtlog probe add --buffer net 'udp_sendmsg(len=arg3:u32)' ||
	die "probe: $?"
udp 1 5
udp 2 6
udp 3 5
udp 1 6
join
evtlog buffer list
evtlog buffer list --json >"$OUT/list.json"
# A rule and a buffer can have the same name: both are deleted.
evtlog buffer when net in net udp_sendmsg do wake || die "a second rule: $?"
evtlog buffer del two || die "buffer del of a rule: $?"
evtlog buffer del two 2>"$OUT/said" && die "deleted twice"
grep -q 'two: buffer two does not exist' "$OUT/said" || die "$(cat "$OUT/said")"
grep -q ' net ' $control || die "del of a rule deletes the buffer"
evtlog probe del udp_sendmsg && evtlog buffer del net || die "del: $?"
dmesg | grep -i 'BUG\|WARN\|Oops\|stall\|lockdep' && die "the kernel complains"
[ -z "$(cat $watches)$(cat $control)" ] || die "left: $(cat $watches $control)"
