/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small log in memory, for tests that damage it
 */
#ifndef TESTS_LIB_SAMPLE_H
#define TESTS_LIB_SAMPLE_H

#include <evtlog/file.h>

#include "../support/loggen.h"

/* A small closed file of two CPUs, and its parts */
struct sample {
	struct loggen *gen;
	uint8_t *bytes;
	size_t length;
	const uint64_t *offsets;
	size_t blocks;		/* The last block is the index. */
	uint64_t records;
};

/* Prints, sets and returns the seed: $SEED, or from the time. */
uint64_t sample_seed(void);

/* Makes a closed file and reads it once as a check. Release with sample_free(). */
struct sample sample_make(enum loggen_compress compress, unsigned int records);
void sample_free(struct sample *sample);

/* Returns the header of block @number. */
struct evtlog_block_header sample_block(const struct sample *sample, size_t number);

#endif /* TESTS_LIB_SAMPLE_H */
