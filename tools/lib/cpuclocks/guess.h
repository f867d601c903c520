/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Offsets of two CPUs, guessed from the stays of tasks on both.
 *
 * Stage: between pair.c, which guesses, and guess.c, which asks it
 * for all pairs.
 */
#ifndef EVTLOG_LIB_CPUCLOCKS_GUESS_H
#define EVTLOG_LIB_CPUCLOCKS_GUESS_H

#include "compare.h"

#define FORBIDDEN_MAX	(1u << 19)

/* A task on a CPU; or, of no length, a record of another that it is not on a CPU then. */
struct span {
	uint32_t pid;
	int64_t from_ns;
	int64_t to_ns;
};

struct spans {
	struct span *at;
	size_t count;
	size_t capacity;
	bool read;
};

struct interval {
	int64_t from_ns;
	int64_t to_ns;
};

/*
 * The second of two CPUs is ahead by @low_ns to @high_ns.
 * @wrong:	stays that overlap in the middle of it
 * @close:	how closely stays follow each other there
 */
struct guess {
	int64_t low_ns;
	int64_t high_ns;
	uint64_t wrong;
	uint64_t close;
	bool found;
};

/* Reads the stays and records of a CPU's tasks once.  0; -ENOMEM; -errno of read(). */
int clocks_read_spans(const struct evtlog_cpu_clocks *clocks, unsigned int slot,
		      struct spans *spans);

/*
 * By how much @b is ahead of @a, if it is less than @window_ns; @guess is one of before, or 0.
 * @forbidden: memory for FORBIDDEN_MAX
 * @most:	gaps are tried
 * @budget:	comparisons of stays that are left; at 0 it ends
 */
void clocks_guess_pair(const struct spans *a, const struct spans *b, int64_t window_ns,
		       struct interval *forbidden, size_t most, uint64_t *budget,
		       struct guess *guess);

#endif /* EVTLOG_LIB_CPUCLOCKS_GUESS_H */
