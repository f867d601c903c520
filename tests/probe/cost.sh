#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cost.sh - counts the instructions of a getppid(): without a probe, with an idle probe, and with a
# recorded probe with arguments
. /script/guest.sh

probes=$evtlog/probes
function=__x64_sys_getppid
how=cost
measure() {
	echo "$1 $(boundary 0 $how 400)" >>"$OUT/cost.txt"
}

# with WHAT PROBE - measures during a run that records only this probe
with() {
	echo "+$2" >$probes || die "$2: $(cat $probes)"
	echo 1 >$evtlog/enable
	measure "$1"
	echo 0 >$evtlog/enable
	cat $probes >>"$OUT/probes.txt"
	echo "-*" >$probes
	# Read the file of this run before the next run begins.
	start_again
}

start_again() {
	stop_logd
	start_logd
}

measure none
echo "+$function" >$probes
measure idle
echo "-*" >$probes
measure deleted
echo "-all +event" >$evtlog/events
echo 1024 >$evtlog/buffer_kb
start_logd
echo 1 >$evtlog/enable
measure recording
echo 0 >$evtlog/enable
start_again
with 0 "$function"
with 1 "$function(arg1)"
with 2 "$function(arg1,arg2)"
with 3 "$function(arg1,arg2,arg3)"
with narrow3 "$function(arg1:u32,arg2:s16,arg3:u8)"
with load1 "$function(arg1->0)"
with load2 "$function(arg1->0,arg1->8)"
with load3 "$function(arg1->0,arg1->8,arg1->16)"
with rejected "$function(arg1) if arg1==1"
# With jit_harden, the user's numbers are not in executable memory.
echo 2 >/proc/sys/net/core/bpf_jit_harden
with hidden "$function(arg1) if arg1==1"
echo 0 >/proc/sys/net/core/bpf_jit_harden
with bytes "$function(arg1[0:64])"
# Hits that are not in a sample
with skipped-count "$function sample 1/1000000000"
with skipped-p "$function(arg1->0) sample p=0.000000001"
with skipped-time "$function(arg1) sample 3600s"
with skipped-key "$function(arg1) sample 1/1000000000 by arg1"
with skipped-bytes "$function(arg1[0:8]) sample 1/1000000000 by arg1"
# The average cost of a hit
how=mean
echo 1 >$evtlog/enable
measure off
echo 0 >$evtlog/enable
start_again
for every in 1 3 10 100 1000; do
	with 1/$every "$function sample 1/$every"
done
with p1 "$function sample p=1"
with p10 "$function sample p=0.1"
with p1000 "$function sample p=0.001"
with 1/1-key "$function(arg1) sample 1/1 by arg1"
stop_logd

# In a named buffer
how=cost
# in_buffer WHAT ARGUMENTS WORD... - measures a probe that writes to a named buffer
in_buffer() {
	what=$1
	arguments=$2
	shift 2
	evtlog buffer add cost --buffers 4x256 "$@" || die "$what"
	echo "+>cost $function$arguments" >$probes || die "$what: $(cat $probes)"
	measure "$what"
	echo "-*" >$probes
	sed -n 's/.* lost \([0-9]*\) .*/\1/p' $evtlog/named/control >>"$OUT/lost.txt"
	evtlog buffer del cost || die "$what"
}
in_buffer named-0 ''
in_buffer named-3 '(arg1, arg2, arg3)'
in_buffer named-rejected '' --if 'cpu==9'
in_buffer named-global '' --global
in_buffer named-global-rejected '' --global --if 'cpu==9'
