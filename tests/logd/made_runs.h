/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes runs that log into the test's own directory, and buffers for them.
 *
 * Stage: before logd's runs.c, in place of the kernel. sample.h reads the output.
 */
#ifndef TESTS_LOGD_MADE_RUNS_H
#define TESTS_LOGD_MADE_RUNS_H

#include <stdint.h>

#include <evtlog/abi.h>

#include "logfile/runs.h"

/* The test's directory, and the settings of runs; new for each test */
extern const char *made_directory;
extern struct runs_settings made_settings;

/* Free the result with runs_free(). */
struct runs *made_runs(void);

/* Returns the path of a run without a name; valid until the next call. */
const char *made_path(uint64_t run);

/* Like sample_buffer(); made_final() makes a CPU's last buffer of a run on @cpus CPUs. */
const struct evtlog_buffer_header *made_buffer(uint64_t run, uint32_t cpu, uint64_t sequence);
const struct evtlog_buffer_header *made_final(uint64_t run, uint32_t cpu, uint64_t sequence,
					      uint32_t cpus);

/* For cmocka: before each test; before and after all */
int made_setup_one(void **state);
int made_setup(void **state);
int made_teardown(void **state);

#endif /* TESTS_LOGD_MADE_RUNS_H */
