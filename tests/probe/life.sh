#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# life.sh - the kernel's text before, with and after probes; probes that are deleted and at once
echo "@@ 4  added again, while somebody is in their functions" >&2
# added again, while somebody is in their functions
. /script/guest.sh

echo "@@ 7 probesevtlogprobes" >&2
probes=$evtlog/probes
ifconfig lo 127.0.0.1 up
echo "@@ 9 echo compress  0 tmplogd.conf" >&2
echo "compress = 0" >/tmp/logd.conf

address() {
	awk -v name="$1" '$3 == name { print "0x" $1 }' /script/symbols
}

echo "@@ 15  text FROM BYTESSYMBOL  the sum of what is there" >&2
# text FROM BYTES|SYMBOL - the sum of what is there
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
echo "@@ 35  Once each what is patched for good the first time is so b" >&2
# Once each: what is patched for good the first time is so before it is looked at.
echo "@@ 36 evtlog probe add some  die add " >&2
evtlog probe add $some || die "add: $?"
echo "@@ 37 startlogd f tmplogd.conf" >&2
start_logd -f /tmp/logd.conf
echo "@@ 38 echo 1 evtlogenable" >&2
echo 1 >$evtlog/enable
udp 100 100
echo "@@ 40 echo 0 evtlogenable" >&2
echo 0 >$evtlog/enable
echo "@@ 41 stoplogd" >&2
stop_logd
rm $log/*.evl
echo "@@ 43 evtlog probe del some  die del " >&2
evtlog probe del $some || die "del: $?"
echo "@@ 44 sleep 1" >&2
sleep 1
before=$(all) before_entry=$(entry)
echo "@@ 46 evtlog probe add some  die add " >&2
evtlog probe add $some || die "add: $?"
[ "$(all)" != "$before" ] || die "probes, and the same text"
[ "$(entry)" != "$before_entry" ] || die "a probe, and the same entry"
udp 100 100
echo "@@ 50 evtlog probe del some  die del " >&2
evtlog probe del $some || die "del: $?"
[ "$(entry)" = "$before_entry" ] || die "a deleted probe has left $(entry), not $before_entry"
[ "$(all)" = "$before" ] || die "deleted probes have left $(all), not $before"
echo "@@ 53 echo text before" >&2
echo "text: $before"

echo "@@ 55  The reader is in vfsread all the while, and in the retu" >&2
# The reader is in vfs_read() all the while, and in the return's code of the first probe.
mkfifo /tmp/fifo
echo "@@ 57 startlogd f tmplogd.conf" >&2
start_logd -f /tmp/logd.conf
echo "@@ 58 echo 1 evtlogenable" >&2
echo 1 >$evtlog/enable
echo "@@ 59 echo vfsreadreturnretval, count" >&2
echo '+vfs_read%return(retval, count)
+udp_sendmsg(len)' >$probes || die "$(head -n 1 $probes)"
echo "@@ 61 also reads 1 99 tmpfifo" >&2
also reads 1 99 /tmp/fifo
exec 3>/tmp/fifo
echo "@@ 63 sleep 0.5" >&2
sleep 0.5
echo "@@ 64  The stack of the reader has the probes code, and all call" >&2
# The stack of the reader has the probe's code, and all callers.
stack=$(cat /proc/$(pidof reads)/stack)
case $stack in
*pipe_read*evtlog:vfs_read%return*vfs_read+*ksys_read*do_syscall_64*) ;;
*) die "the stack of the task in vfs_read is not whole: $stack" ;;
esac
echo "@@ 70 also udp 3000 100" >&2
also udp 3000 100
echo "@@ 71 for round in seq 20 do" >&2
for round in $(seq 20); do
	echo '-vfs_read%return
-udp_sendmsg' >$probes || die "$(head -n 1 $probes)"
	echo '+vfs_read%return(retval, count)
+udp_sendmsg(len)' >$probes || die "$(head -n 1 $probes)"
	# In one write, too
	echo '-udp_sendmsg
+udp_sendmsg(len)' >$probes || die "$(head -n 1 $probes)"
done
[ "$(sed 's/ id .* mechanism \([a-z]*\) .*/ \1/' $probes)" = "probe vfs_read%return return
echo "@@ 81 probe udpsendmsg direct   die cat probes" >&2
probe udp_sendmsg direct" ] || die "$(cat $probes)"
echo "@@ 82  What cannot be inserted leaves what was to be deleted." >&2
# What cannot be inserted leaves what was to be deleted.
! echo '-udp_sendmsg
+udp_sendmsg(len)
+udp_sendmsg%return(retval)' >$probes 2>/dev/null || die "two calls of one site"
grep -q '^probe udp_sendmsg .* mechanism direct' $probes || die "$(cat $probes)"
reads 5 77 /dev/zero
echo "@@ 88 echo evtlog 3" >&2
echo evtlog >&3
exec 3>&-
join
grep -q '^probe udp_sendmsg .* recorded [1-9]' $probes || udp 10 100
echo "@@ 92 echo 0 evtlogenable" >&2
echo 0 >$evtlog/enable
echo "@@ 93 stoplogd" >&2
stop_logd
cp $log/*.evl "$OUT/life.evl"
echo "@@ 95 echo  probes" >&2
echo '-*' >$probes

echo "@@ 97  As each fault does that ftrace finds the second is a kpro" >&2
# As each fault does that ftrace finds; the second is a kprobe at ftrace's site
printf '+udp_sendmsg%%return\n+udp_sendmsg(len)\n' >$probes || die "$(head -n 1 $probes)"
grep -q '^probe udp_sendmsg .* mechanism kprobe' $probes || die "$(cat $probes)"
echo "@@ 100 insmod evtlogtexttest.ko calladdress ftracekill 2" >&2
insmod evtlog_text_test.ko call="$(address ftrace_kill)" 2>/dev/null || true
echo "@@ 101 for order in  udpsendmsg udpsendmsgreturn do" >&2
for order in '-*' -udp_sendmsg -udp_sendmsg%return; do
	! echo "$order" >$probes 2>/dev/null || die "ftrace is disabled, and $order deletes"
done
grep -q '^error ftrace is disabled' $probes && grep -q '^probe udp_sendmsg ' $probes || die "$(cat $probes)"
udp 10 100
