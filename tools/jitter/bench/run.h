/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options and results of `evtlog jitter run`.
 *
 * Stage: between its options, its two phases and its output.
 */
#ifndef EVTLOG_JITTER_BENCH_RUN_H
#define EVTLOG_JITTER_BENCH_RUN_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench.h"
#include "lib/jitter/samples-write.h"
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

/* Results of one CPU in one phase, as far as the output needs them. */
struct run_cpu {
	struct evtlog_samples_thread thread;
	uint64_t over;		/* samples above the threshold */
	uint64_t noise_ticks;	/* noise of these samples */
	uint64_t largest_ticks;
};

/* @cpus: NULL if there was no such phase */
struct run_phase {
	struct run_cpu *cpus;
	uint32_t count;
	uint64_t hz;
};

/*
 * @log:	path of the run's file; "" if there is none
 * @interrupted: a signal ended the last phase
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

/* Prints the result as text, or as JSON with --json. */
void run_show(const struct run_options *options, const struct run_result *result);

/* ---- One phase of `evtlog jitter run`: the benchmark, with or without a recording ---- */

/*
 * phase_run_unlogged(), phase_run_logged() - measure without, or during, a recording
 * @result:	filled in: the phase, and the log if there is one
 *
 * Prints errors. Returns an exit status. The samples are in the directory also if the phase was
 * interrupted (EXIT_OK) or events were lost (EXIT_EVENTS_LOST).
 */
int phase_run_unlogged(const struct run_options *options, const struct cpus *cpus,
		       const struct control_status *status, struct run_result *result);
int phase_run_logged(const struct run_options *options, const struct cpus *cpus,
		     const struct control_status *status, struct run_result *result);

/* ---- The output directory, the log and the samples in it ---- */

/*
 * output_dir_make() - create the directory, or check that it is empty
 * @wanted:	path; NULL: jitter-HOST-@run
 * @path:	set to the absolute path; has PATH_MAX bytes
 * @made:	set to true if the directory is new
 *
 * Prints errors. Returns 0 or -errno.
 */
int output_dir_make(const char *wanted, uint64_t run, char *path, bool *made);

/*
 * output_dir_bring() - link or copy a log into the directory
 * @path:	of the log, which may be in the directory already
 * @to:		set to the path in the directory; has PATH_MAX bytes
 *
 * Prints errors. Returns 0 or -errno. The log is not parsed.
 */
int output_dir_bring(const char *path, const char *directory, char *to);

/*
 * samples_save() - save a file of samples, completely or not at all
 *
 * Only the owner can read the file: it shows what runs on this machine. Returns 0 or -errno.
 */
int samples_save(const char *path, const struct samples_file *file);

/* ---- The properties of the machine that affect jitter, as lines "key=value" ---- */

/*
 * @boot_id:	as in the kernel's log
 * @run:	the run recorded during the benchmark; 0: none
 * @command:	argv as one line
 * @started_ns:	CLOCK_REALTIME
 * @stolen_ms:	time that the hypervisor took from all @cpus; valid if @has_stolen
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

/* The caller frees the result. NULL if out of memory. */
char *describe_machine(const struct description *description);

#endif /* EVTLOG_JITTER_BENCH_RUN_H */
