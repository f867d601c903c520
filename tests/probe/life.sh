#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# life.sh - compares the kernel's text before, with and after probes; deletes probes and adds them
# again at once, while tasks are in their functions
. /script/guest.sh

probes=$evtlog/probes
ifconfig lo 127.0.0.1 up
echo "compress = 0" >/tmp/logd.conf

address() {
	awk -v name="$1" '$3 == name { print "0x" $1 }' /script/symbols
}

# text FROM BYTES|SYMBOL - prints the checksum of this text
text() {
	case $2 in
	[0-9]*) to=$(printf '0x%x' $(($(address "$1") + $2))) ;;
	*) to=$(address "$2") ;;
	esac
	dmesg -c >/dev/null
	insmod evtlog_text_test.ko start="$(address "$1")" end="$to" 2>/dev/null || true
	dmesg | grep -o '[0-9]* bytes, sum .*' | tail -n 1 | grep . || die "no sum"
}

all() {
	text _stext _etext
}

entry() {
	text udp_sendmsg 16
}

some="udp_sendmsg ip_send_skb ip_output udp_sendmsg+5 udp_rcv%return schedule vfs_read%return"
# Use each once: the first use changes some text permanently.
evtlog probe add $some || die "add: $?"
start_logd -f /tmp/logd.conf
echo 1 >$evtlog/enable
udp 100 100
echo 0 >$evtlog/enable
stop_logd
rm $log/*.evl
evtlog probe del $some || die "del: $?"
sleep 1
before=$(all) before_entry=$(entry)
evtlog probe add $some || die "add: $?"
[ "$(all)" != "$before" ] || die "probes, and the same text"
[ "$(entry)" != "$before_entry" ] || die "a probe, and the same entry"
udp 100 100
evtlog probe del $some || die "del: $?"
[ "$(entry)" = "$before_entry" ] || die "a deleted probe has left $(entry), not $before_entry"
[ "$(all)" = "$before" ] || die "deleted probes have left $(all), not $before"
echo "text: $before"

# The reader is in vfs_read() all the time, in the return code of the first probe.
mkfifo /tmp/fifo
start_logd -f /tmp/logd.conf
echo 1 >$evtlog/enable
echo '+vfs_read%return(retval, count)
+udp_sendmsg(len)' >$probes || die "$(head -n 1 $probes)"
also reads 1 99 /tmp/fifo
exec 3>/tmp/fifo
sleep 0.5
# The stack of the reader contains the probe's code, and all callers.
stack=$(cat /proc/$(pidof reads)/stack)
case $stack in
*pipe_read*evtlog:vfs_read%return*vfs_read+*ksys_read*do_syscall_64*) ;;
*) die "the stack of the task in vfs_read is not whole: $stack" ;;
esac
also udp 3000 100
for round in $(seq 20); do
	echo '-vfs_read%return
-udp_sendmsg' >$probes || die "$(head -n 1 $probes)"
	echo '+vfs_read%return(retval, count)
+udp_sendmsg(len)' >$probes || die "$(head -n 1 $probes)"
	# The same in one write
	echo '-udp_sendmsg
+udp_sendmsg(len)' >$probes || die "$(head -n 1 $probes)"
done
[ "$(sed 's/ id .* mechanism \([a-z]*\) .*/ \1/' $probes)" = "probe vfs_read%return return
probe udp_sendmsg direct" ] || die "$(cat $probes)"
# If an insertion fails, the write's deletions are not done.
! echo '-udp_sendmsg
+udp_sendmsg(len)
+udp_sendmsg%return(retval)' >$probes 2>/dev/null || die "two calls of one site"
grep -q '^probe udp_sendmsg .* mechanism direct' $probes || die "$(cat $probes)"
reads 5 77 /dev/zero
echo evtlog >&3
exec 3>&-
join
grep -q '^probe udp_sendmsg .* recorded [1-9]' $probes || udp 10 100
echo 0 >$evtlog/enable
stop_logd
cp $log/*.evl "$OUT/life.evl"
echo '-*' >$probes

# Disable ftrace, as its errors do; the second probe is a kprobe at ftrace's site
printf '+udp_sendmsg%%return\n+udp_sendmsg(len)\n' >$probes || die "$(head -n 1 $probes)"
grep -q '^probe udp_sendmsg .* mechanism kprobe' $probes || die "$(cat $probes)"
insmod evtlog_text_test.ko call="$(address ftrace_kill)" 2>/dev/null || true
for order in '-*' -udp_sendmsg -udp_sendmsg%return; do
	! echo "$order" >$probes 2>/dev/null || die "ftrace is disabled, and $order deletes"
done
grep -q '^error .* ftrace has found a fault and is disabled' $probes && grep -q '^probe udp_sendmsg ' $probes || die "$(cat $probes)"
udp 10 100
