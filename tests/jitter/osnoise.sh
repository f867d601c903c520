#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# osnoise.sh ROUNDS SECONDS - runs the kernel's osnoise tracer and evtlog jitter in turn under the
# same noise, and measures what each adds to the noise of an independent loop. There, only osnoise's
# events are traced, because its own loop would take the CPU.
. /script/guest.sh
. /script/noise.sh
. /script/report.sh
rounds=$1 seconds=$2
tracing=/sys/kernel/tracing

mount -t tracefs none $tracing 2>/dev/null || true
grep -qw osnoise $tracing/available_tracers || die "the kernel has no osnoise tracer"

# osnoise_on OPTION - starts osnoise with all its events, from its least threshold of 1 us on
osnoise_on() {
	echo 0 >$tracing/tracing_on
	echo 16384 >$tracing/buffer_size_kb
	echo "$1" >$tracing/osnoise/options
	echo 0 >$tracing/osnoise/cpus
	echo 1 >$tracing/tracing_thresh
	echo osnoise >$tracing/current_tracer
	echo 1 >$tracing/events/osnoise/enable
	echo 1 >$tracing/tracing_on
}

# osnoise_off FILE - stops osnoise and writes its trace to FILE
osnoise_off() {
	echo 0 >$tracing/tracing_on
	cat $tracing/trace >"$1"
	grep -H 'overrun\|dropped' $tracing/per_cpu/cpu0/stats >"$1.stats"
	echo 0 >$tracing/events/osnoise/enable
	echo nop >$tracing/current_tracer
}

start_noise 0
for round in $(seq "$rounds"); do
	osnoise_on OSNOISE_WORKLOAD
	sleep "$seconds"
	osnoise_off "$OUT/osnoise.$round"
	evtlog jitter run -o "/tmp/ours.$round" --cpus 0 --duration "${seconds}s" \
		--no-baseline >"$OUT/ours.$round.txt" 2>&1 &
	run=$!
	until grep -q '^+user_exit' $evtlog/events; do
		kill -0 $run || die "evtlog jitter run: $(cat "$OUT/ours.$round.txt")"
		sleep 0.1
	done
	cat $evtlog/events >/tmp/events
	wait $run || die "evtlog jitter run: $? $(cat "$OUT/ours.$round.txt")"
	report "/tmp/ours.$round" "$OUT/ours.$round"

	plain 0 "$seconds" >"$OUT/plain.off.$round"
	osnoise_on NO_OSNOISE_WORKLOAD
	plain 0 "$seconds" >"$OUT/plain.osnoise.$round"
	osnoise_off /tmp/trace
	start_logd
	tr '\n' ' ' </tmp/events >$evtlog/events
	echo 1 >$evtlog/enable
	plain 0 "$seconds" >"$OUT/plain.evtlog.$round"
	echo 0 >$evtlog/enable
	stop_logd
done
end_noise
