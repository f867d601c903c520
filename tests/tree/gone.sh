#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# gone.sh - ends processes while evtlog record sets their trees
. /script/guest.sh

all_settings() {
	settings
	head -n 1 $evtlog/sampler
	cat $evtlog/run_tree $evtlog/trees $evtlog/filters
}

must_be_as_before() {
	[ "$(all_settings)" = "$before" ] || die "$1: $(all_settings) instead of $before"
	[ ! -e /tmp/ran ] || die "$1: its command ran"
}

# ends_at FILE OPTION... - runs evtlog record on a process that ends just before the order for FILE
ends_at() {
	file=$1
	shift
	status=0
	gone "$file" evtlog record "$@" --tree @ -o /tmp/no.evl -- touch /tmp/ran 2>/tmp/said || status=$?
	[ $status = 1 ] || die "$file: record $* exits $status: $(cat /tmp/said)"
	grep -q 'no such process' /tmp/said || die "$file: record $*: $(cat /tmp/said)"
	must_be_as_before "$file: record $*"
}

each_file() {
	before=$(all_settings)
	ends_at trees
	ends_at trees --sample 10ms
	ends_at run_tree
	ends_at run_tree -e sched --sample 10ms --buffers 8
	ends_at sampler -e sched --sample 10ms
	ends_at sampler --sample 10ms
}

each_file
# The same with a tree and a sampler that are already set
sleep 3600 &
other=$!
echo $other >$evtlog/run_tree || die "run_tree: $?"
echo "interval=50ms tree=$other" >$evtlog/sampler || die "sampler: $?"
each_file
# The process of these trees ends. The settings stay until others are set.
kill $other
wait $other || true
before=$(all_settings)
ends_at trees --sample 10ms

# They cannot be restored after a recording.
evtlog record --tree self -e sched --sample 10ms -o /tmp/yes.evl -- true 2>/tmp/said || die "record: $(cat /tmp/said)"
cat /tmp/said
grep -q "run_tree: not restored" /tmp/said || die "record: run_tree: $(cat /tmp/said)"
grep -q "sampler: not restored" /tmp/said || die "record: sampler: $(cat /tmp/said)"
[ "$(cat $evtlog/run_tree)" = all ] || die "run_tree: $(cat $evtlog/run_tree)"
[ "$(head -n 1 $evtlog/sampler)" = off ] || die "sampler: $(cat $evtlog/sampler)"
[ -z "$(cat $evtlog/trees)" ] || die "left: $(cat $evtlog/trees)"

# A filter on a pid is refused in a pid namespace.
! unshare -p -f sh -c "evtlog filter sched_switch pid==1" 2>/tmp/said || die "filters take a pid of a namespace"
grep -q 'column 1: events have pids of the first pid namespace' /tmp/said || die "filter in a namespace: $(cat /tmp/said)"
# Logs contain the pids of the initial namespace for the logger and for measured threads.
unshare -p -f --mount-proc evtlog record -o "$OUT/namespace.evl" -- true || die "record in a namespace: $?"
evtlog stat --json "$OUT/namespace.evl" >"$OUT/namespace.json" || die "stat: $?"
unshare -p -f --mount-proc evtlog jitter run -o "$OUT/jitter" --cpus 1 --threshold 50us --duration 0.2s >/tmp/out 2>&1 || [ $? = 4 ] ||
	die "jitter run in a namespace: $(cat /tmp/out)"
evtlog info --json "$OUT/namespace.evl" >"$OUT/namespace.info" || die "info: $?"
