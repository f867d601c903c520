#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# steal.sh - records runs without a steal clock, and with one that steal_module moves.
. /script/guest.sh
add=/sys/module/evtlog_steal_test/parameters/add

# run_of COMMAND... - records a run of COMMAND, and waits until logd has its buffers
run_of() {
	echo 1 >$evtlog/enable
	"$@"
	usleep 30000
	echo 0 >$evtlog/enable
	await 20 is_fetched
}

# The next run needs these buffers.
is_fetched() {
	! grep -q " waiting [1-9]" $evtlog/status
}

# The timer interrupt that ends a wait reads each step. CPU 1 then has no more events.
steal() {
	taskset 2 true
	for ns in 1000000 1 0 70000000 12345678901; do
		echo "0 $ns" >$add
		usleep 30000
	done
	echo "1 777" >$add
}

taskset -p 1 $$ >/dev/null
start_logd
run_of true
insmod evtlog_steal_test.ko || die "insmod: $?"
echo "0 5000000000" >$add
run_of steal
run_of true
stop_logd
for file in $log/*.evl; do
	cp "$file" "$OUT"
	evtlog check "$file" >/tmp/check.txt || die "evtlog check $file: $(cat /tmp/check.txt)"
	evtlog stat --json "$file" >"$OUT/$(basename "$file" .evl).stat" || die "evtlog stat: $?"
done

# 50 ms are stolen from CPU 0 while jitter is measured on it.
evtlog jitter run -o /tmp/jitter --cpu 0 --duration 300ms --no-baseline --buffers 16 >/tmp/run.txt 2>&1 &
jitter=$!
await 20 is_recording
taskset 2 usleep 50000
echo "0 50000000" >$add
wait $jitter || die "jitter run: $(cat /tmp/run.txt)"
evtlog jitter report --json /tmp/jitter >"$OUT/report.json" || die "jitter report: $?"
