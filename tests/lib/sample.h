/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small log in memory, for tests that spoil it.
 */
#ifndef TESTS_LIB_SAMPLE_H
#define TESTS_LIB_SAMPLE_H

#include <evtlog/file.h>

#include "../support/loggen.h"

/* A small closed file of two CPUs and its parts. */
struct sample {
	struct loggen *gen;
	uint8_t *bytes;
	size_t length;
	const uint64_t *offsets;
	size_t blocks;		/* the index is the last */
	uint64_t records;
};

/* Prints, sets and returns the seed: $SEED, or by the time. */
uint64_t sample_seed(void);

/* A closed file, read once to see that it is good; give it back with sample_free(). */
struct sample sample_make(enum loggen_compress compress, unsigned int records);
void sample_free(struct sample *sample);

/* The header of block @number */
struct evtlog_block_header sample_block(const struct sample *sample, size_t number);

#endif /* TESTS_LIB_SAMPLE_H */
