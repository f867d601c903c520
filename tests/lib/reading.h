/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared functions of libevtlog's tests: logs of random events, and reading a file to its end.
 *
 * Stage: between loggen.h and the tests.
 */
#ifndef READING_H
#define READING_H

#include <evtlog/evtlog.h>

#include "../support/loggen.h"

/* xorshift64*; @state must not be 0. */
uint64_t random_next(uint64_t *state);

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

/* Opens and reads; fails the test on an error. The file stays open. */
struct evtlog_file *open_bytes(const void *bytes, size_t length);
struct reading read_all(struct evtlog_file *file);

/* Opens, reads and closes. Returns evtlog_open()'s result. */
int try_bytes(const void *bytes, size_t length, struct reading *reading,
	      uint64_t *damages);

/* Returns the first damage of that kind; NULL if none. */
const struct evtlog_damage *find_damage(const struct evtlog_file *file,
					enum evtlog_damage_kind kind);

#endif /* READING_H */
