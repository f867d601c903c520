/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared functions of the tests of indexes: small worlds, their file, and random bins.
 *
 * Stage: between loggen.h and the tests.
 */
#ifndef TESTS_LIB_WORLDS_H
#define TESTS_LIB_WORLDS_H

#include <stdint.h>

#include "../support/loggen.h"

/* The paths of the present log and its index, from make_paths() until remove_paths() */
extern char log_path[];
extern char index_path[];

int make_paths(void **arg);
int remove_paths(void **arg);

/* Closes, writes and frees the log. */
void save_log(struct loggen *gen);

struct loggen_options random_options(uint64_t *state);

/* Few pids, long sleeps, many events at one ns, losses */
void small_world(struct loggen *gen, unsigned int cpus, unsigned int records,
		 uint64_t *state);

#define BINS	64

/* @count bins, somewhere around [@begin_ns, @end_ns) */
void random_edges(uint64_t begin_ns, uint64_t end_ns, uint64_t *edges, size_t count,
		  uint64_t *state);

#endif /* TESTS_LIB_WORLDS_H */
