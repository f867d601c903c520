#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# forks.sh TASKS RATE SECONDS - checks the memory and the losses of profiles of many tasks
. /script/guest.sh

# memory - prints in KiB: memory in use, kernel objects, stacks and page tables
memory() {
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	awk '{ kb[$1] = $2 } END { print kb["MemTotal:"] - kb["MemAvailable:"], kb["SUnreclaim:"],
		kb["KernelStack:"], kb["PageTables:"] }' /proc/meminfo
}

# show WHEN KIB...
show() {
	echo "$1: $2 KiB in use; slab $3, stacks $4, page tables $5"
}

processes() {
	sed -n 's/^processes //p' /proc/stat
}

ulimit -u unlimited 2>/dev/null || true
echo 60000 >/proc/sys/kernel/pid_max
echo 1 >$evtlog/profile/control || die "profile: cannot be started"
# Memory of the first use is kept.
forks "$1" "$2" 1 >/dev/null
before=$(memory)
profiles() {
	sed -n 's/^memory //p' $evtlog/profile/control
}
had=$(profiles)
# shellcheck disable=SC2086 # words
show before $before
forked=$(processes)
evtlog profile --json -o "$OUT/forks.json" -- forks "$1" "$2" "$3" >"$OUT/forks" &
sleep 1
until_true 600 sh -c "[ \$(grep -c '^task' $evtlog/profile/all) -gt $1 ]" || die "not $1 tasks in profiles"
# shellcheck disable=SC2046 # words
show "with all tasks" $(memory)
wait $! || die "forks: $?"
echo "$(cat "$OUT/forks"); the kernel has forked $(($(processes) - forked)) processes in all"
after=$(memory)
# shellcheck disable=SC2086 # words
show after $after
after=${after#* } before=${before#* }
# This detects 2 KiB per task that slept, and in the long form 2 KiB per task that ended at once.
[ $((${after%% *} - ${before%% *})) -lt $(($1 + 512)) ] || die "memory is not given back"
echo "profiles have $(profiles) bytes, and had $had"
[ "$(profiles)" -lt $((had + 32768)) ] || die "memory of profiles is not given back"
grep -qx "tasks_without 0" $evtlog/profile/all || die "$(grep ^tasks_without $evtlog/profile/all)"
echo 0 >$evtlog/profile/control
evtlog check --profile || die "evtlog check --profile: $?"
