/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `evtlog jitter run` was asked, and what came of it.
 *
 * Stage: between its options, its two phases and what it says at the end.
 */
#ifndef EVTLOG_JITTER_BENCH_RUN_H
#define EVTLOG_JITTER_BENCH_RUN_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

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

/* ---- One phase of `evtlog jitter run`: the benchmark, while a run is recorded or not ---- */

/*
 * phase_run() - measure with nothing recorded, or record a run meanwhile
 * @result:	its phase, and of a recorded one the log, are filled in
 *
 * Says what is wrong.  Returns an exit status: EXIT_OK also when interrupted, and
 * EXIT_EVENTS_LOST; the samples are in the directory then.
 */
int phase_run_unlogged(const struct run_options *options, const struct cpus *cpus,
		       const struct control_status *status, struct run_result *result);
int phase_run_logged(const struct run_options *options, const struct cpus *cpus,
		     const struct control_status *status, struct run_result *result);

/* ---- The directory that `evtlog jitter run` leaves, and the log in it ---- */

/* It does not look into files. */

/*
 * output_dir_make() - make the directory, or see that it is empty
 * @wanted:	NULL: jitter-HOST-@run
 * @path:	PATH_MAX bytes; absolute
 * @made:	whether it was not there
 *
 * Says what is wrong.  Returns 0 or -errno.
 */
int output_dir_make(const char *wanted, uint64_t run, char *path, bool *made);

/*
 * output_dir_bring() - have a log in the directory, by another name or as a copy
 * @path:	where it is, maybe there already
 * @to:		PATH_MAX bytes; where it is then
 *
 * Says what is wrong.  Returns 0 or -errno.
 */
int output_dir_bring(const char *path, const char *directory, char *to);

/* ---- What of the machine has to do with jitter, as lines "key=value" ---- */

/*
 * @boot_id:	as the kernel's log has it
 * @run:	that was recorded meanwhile, 0: none
 * @command:	argv as one line
 * @started_ns:	REALTIME
 * @stolen_ms:	time that the hypervisor took from all @cpus meanwhile; unknown without @has_stolen
 */
struct description {
	const struct bench_options *options;
	const struct cpus *cpus;
	const char *boot_id;
	uint64_t run;
	const char *command;
	uint64_t started_ns;
	uint64_t stolen_ms;
	bool has_stolen;
};

/* malloc()ed; NULL: out of memory. */
char *describe_machine(const struct description *description);

#endif /* EVTLOG_JITTER_BENCH_RUN_H */
