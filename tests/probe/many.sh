#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# many.sh NUMBER - so many probes in, then out, while a run is recorded and datagrams are sent;
# then each function that can be traced once, all arguments read from memory
. /script/guest.sh

number=$1
probes=$evtlog/probes
tracing=/sys/kernel/tracing
mount -t tracefs none $tracing 2>/dev/null || true
ifconfig lo 127.0.0.1 up

# Names that only one function has
sort_names() {
	awk 'NR == FNR { n[$3]++; next } n[$1] == 1 { print $1 }' /proc/kallsyms \
		$tracing/available_filter_functions | sort -u
}
sort_names >/tmp/functions
echo "$(wc -l </tmp/functions) functions"

now() {
	awk '{ print $1 }' /proc/uptime
}

start_logd
echo 4096 >$evtlog/buffer_kb 2>/dev/null || true
echo 1 >$evtlog/enable
for cpu in $(seq $(nproc)); do
	(while [ ! -e /tmp/enough ]; do udp 200 100; done) &
done
jobs=$(grep '^udp\|^ip_\|^tcp_\|^sock\|^skb\|^vfs\|^ext4\|^sched\|^do_' /tmp/functions | head -n $number)
start=$(now)
evtlog probe add $jobs
middle=$(now)
[ $(grep -c '^probe' $probes) = $number ] || die "not $number probes: $(grep -c '^probe' $probes)"
deleting=$(now)
evtlog probe del $jobs
end=$(now)
echo "$start $middle $deleting $end" | awk -v n=$number '{ print n " probes: in " $2 - $1 " s, out " $4 - $3 " s" }'
grep '^probe' $probes && die "some are left"
awk '{ print $1 "(arg1->0,arg2->8:u32)" }' /tmp/functions | split -l 2000 - /tmp/part.
for part in /tmp/part.*; do
	start=$(now)
	tr '\n' '\0' <$part | xargs -0 -n 60 evtlog probe add 2>>$OUT/refused.txt || true
	awk '/^probe/ { n++; h += $8; r += $10; l += $14; f += $18 } END { print n " probes, hits " h ", recorded " r ", lost " l ", faults " f }' $probes
	echo '-*' >$probes
	echo "$part: $start to $(now)"
done
touch /tmp/enough
wait
echo 0 >$evtlog/enable
stop_logd
grep -c . $OUT/refused.txt || true
