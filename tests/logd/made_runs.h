/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs that log into a directory of the test's own, and buffers for them.
 *
 * Stage: before logd's runs.c, which it stands for the kernel to.  It does not look at
 * what comes out: sample.h does.
 */
#ifndef TESTS_LOGD_MADE_RUNS_H
#define TESTS_LOGD_MADE_RUNS_H

#include <stdint.h>

#include <evtlog/abi.h>

#include "logd/config.h"
#include "logd/runs.h"

/* The test's directory, and what runs are made with: anew for each test. */
extern const char *made_directory;
extern struct config made_config;

/* runs_free() it */
struct runs *made_runs(void);

/* Of a run without a name; good until the next call */
const char *made_path(uint64_t run);

/* As sample_buffer(); the last of its CPU of a run on @cpus */
const struct evtlog_buffer_header *made_buffer(uint64_t run, uint32_t cpu, uint64_t sequence);
const struct evtlog_buffer_header *made_final(uint64_t run, uint32_t cpu, uint64_t sequence,
					      uint32_t cpus);

/* For cmocka: before each test; before and after all */
int made_setup_one(void **state);
int made_setup(void **state);
int made_teardown(void **state);

#endif /* TESTS_LOGD_MADE_RUNS_H */
