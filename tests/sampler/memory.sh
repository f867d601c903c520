#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# memory.sh - uses the sampler while each of its allocations fails in turn
. /script/guest.sh

sampler=$evtlog/sampler
starve=/proc/starve
insmod evtlog_starve_test.ko || die "insmod: $?"

value() {
	sed -n "s/^$1 //p" $sampler
}

settings_now() {
	head -n 1 $sampler
}

must_be_free() {
	[ -z "$(cat $evtlog/trees)" ] || die "$1: left: $(cat $evtlog/trees)"
	! grep -q sampler_ $evtlog/format || die "$1: left: $(grep sampler_ $evtlog/format)"
}

# each FUNCTION COMMAND... - repeats COMMAND: first the first allocation in FUNCTION fails, then the
# second, until no more are made. after() checks the result.
each() {
	in=$1 failures=0 refused=0
	shift
	while :; do
		echo "$((failures + 1)) $in" >$starve || die "$starve: $?"
		status=0
		"$@" 2>/dev/null || status=$?
		left=$(cat $starve)
		echo 0 >$starve
		[ $status = 0 ] || refused=$((refused + 1))
		after
		[ "$left" = 0 ] || break
		failures=$((failures + 1))
		[ $failures -lt 200 ] || die "allocations in $in fail without end"
	done
	[ $status = 0 ] || die "$*: $status, and no allocation failed"
}

write() {
	echo "$2" >"$1"
}

# ---- Settings ----
# A refused setting changes nothing; an accepted one can be undone.
after_setting() {
	if [ $status != 0 ]; then
		[ "$(settings_now)" = "$before" ] || die "$text is refused: $(settings_now) instead of $before"
		[ "$(cat $evtlog/trees)" = "$trees" ] || die "$text is refused: $(cat $evtlog/trees) instead of $trees"
		[ "$(value state)" = "$expected" ] || die "$text is refused: state $(value state)"
	else
		[ "$(settings_now)" = "$text" ] || die "$text: $(settings_now)"
		echo "$before" >$sampler || die "back from $text: $?"
	fi
}

each_setting() {
	before=$(settings_now) trees=$(cat $evtlog/trees) text=$1 expected=$(value state)
	after() { after_setting; }
	each sampler_write write $sampler "$text"
	echo "from '$before' to '$text', $expected: $failures allocations failed, $refused refused"
	[ $refused -ge "$2" ] || die "$text: refused only $refused times"
}

sleep 3600 &
root=$!
each_setting 'interval=10ms tree=all' 4
must_be_free "from off"
each_setting "interval=tick tree=$root" 4
must_be_free "from off"

start_logd
echo '-all +event' >$evtlog/events
echo 1 >$evtlog/enable
each_setting 'interval=10ms tree=all' 6
must_be_free "in a run"
echo "interval=10ms tree=$root" >$sampler || die "$sampler: $?"
# After a failed change, the sampler restarts with the old settings.
each_setting 'interval=20ms tree=all' 2
echo off >$sampler
must_be_free "in a run"
echo 0 >$evtlog/enable

# ---- The start of a run ----
start() {
	until_true 20 sh -c "echo 1 >$evtlog/enable" 2>/dev/null
}

after_start() {
	case $(value state) in
	failed)
		[ "$left" = 0 ] || die "failed, and no allocation did"
		told=$((told + 1))
		is_idle || die "failed, and there is a thread"
		# The settings stay, and can be written again.
		settings_now >/tmp/line
		cat /tmp/line >$sampler || die "$(cat /tmp/line): $?"
		;;
	esac
	[ "$(value state)" = sampling ] || die "after a start: $(cat $sampler)"
	echo 0 >$evtlog/enable
	[ "$(value state)" = waiting ] || die "after a run: $(cat $sampler)"
}

is_idle() {
	! ps | grep -q '[e]vtlog-sampler'
}

echo 'interval=10ms tree=all' >$sampler
told=0
after() { after_start; }
each sampler_thread_start start
echo "starts: $failures allocations failed, $told are told by state failed"
[ $told -ge 2 ] || die "a start without memory is not told"

