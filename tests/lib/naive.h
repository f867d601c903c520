/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader for whole files that are not packed, so simple that it is clearly right.
 *
 * Sorts all events in memory. Aborts on any fault.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include <stddef.h>
#include <stdint.h>

#define NAIVE_WORDS_MAX	8

struct naive_event {
	uint64_t ticks;
	uint32_t cpu;
	uint32_t order;		/* in its CPU */
	uint8_t type;
	uint8_t word_count;
	uint64_t words[NAIVE_WORDS_MAX];
};

/* Returns the events by time, CPU and order; release with free(). */
struct naive_event *naive_read(const uint8_t *file, size_t length,
			       size_t *count);

#endif /* NAIVE_H */
