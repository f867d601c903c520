#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# probe.sh - runs the scripts of probes with the module; then unloads it while a task sleeps in a probed
# function, and again and again under load.
. /script/guest.sh

probes=$evtlog/probes

must_refuse() {
	! echo "+$2" >$probes 2>/dev/null || die "$2: not refused"
	[ "$(head -n 1 $probes)" = "error $1" ] || die "$2: refused with $(head -n 1 $probes)"
}

add() {
	printf '+%s\n' "$@" >$probes || die "$(head -n 1 $probes)"
}

load_module() {
	insmod /script/evtlog.ko "$@" || die "insmod: $?"
}

unload_module() {
	rmmod evtlog || die "rmmod: $?"
	[ ! -e $evtlog ] || die "$evtlog is left"
	[ -z "$(cat $tracing/enabled_functions)" ] || die "still traced: $(cat $tracing/enabled_functions)"
	[ -z "$(cat /sys/kernel/debug/kprobes/list)" ] || die "left: $(cat /sys/kernel/debug/kprobes/list)"
}

mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null || true
load_module outside=0
! echo +vfs_read >$probes 2>/dev/null || die "a probe without the functions that it needs"
grep -q '^error the module evtlog does not find .* load it without outside=0$' $probes || die "$(cat $probes)"
unload_module

all=$OUT
for script in probe-values.sh bytes.sh sample.sh; do
	OUT=$all/${script%.sh}
	export OUT
	mkdir "$OUT"
	load_module
	echo "$script"
	"/script/$script" || die "$script: $?"
	unload_module
	rm -rf $log
done
OUT=$all

load_module
must_refuse 'a timer needs profiles, and the module evtlog has none' vfs_read%timer
must_refuse 'do_exit never returns; probe its entry' do_exit%return
# Two probes of one entry
entry=$(awk '$3 == "udp_sendmsg" { print "0x" $1 }' /proc/kallsyms)
add udp_sendmsg "udp_sendmsg@$entry" udp_sendmsg%return || die "$(cat $probes)"
udp 10 100
[ "$(sed -n 's/.* mechanism \([a-z]*\) hits \([0-9]*\) .*/\1 \2/p' $probes)" = "ftrace 10
ftrace 10
return 10" ] || die "$(cat $probes)"
echo "-udp_sendmsg" >$probes
udp 10 100
grep -q "^probe udp_sendmsg@$entry .* hits 20 " $probes || die "$(cat $probes)"
echo '-*' >$probes

# The reader is in vfs_read() while its probe is deleted, the module unloaded and loaded again.
mkfifo /tmp/fifo
start_logd
echo 1 >$evtlog/enable
add 'vfs_read%return(retval, count) if count==77'
reads 1 99 /tmp/fifo &
reader=$!
exec 3>/tmp/fifo
until_true 20 grep -q pipe_read /proc/$reader/stack || die "the reader does not wait: $(cat /proc/$reader/stack)"
for round in $(seq 10); do
	echo '-vfs_read%return' >$probes || die "$(head -n 1 $probes)"
	add 'vfs_read%return(retval, count) if count==77'
done
reads 5 77 /dev/zero
grep -q '^probe vfs_read%return .* recorded 5 rejected [0-9]* lost 0 ' $probes || die "$(cat $probes)"
echo 0 >$evtlog/enable
stop_logd
unload_module
load_module
add 'vfs_read%return(retval, count)'
unload_module
kill -0 $reader || die "the reader does not sleep"
echo evtlog >&3
exec 3>&-
wait $reader || die "reads: $?"

load 3600 19 &
load_pid=$!
for round in $(seq 20); do
	load_module
	add 'vfs_read%return(retval, count)' 'pipe_write(arg1->0)' 'schedule' 'do_nanosleep%return' \
		'vfs_write if comm!="x" && pid>1' 'copy_from_kernel_nofault(arg2->0)'
	[ $((round % 2)) = 0 ] || echo 1 >$evtlog/enable
	sleep 0.05
	unload_module
done
kill $load_pid
wait $load_pid || true
