# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# record.sh - a file each second, while tasks are forked and exit. Sourced by profile.sh.

gone=$(sh -c 'echo $$')
! evtlog profile record --interval 1 -n 1 --pid $$,$gone -o "$OUT/of_nobody" 2>"$OUT/gone" || die "record --pid of none"
grep -q "$gone: there is no such process" "$OUT/gone" || die "record --pid: $(cat "$OUT/gone")"
[ ! -e "$OUT/of_nobody" ] || die "record --pid of none makes a directory"
mkdir "$OUT/periods" "$OUT/of_pid"
evtlog probe add vfs_read%timer || die "probe add %timer: $?"
touch "$OUT/of_pid/profile-1.txt" "$OUT/of_pid/profile-zzz.txt"
profiled 3000 30 10 >/dev/null & worker=$!
evtlog profile record --interval 1s --json -o "$OUT/periods" 2>"$OUT/recorder" & recorder=$!
files() {
	[ "$(ls "$OUT/periods" | grep -c json)" -ge "$1" ]
}
until files 1; do sleep 0.1; done
grep -q 'Ctrl-C' "$OUT/recorder" || die "it records in silence: $(cat "$OUT/recorder")"
# The task is read twice while it lives, with signals and functions, and then ends.
profiled 100 20 10 >/tmp/signalled & signalled=$!
echo $signalled >"$OUT/signalled.pid"
family 3 >"$OUT/periods.told" || true
# The task's name looks like lines of a profile.
hostile=$(printf '/tmp/\ncpu 0 1 2')
cp "$(command -v family)" "$hostile"
"$hostile" 0 >/dev/null || true
! evtlog profile record -n 1 -o "$OUT" 2>"$OUT/second" || die "two recorders"
until files 3; do sleep 0.1; done
# The task makes its reads last.
until [ -s /tmp/signalled ]; do sleep 0.1; done
kill $signalled
wait $signalled 2>/dev/null || true
evtlog profile run -o /dev/null -- sleep 0.1 || true
[ -c /dev/null ] || die "/dev/null was replaced by a file"
# The last period has the tasks that were just ending.
sleep 1.2
kill $recorder
wait $recorder || die "record ends with $?"
evtlog profile record --interval 1 -n 2 --keep 1 --pid $worker -o "$OUT/of_pid" || die "record --pid: $?"
echo $worker >"$OUT/worker.pid"
mkdir "$OUT/compensated"
evtlog profile record --interval 1 -n 1 --compensate --json -o "$OUT/compensated" ||
	die "record --compensate: $?"
evtlog profile record --interval 1 -n 1 --compensate -o "$OUT/compensated" ||
	die "record --compensate: $?"
# Files for report, in a directory that does not exist yet
evtlog profile record --interval 1 -n 3 --keep 2 --raw -o "$OUT/raw" || die "record --raw: $?"
[ "$(ls "$OUT/raw" | wc -l)" = 2 ] || die "--keep 2: $(ls "$OUT/raw")"
evtlog profile report --json --per-cpu "$OUT"/raw/*.profile >"$OUT/raw.json" || die "report of --raw: $?"
set -- "$OUT"/raw/*.profile
evtlog profile report --before "$1" "$2" >"$OUT/raw.compared" || die "--before: $?"
evtlog profile record --interval 30 -o "$OUT" 2>"$OUT/deleted" & recorder=$!
until grep -q profile-exits $evtlog/named/control; do sleep 0.05; done
sleep 0.3
evtlog buffer del profile-exits
kill $recorder
status=0
wait $recorder || status=$?
echo $status >>"$OUT/deleted"
evtlog probe del '*'
kill $worker
wait $worker 2>/dev/null || true
! evtlog profile record -n 1 -o /no/such 2>"$OUT/no_such" || die "a directory that is not there"
! grep -q profile-exits $evtlog/named/control || die "the buffer is left"

# A cgroup: a task that stays, a task that leaves, a task whose children end in it, and a task that
# enters and ends; and a task outside it.
mkdir /tmp/cgroup "$OUT/of_cgroup"
mount -t cgroup2 cgroup2 /tmp/cgroup
mkdir /tmp/cgroup/watched
enter='echo $$ >/tmp/cgroup/watched/cgroup.procs; exec "$@"'
has_periods() {
	[ "$(ls "$OUT/of_cgroup" | grep -c json)" -ge "$1" ]
}
sh -c "$enter" sh profiled 500 5 10 >/dev/null & stays=$!
sh -c "$enter" sh sleep 1000 & leaves=$!
sh -c "$enter" sh sh -c 'until [ -e /tmp/go ]; do sleep 0.1; done; family 2; exit 0' >"$OUT/cgroup.told" &
forks=$!
profiled 500 5 10 >/dev/null & other=$!
sleep 0.5
evtlog profile record --interval 1s --cgroup /tmp/cgroup/watched --json -o "$OUT/of_cgroup" & recorder=$!
until_true 60 has_periods 1 || die "record --cgroup writes no file"
echo $leaves >/tmp/cgroup/cgroup.procs
touch /tmp/go
wait $forks
sh -c "$enter" sh profiled 700 7 10 >/dev/null & late=$!
family 2 >/dev/null || true
sleep 1.5
until_true 60 has_periods 4 || die "record --cgroup ends"
kill $late
sleep 0.2
kill $recorder
wait $recorder || die "record --cgroup ends with $?"
echo "$stays $leaves $other $late" >"$OUT/cgroup.pids"
kill $stays $leaves $other
wait $stays $leaves $other $late 2>/dev/null || true
! evtlog profile record -n 1 --interval 1 --cgroup /tmp/cgroup/none 2>>"$OUT/no_such" || die "no cgroup"
