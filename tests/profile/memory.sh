#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# memory.sh - profiles while each allocation fails in turn
. /script/guest.sh

insmod evtlog_starve_test.ko || die "insmod: $?"
control=$evtlog/profile/control
value() {
	sed -n "s/^$1 //p" $control
}

echo "groups all,block" >$control
echo "== start and stop"
starved write $control 1 0 | tee "$OUT/start"
# The last start had all its memory, and was stopped.
[ "$(head -n 1 $control)" = "state off" ] || die "$(head -n 1 $control)"
evtlog check --profile || die "evtlog check --profile: $?"

echo 1 >$control || die "profile: cannot be started"
echo "== reading"
for file in self others all family trace; do
	echo "$file $(starved read $evtlog/profile/$file)" | tee -a "$OUT/read"
done
echo "self-page $(starved map $evtlog/profile/self)" | tee -a "$OUT/read"

echo "== forks"
[ "$(value tasks_without)" = 0 ] || die "$(grep tasks_without $control)"
# In a family, too
evtlog profile --json -o "$OUT/family.json" -- starved fork >"$OUT/forks" & family=$!
until_true 120 grep -q '^end' "$OUT/forks" || die "the forks do not end"
head -n 1 "$OUT/forks"
cat $evtlog/profile/all >"$OUT/all"
value tasks_without >"$OUT/without"
evtlog check --profile | tee "$OUT/check" || die "evtlog check --profile: $?"

echo "== no memory at all"
before=$(value values_not_kept)
starved call >"$OUT/call" || die "call: $?"
head -n 1 "$OUT/call"
echo "$(($(value values_not_kept) - before))" >"$OUT/values"
echo "values not kept: $(cat "$OUT/values")"

# shellcheck disable=SC2046 # words
kill $(sed -n 's/^child //p' "$OUT/forks")
kill $(pidof starved)
wait $family || true
echo 0 >$control
evtlog check --profile || die "evtlog check --profile: $?"

# The clock of an offline CPU ends like the others.
echo 1 >$control || die "profile: cannot be started"
echo 0 >/sys/devices/system/cpu/cpu1/online
echo 0 >$control
evtlog check --profile || die "evtlog check --profile: $?"
echo 1 >/sys/devices/system/cpu/cpu1/online

# With and without profiles: by the measurement, threads' own stacks and tasks are freed.
echo "== whose memory it is"
groups=/tmp/cgroup
mkdir -p $groups
mount -t cgroup2 cgroup2 $groups || die "cgroup2: cannot be mounted"
echo +memory >$groups/cgroup.subtree_control || die "cgroup: no memory controller"
# slab GROUP - waits until it is constant: the kernel frees tasks later, and updates it every 2 s
slab() {
	slab=none
	until [ "$slab" = "$(sed -n 's/^slab //p' $groups/$1/memory.stat)" ]; do
		slab=$(sed -n 's/^slab //p' $groups/$1/memory.stat)
		sleep 5
	done
	echo "$slab"
}
# pays STATE WHAT - the slab memory of a cgroup with threads WHAT, with profiles or without
pays() {
	echo "$1" >$control
	mkdir $groups/$2
	before=$(value memory)
	sh -c "echo \$\$ >$groups/$2/cgroup.procs; exec threads $2" >"$OUT/$2$1" & pid=$!
	until_true 60 grep -q ended "$OUT/$2$1" || die "the threads do not end"
	echo "profiles $1: slab $(slab $2) $2 $(($(value memory) - before))" |
		tee -a "$OUT/slab-$2"
	kill $pid
	wait $pid || true
	until_true 60 rmdir $groups/$2 || die "the cgroup cannot be removed"
}
for what in sums ticks; do
	pays 0 $what
	pays 1 $what
done
echo 0 >$control
