/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `evtlog jitter run` was asked, and what came of it.
 *
 * Stage: between its options, its two phases and what it says at the end.
 */
#ifndef EVTLOG_JITTER_BENCH_RUN_H
#define EVTLOG_JITTER_BENCH_RUN_H

#include <limits.h>

#include "bench.h"
#include "record/session.h"

struct run_options {
	struct bench_options bench;
	struct recording_options recording;
	const char *directory;
	const char *cpus;
	const char *command;
	bool baseline;
	bool json;
};

/* Of one CPU in one phase; what goes into the summary is all that is kept. */
struct run_cpu {
	struct evtlog_samples_thread thread;
	uint64_t over;		/* samples above the threshold */
	uint64_t noise_ticks;	/* theirs */
	uint64_t largest_ticks;
};

/* @cpus: NULL: there was no such phase */
struct run_phase {
	struct run_cpu *cpus;
	uint32_t count;
	uint64_t hz;
};

/*
 * @log:	the run's file; "": there is none
 * @interrupted: by the user, in the last phase
 */
struct run_result {
	char directory[PATH_MAX];
	char log[PATH_MAX];
	uint64_t run;
	uint64_t buffers;
	uint64_t lost;
	bool interrupted;
	struct run_phase unlogged;
	struct run_phase logged;
};

/* Text for people, or --json. */
void run_show(const struct run_options *options, const struct run_result *result);

#endif /* EVTLOG_JITTER_BENCH_RUN_H */
