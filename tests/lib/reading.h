/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of libevtlog share: whole logs of random events, and reading
 * a file to its end.
 *
 * Stage: between loggen.h and the tests.
 */
#ifndef READING_H
#define READING_H

#include <evtlog/evtlog.h>

#include "../support/loggen.h"

/* xorshift64*; @state is never 0. */
uint64_t random_next(uint64_t *state);

/*
 * Random records of random types on all CPUs, in order of time in each, begun
 * and ended.  Types are known ones, unless @types restricts them.
 */
void random_log(struct loggen *gen, unsigned int cpus, unsigned int records,
		uint64_t *state);

/* What a file gave when it was read to its end by the merge. */
struct reading {
	uint64_t records;
	uint64_t begins;
	uint64_t ends;
	uint64_t gaps;
	uint64_t lost;
	uint64_t lost_buffers;
	uint64_t checksum;	/* of all records, in their order */
	uint64_t last_ns;
};

/* Opens and reads; fails the test if that fails.  The file stays open. */
struct evtlog_file *open_bytes(const void *bytes, size_t length);
struct reading read_all(struct evtlog_file *file);

/* Opens, reads and closes; returns evtlog_open()'s result. */
int try_bytes(const void *bytes, size_t length, struct reading *reading,
	      uint64_t *damages);

/* The first context of that kind; NULL if none. */
const struct evtlog_damage *find_damage(const struct evtlog_file *file,
					enum evtlog_damage_kind kind);

#endif /* READING_H */
