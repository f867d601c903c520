#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tree.sh - records the tree of one command, while a load outside the tree runs and ftrace records
# all tasks. Then records all tasks while the same command runs.
. /script/guest.sh

run_tree=$evtlog/run_tree

must_refuse() {
	! echo "$2" >"$1" 2>/dev/null || die "$1 took '$2'"
}

must_be() {
	[ "$(cat "$1")" = "$2" ] || die "$1: $(cat "$1") instead of '$2'"
}

must_be $run_tree all
for text in 0 -1 x 99999 '1 2'; do
	must_refuse $run_tree "$text"
	must_be $run_tree all
done

! printf 'all\000x' 2>/dev/null >$run_tree || die "run_tree took text behind a NUL"

# A filter and a tree exclude each other.
evtlog filter softirq 'vec==1' || die "filter: $?"
! evtlog record --tree self -o "$OUT/no.evl" -- true 2>/tmp/said || die "record: with a filter"
grep -q 'evtlog filter del' /tmp/said || die "record: $(cat /tmp/said)"
must_be $run_tree all
evtlog filter del softirq
echo $$ >$run_tree || die "$run_tree: $?"
must_be $run_tree $$
must_refuse $evtlog/filters 'softirq vec==1'
grep -q 'run_tree' $evtlog/filters_error || die "$(cat $evtlog/filters_error)"
# A tree that is still set is reported. `--tree all` overrides it.
evtlog record -o "$OUT/left.evl" -- true 2>/tmp/said || die "record: $(cat /tmp/said)"
grep -q "events of tree $$ are" /tmp/said || die "record says nothing of the tree: $(cat /tmp/said)"
evtlog info --json "$OUT/left.evl" | grep -q '"tree": [1-9]' || die "left.evl is of all tasks"
evtlog jitter run -o /tmp/left --threshold 50us --duration 1s 2>/tmp/said >/tmp/out || [ $? = 4 ] || die "jitter run: $(cat /tmp/said)"
grep -q "events of tree $$ are" /tmp/said || die "jitter run says nothing of the tree: $(cat /tmp/said)"
evtlog record --tree all -o "$OUT/all.evl" -- true 2>/tmp/said || die "record: $(cat /tmp/said)"
! grep -q "alone" /tmp/said || die "record --tree all: $(cat /tmp/said)"
! evtlog info --json "$OUT/all.evl" | grep -q '"tree": [1-9]' || die "all.evl is of a tree"
must_be $run_tree $$
# A sampler that is still on is reported.
echo 'interval=10ms tree=all' >$evtlog/sampler || die "sampler: $?"
for command in 'record --tree all -o /tmp/all.evl -- true' 'jitter run -o /tmp/left2 --threshold 50us --duration 1s'; do
	# shellcheck disable=SC2086 - words
	evtlog $command 2>/tmp/said >/tmp/out || [ $? = 4 ] || die "$command: $(cat /tmp/said)"
	grep -q 'sampled (interval 10ms, tree all)' /tmp/said ||
		die "$command says nothing of the sampler: $(cat /tmp/said)"
done
evtlog record --sample 5ms -o /tmp/own.evl -- true 2>/tmp/said || die "record: $(cat /tmp/said)"
! grep -q 'sampled (' /tmp/said || die "its own sampler is said: $(cat /tmp/said)"
echo off >$evtlog/sampler
# A marked tree is reported, unless it is the tree of the run or of the sampler.
! grep -q 'marked already' /tmp/said || die "its own marks are said: $(cat /tmp/said)"
echo +$$ >$evtlog/trees || die "trees: $?"
evtlog record -o /tmp/marked.evl -- true 2>/tmp/said || die "record: $(cat /tmp/said)"
grep -q "marked already: $$ in" /tmp/said || die "record says nothing of the mark: $(cat /tmp/said)"
echo -$$ >$evtlog/trees || die "trees: $?"
evtlog record -o /tmp/unmarked.evl -- true 2>/tmp/said || die "record: $(cat /tmp/said)"
! grep -q 'marked already' /tmp/said || die "a mark is said that is not there: $(cat /tmp/said)"
# Pids of another namespace are refused.
unshare -p -f true || die "unshare: $?"
! unshare -p -f sh -c "echo 1 >$run_tree" 2>/dev/null || die "run_tree takes a pid of a namespace"
! unshare -p -f sh -c "echo +1 >$evtlog/trees" 2>/dev/null || die "trees takes a pid of a namespace"
! unshare -p -f sh -c "echo interval=10ms tree=1 >$evtlog/sampler" 2>/dev/null ||
	die "sampler takes a pid of a namespace"
# During a run, run_tree cannot be changed, but its tree can get more roots.
echo "+$$" >$evtlog/trees || die "trees: $?"
start_logd
evtlog start 2>/tmp/said || die "start: $?"
grep -q "events of tree $$ are" /tmp/said || die "start says nothing of the tree: $(cat /tmp/said)"
must_refuse $run_tree all
must_refuse $run_tree 1
sleep 60 & stranger=$!
echo "=$$ $stranger" >$evtlog/trees || die "trees: the tree of runs cannot be extended"
kill $stranger
echo 0 >$evtlog/enable
stop_logd
echo "-$$" >$evtlog/trees || die "trees: $?"
echo all >$run_tree || die "$run_tree: all: $?"
must_be $evtlog/filters ''
must_be $evtlog/trees ''
rm $log/*

echo 16 >$evtlog/buffers
echo 512 >$evtlog/buffer_kb
ftrace_prepare
load 3600 0 >/dev/null &
outside=$!
echo $outside >"$OUT/outside"
echo 1 >$tracing/tracing_on
evtlog record -e +user_exit,+user_enter --tree self -o "$OUT/tree.evl" -- load 2 0 || die "record: $?"
echo 0 >$tracing/tracing_on
ftrace_take
must_be $run_tree all
must_be $evtlog/filters ''
evtlog record -e +user_exit,+user_enter -o "$OUT/full.evl" -- load 2 0 || die "record: $?"
kill $outside
