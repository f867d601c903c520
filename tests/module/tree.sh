#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tree.sh - records the tree of one command with the module, while a load outside the tree runs and
# ftrace records all tasks.
. /script/guest.sh

# Trees need functions of the kernel that are not exported.
insmod /script/evtlog.ko outside=0 || die "insmod: $?"
! echo +$$ >$evtlog/trees 2>/dev/null || die "a tree without the functions that it needs"
rmmod evtlog || die "rmmod: $?"

insmod /script/evtlog.ko || die "insmod: $?"
# A tree that is left is no obstacle, and the pid of its first process is freed with it. By its path,
# rmmod has its own name. RCU also frees pids, in a softirq (flag 0x10) of any process.
echo +$$ >$evtlog/trees || die "trees: $?"
sleep 1000 &
ended=$!
echo +$ended >$evtlog/trees || die "trees: $?"
kill $ended
wait $ended || true
sleep 0.2
(sleep 0.1; true) &
echo 'comm == "rmmod" && !(common_flags & 0x18)' >$tracing/events/kmem/kmem_cache_free/filter || die "no filter"
echo 1 >$tracing/events/kmem/kmem_cache_free/enable
echo 1 >$tracing/tracing_on
/sbin/rmmod evtlog || die "rmmod: $?"
echo 0 >$tracing/events/kmem/kmem_cache_free/enable
grep "call_site=put_pid" $tracing/trace || die "the pid of a tree is left"
echo 0 >$tracing/tracing_on
echo >$tracing/trace
wait

insmod /script/evtlog.ko || die "insmod: $?"
echo 16 >$evtlog/buffers
echo 512 >$evtlog/buffer_kb
ftrace_prepare
load 3600 19 rests >/dev/null &
outside=$!
echo $outside >"$OUT/outside"
echo 1 >$tracing/tracing_on
evtlog record --tree self -o "$OUT/tree.evl" -- load 1 0 || die "record: $?"
echo 0 >$tracing/tracing_on
ftrace_take
kill $outside
wait $outside || true
[ -z "$(cat $evtlog/trees)" ] || die "trees are left: $(cat $evtlog/trees)"
! grep trees_lost $evtlog/status || die "no memory for tasks of the tree"
rmmod evtlog || die "rmmod: $?"
