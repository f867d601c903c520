#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh METHOD... - runs evtlog jitter run with each method; events and buffers must be restored.
. /script/guest.sh

echo "-all +icmp_rx" >$evtlog/events
before="$(cat $evtlog/events $evtlog/buffers $evtlog/buffer_kb)"
number=1
# Not on $OUT: counted time runs ahead while the guest waits for the host's files.
place=/tmp/jitter
mkdir $place
# The kernel of this guest has no steal clock: after 0.18 s of each run, a copy of /proc/stat has 70
# ms for CPU 0.
sed 's/^\(cpu0 .* \)0 0 0$/\17 0 0/' /proc/stat >/tmp/stolen
grep -q '^cpu0 .* 7 0 0$' /tmp/stolen || die "$(cat /proc/stat)"
for method; do
	baseline=
	[ "$method" = detour ] || baseline=--no-baseline
	cat /proc/stat >/tmp/stat
	mount -o bind /tmp/stat /proc/stat
	{ sleep 0.18; cat /tmp/stolen >/tmp/stat; } &
	evtlog jitter run -o "$place/$method" --method "$method" --duration 250ms --buffers 16x256 $baseline \
		--json >"$place/$method.json" || die "$method: $?"
	umount /proc/stat
	evtlog jitter report --json "$place/$method" >"$place/$method.report" || die "report: $?"
	[ "$(cat $evtlog/events $evtlog/buffers $evtlog/buffer_kb)" = "$before" ] ||
		die "$method: events or buffers are not as they were"
	grep -q "^state stopped" $evtlog/status || die "$method: still recording"
	grep -q "^logger 0" $evtlog/status || die "$method: its logger is still there"
	[ "$(stat -c %a "$place/$method")" = 700 ] || die "$place/$method: may be entered by others"
	for file in "$place/$method"/*; do
		[ "$(stat -c %a "$file")" = 600 ] || die "$file: may be read by others"
	done
	evtlog check "$place/$method/"*-$number.evl >"$place/$method.check" ||
		die "check: $? $(cat "$place/$method.check")"
	number=$((number + 1))
done
# The kernel's own file never had stolen time, so it is unknown whether the kernel counts it.
evtlog jitter run -o $place/none --duration 50ms --buffers 16 --no-baseline >/dev/null || die "none: $?"
evtlog jitter report --json $place/none >$place/none.report || die "report: $?"
cp -r $place/* "$OUT"
