/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs for the tests of libevtlog, random ones and a small one in memory, and reading them to the
 * end.
 *
 * Stage: between loggen.h and the tests.
 */
#ifndef TESTS_LIB_SAMPLE_H
#define TESTS_LIB_SAMPLE_H

#include <evtlog/evtlog.h>
#include <evtlog/file.h>

#include "../support/loggen.h"
#include "../support/xorshift.h"

/*
 * Writes random records of random types on all CPUs, in order of time per CPU, from begin to end.
 */
void random_log(struct loggen *gen, unsigned int cpus, unsigned int records,
		uint64_t *state);

/* The result of reading a file to its end in time order */
struct reading {
	uint64_t records;
	uint64_t begins;
	uint64_t ends;
	uint64_t gaps;
	uint64_t lost;
	uint64_t lost_buffers;
	uint64_t checksum;	/* of all records in their order */
	uint64_t last_ns;
};

/* Open a file, and what @gen has written so far; fail the test on an error. */
struct evtlog_file *open_bytes(const void *bytes, size_t length);
struct evtlog_file *open_log(const struct loggen *gen);

/* Reads to the end; fails the test on an error. The file stays open. */
struct reading read_all(struct evtlog_file *file);

/* Opens, reads and closes. Returns evtlog_open()'s result. */
int try_bytes(const void *bytes, size_t length, struct reading *reading,
	      uint64_t *damages);

/* Returns the first damage of that kind; NULL if none. */
const struct evtlog_damage *find_damage(const struct evtlog_file *file,
					enum evtlog_damage_kind kind);

/* ---- A small log in memory, for tests that damage it ---- */

/* A small closed file of two CPUs, and its parts */
struct sample {
	struct loggen *gen;
	uint8_t *bytes;
	size_t length;
	const uint64_t *offsets;
	size_t blocks;		/* The last block is the index. */
	uint64_t records;
};

/* Sets and returns the seed, and prints $SEED (seed.h). */
uint64_t sample_seed(void);

/* Makes a closed file and reads it once as a check. Release with sample_free(). */
struct sample sample_make(enum loggen_compress compress, unsigned int records);
void sample_free(struct sample *sample);

/* Returns the header of block @number. */
struct evtlog_block_header sample_block(const struct sample *sample, size_t number);

#endif /* TESTS_LIB_SAMPLE_H */
