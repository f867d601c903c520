#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# lockdown.sh LEVEL - tests the accesses that a locked-down kernel refuses to root, compared with
# ftrace's kprobes. LEVEL none: the kernel is locked down during a run, while files are open.
. /script/guest.sh

level=$1
probes=$evtlog/probes
mount -t securityfs none /sys/kernel/security || die "securityfs: $?"
state=/sys/kernel/security/lockdown
[ -d $tracing/events ] || mount -t tracefs none $tracing 2>/dev/null || true
grep -qF "[$level]" $state || die "lockdown: $(cat $state)"
ifconfig lo 127.0.0.1 up

# refused COMMAND... - fails with EPERM or EACCES; its output goes to /tmp/said
refused() {
	! "$@" >/tmp/said 2>&1 || die "$*: not refused at $level"
	grep -q "not permitted\|ermission denied" /tmp/said || die "$*: $(cat /tmp/said)"
}

# says REGEX - checks the output of the last refused command
says() {
	grep -q "$1" /tmp/said || die "not '$1': $(cat /tmp/said)"
}

all_files() {
	find $evtlog -type f
}

kprobe() {
	echo 'p:peer udp_sendmsg' >$tracing/kprobe_events
}

# All files are closed for reading and writing; commands report the reason.
must_be_closed() {
	files=0
	for file in $(all_files); do
		refused sh -c "exec 4<$file"
		refused sh -c "exec 4>>$file"
		files=$((files + 1))
	done
	[ $files -gt 15 ] || die "only $files files"
	! kprobe 2>/dev/null || die "ftrace inserts a kprobe"
	why="the kernel is locked down.*: boot with lockdown=integrity"
	refused evtlog probe add udp_sendmsg
	says "^evtlog: $evtlog/probes: .*$why"
	refused evtlog probe list
	says "^evtlog: $evtlog/probes: .*$why"
	refused sh -c "echo +udp_sendmsg >$probes"
	says "$probes: Operation not permitted"
	dmesg | grep -q "Lockdown: sh: .*tracefs.* is restricted" || die "the kernel's log says nothing"
	refused evtlog start
	says "$why"
	refused logd -d $log
	says "$why"
	refused evtlog profile start
	# Without securityfs the cause is unknown.
	umount /sys/kernel/security
	refused evtlog probe add udp_sendmsg
	says "CAP_SYS_MODULE.*not locked down"
	echo "$level: $files files are closed"
}

# record_datagrams - records a run with a probe that reads memory, which kprobes may do
record_datagrams() {
	rm -rf $log
	start_logd
	evtlog probe add 'udp_sendmsg(sk=arg1, head=arg1[0:16])' || die "probe add: $?"
	exec 6>$evtlog/enable
	echo 1 >&6
	udp 100 10
}

must_have_recorded() {
	stop_logd
	evtlog check $log/*.evl >/tmp/check || die "check: $(cat /tmp/check)"
	n=$(evtlog dump $log/*.evl | grep -c " udp_sendmsg .*head=")
	[ "$n" = "$1" ] || die "$n records of $1 datagrams"
	echo "$level: $n records"
}

# Files belong to root: other users see no addresses.
must_hide() {
	files=0
	for file in $(all_files | grep -v /profile/) $log/*.evl; do
		refused su nobody -s /bin/sh -c "cat $file"
		files=$((files + 1))
	done
	[ $files -gt 15 ] || die "only $files files"
	# Even root gets no address of the kernel as text.
	for name in probes status format events; do
		! grep -q 'ffff[89a-f][0-9a-f]\{11\}' $evtlog/$name || die "$name tells an address"
	done
	echo "$level: $files files are hidden"
}

case $level in
confidentiality)
	must_be_closed
	;;
integrity)
	# A module could change the kernel; a probe only reads.
	! insmod evtlog_put_test.ko 2>/dev/null || die "a module that nobody signed is loaded"
	kprobe || die "ftrace inserts no kprobe at $level"
	echo >$tracing/kprobe_events
	record_datagrams
	echo 0 >&6
	must_have_recorded 100
	must_hide
	;;
none)
	kprobe || die "ftrace inserts no kprobe at $level"
	echo >$tracing/kprobe_events
	insmod evtlog_put_test.ko count=1 || die "insmod: $?"
	rmmod evtlog_put_test
	record_datagrams
	exec 3>$probes 4<$probes
	echo confidentiality >$state || die "lockdown: $?"
	# Open files stay open, and a run continues to its end, but they accept no probes.
	udp 100 10
	! echo '+ip_send_skb' >&3 2>/dev/null || die "a probe is inserted through an open file"
	cat <&4 >/tmp/listed
	grep -q "^error .*locked down; boot without lockdown=confidentiality" /tmp/listed || die "$(cat /tmp/listed)"
	[ "$(grep -c ^probe /tmp/listed)" = 1 ] || die "$(cat /tmp/listed)"
	echo 0 >&6
	must_have_recorded 200
	level=confidentiality
	must_be_closed
	;;
*)
	die "$level: no such level"
	;;
esac
