#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# lockdown.sh LEVEL - what a kernel that is locked down refuses to root; NONE at the beginning means that
# it is locked down while a probe is there and files are open
. /script/guest.sh

level=$1
probes=$evtlog/probes
mount -t securityfs none /sys/kernel/security || die "securityfs: $?"
state=/sys/kernel/security/lockdown
ifconfig lo 127.0.0.1 up

# refused COMMAND... - EPERM, or EACCES; what it says is in /tmp/said
refused() {
	! "$@" >/tmp/said 2>&1 || die "$*: not refused at $level"
	grep -q "not permitted\|ermission denied" /tmp/said || die "$*: $(cat /tmp/said)"
}

all_files() {
	find $evtlog -type f
}

# Everything is closed, whether it is opened to read or to write.
must_be_closed() {
	files=0
	for file in $(all_files); do
		refused sh -c "exec 4<$file"
		refused sh -c "exec 4>>$file"
		files=$((files + 1))
	done
	[ $files -gt 15 ] || die "only $files files"
	refused evtlog probe add udp_sendmsg
	grep -q "probes: .*not locked down" /tmp/said || die "probe add: $(cat /tmp/said)"
	refused evtlog probe list
	refused evtlog profile -- true
	refused logd -d $log
	grep -q "no kernel lockdown" /tmp/said || die "logd: $(cat /tmp/said)"
	echo "$level: $files files are closed"
}

must_probe() {
	start_logd
	evtlog probe add 'udp_sendmsg(sk=arg1, head=arg1[0:16])' || die "probe add: $?"
	echo 1 >$evtlog/enable
	udp 100 10
	echo 0 >$evtlog/enable
	stop_logd
	grep -q "^probe udp_sendmsg .* recorded 100 " $probes || die "$(cat $probes)"
}

# Root's alone: of addresses nobody else sees anything.
must_hide() {
	files=0
	for file in $(all_files) $log/*.evl; do
		refused su nobody -s /bin/sh -c "cat $file"
		files=$((files + 1))
	done
	[ $files -gt 15 ] || die "only $files files"
	# Root too gets no address of the kernel's as text.
	for name in probes status format events; do
		! grep -q 'ffff[89a-f][0-9a-f]\{11\}' $evtlog/$name || die "$name tells an address"
	done
	echo "$level: $files files are hidden"
}

case $level in
confidentiality)
	grep -qF "[$level]" $state || die "$(cat $state)"
	must_be_closed
	;;
integrity)
	grep -qF "[$level]" $state || die "$(cat $state)"
	! insmod evtlog_put_test.ko 2>/dev/null || die "a module that nobody signed is loaded"
	must_probe
	must_hide
	;;
none)
	must_probe
	exec 3>$probes
	exec 5<$evtlog/cpu0
	echo confidentiality >$state || die "lockdown: $?"
	# A file that was open stays open, and inserts nothing.
	! echo '+ip_send_skb' >&3 2>/dev/null || die "a probe is inserted through an open file"
	must_be_closed
	;;
*)
	die "$level: no such level"
	;;
esac