# ---- evtlog record ----
echo off >$sampler
stop_logd
rm $log/*.evl
cd $log
echo '-1 sampler_thread_start' >$starve
for events in '' '-e sched'; do
	before=$(settings; cat $evtlog/trees $evtlog/run_tree)
	# shellcheck disable=SC2086 - words
	! evtlog record $events --sample 10ms --tree self -o $log/no.evl -- touch /tmp/ran 2>/tmp/said ||
		die "record: a sampler without memory"
	grep -q 'no memory for the sampler' /tmp/said || die "record: $(cat /tmp/said)"
	cat /tmp/said
	[ ! -e /tmp/ran ] || die "record: its command ran"
	[ -z "$(ls $log)" ] || die "record: left: $(ls $log)"
	[ "$(settings; cat $evtlog/trees $evtlog/run_tree)" = "$before" ] || die "record: settings are not what they were"
	[ "$(settings_now)" = off ] || die "record: $(cat $sampler)"
done
echo 0 >$starve
evtlog record --sample 10ms -o /tmp/yes.evl -- touch /tmp/ran || die "record: $?"
[ -e /tmp/ran ] || die "record: its command did not run"

# ---- Passes ----
tasks=/sys/kernel/slab/task_struct
# KASAN keeps freed objects until the cache shrinks.
count_tasks() {
	echo 1 >$tasks/shrink
	cut -d' ' -f1 $tasks/objects || die "$tasks: $?"
}
count_tasks >/tmp/tasks || die "$tasks: $?"

# With the other tasks, more than the initial room for 256
SLEEPERS=240
count_pids() {
	set -- /proc/[0-9]*
	echo $#
}
before=$(count_pids)

have_come() {
	[ "$(count_pids)" -ge $((before + SLEEPERS)) ]
}

have_gone() {
	[ "$(count_pids)" -lt $((before + 10)) ]
}

fork_sleepers() {
	forks $SLEEPERS 0 3600 &
	forks=$!
	await 60 have_come
}

end_sleepers() {
	# shellcheck disable=SC2046 - words
	kill -KILL $(pidof forks)
	wait $forks || true
	await 60 have_gone
}

grows() {
	[ "$(value "$1")" -ge "$2" ]
}

passes() {
	until_true 60 grows passes $(($(value passes) + $1)) || die "no more passes: $(cat $sampler)"
}

start_logd
echo '-all +event' >$evtlog/events
echo 'interval=20ms tree=all' >$sampler
echo 1 >$evtlog/enable
passes 3
lost=$(value lost)
# One failure: the kernel allocates again before the pass.
echo '1 sampler_members_update' >$starve
fork_sleepers
passes 3
[ "$(cat $starve)" = 0 ] || die "no more room was asked for: $(cat $sampler)"
[ "$(value lost)" = "$lost" ] && grows tasks $SLEEPERS || die "one allocation failed: $(cat $sampler)"
end_sleepers
# A new start has only the initial room; no allocation succeeds.
echo 'interval=10ms tree=all' >$sampler || die "$sampler: $?"
echo '-1 sampler_members_update' >$starve
fork_sleepers
passes 3
[ "$(value tasks)" -le 256 ] || die "tasks for which there is no room: $(cat $sampler)"
[ "$(value lost)" -ge $((lost + 2)) ] || die "passes that lack some count no loss: $(cat $sampler)"
echo 0 >$starve
passes 2
after_all=$(value lost)
passes 5
[ "$(value lost)" = "$after_all" ] || die "with memory again: $(cat $sampler)"
grows tasks $SLEEPERS || die "with memory again tasks lack: $(cat $sampler)"
echo "passes: $((after_all - lost)) counted a loss without memory, then none of $(value tasks) tasks"
echo $((after_all - lost)) >"$OUT/lost"
echo 0 >$evtlog/enable
stop_logd
mv $log/*.evl "$OUT/passes.evl"

# ---- Leaks ----
echo off >$sampler
must_be_free "at the end"
end_sleepers
kill $root
wait $root || true
are_gone() {
	[ "$(count_tasks)" -le $(($(cat /tmp/tasks) + 30)) ]
}
until_true 60 are_gone || die "$(count_tasks) tasks, $(cat /tmp/tasks) before"
echo "tasks: $(cat /tmp/tasks) before, $(count_tasks) after $((2 * SLEEPERS)) were sampled"
rmmod evtlog_starve_test || die "rmmod: $?"
