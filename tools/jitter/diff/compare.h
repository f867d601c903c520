/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two recordings, source by source: what is new, gone, larger or smaller.
 *
 * Stage: between the sources' blocks and what `evtlog jitter diff` shows.
 */
#ifndef EVTLOG_JITTER_DIFF_COMPARE_H
#define EVTLOG_JITTER_DIFF_COMPARE_H

#include <evtlog/jitter.h>

#include "jitter/statistics/blocks.h"

enum compared_verdict {
	COMPARED_SAME,		/* as far as can be told */
	COMPARED_NEW,
	COMPARED_GONE,
	COMPARED_LARGER,
	COMPARED_SMALLER,
	COMPARED_CHANGED,	/* more and shorter, or fewer and longer */
	COMPARED_UNJUDGED,	/* inferred by calibration: follows from other rows */
	COMPARED_VERDICTS
};

/* In one recording.  @period_ns: 0: none */
struct compared_side {
	uint64_t intervals;
	double total_ns;
	double min_ns;
	double max_ns;
	double period_ns;
	struct blocks blocks;
};

/*
 * @judged:	false: shown only
 * @ratios:	B to A; NAN if neither has any
 * @p, @adjusted, @ways: of BLOCKS_RATE and BLOCKS_MEAN: by itself, with all others; 1:
 *	more, -1: less, 0: not for sure, or not by enough
 */
struct compared_source {
	enum evtlog_jitter_family family;
	enum evtlog_jitter_kind kind;
	bool inferred;
	char name[EVTLOG_SOURCE_NAME];
	struct compared_side side[2];
	bool judged;
	double ratios[BLOCKS_MEASURES];
	struct blocks_interval intervals[BLOCKS_MEASURES];
	double p[2];
	double adjusted[2];
	int ways[2];
	enum compared_verdict verdict;
};

/*
 * @window_ns:	the recordings' lengths
 * @cpu_s:	CPU time of each of which the log knows
 * @cpus:	of each
 * @block_ns:	asked for; for a source with a period, near that
 * @blocks_most: of all sources of both recordings together; 0: any number
 * @level:	0.95: of the intervals, and of all verdicts together
 * @least_change: 0.1: a change of a rate or mean by less than a tenth is none
 * @questions:	so many were answered at once
 * @seen_from:	a source that is not in A is new from so many blocks with it on
 */
struct compared {
	struct compared_source *sources;
	size_t count;
	size_t capacity;
	double window_ns[2];
	double cpu_s[2];
	unsigned int cpus[2];
	double block_ns;
	double blocks_most;
	double level;
	double least_change;
	uint64_t seed;
	size_t questions;
	size_t seen_from;
};

/* The length of @blocks blocks in the shorter of the windows. */
void compared_cut(struct compared *compared, unsigned int blocks);

/* The row of that family and name, maybe a new one; NULL: no memory. */
struct compared_source *compared_source(struct compared *compared,
					const struct evtlog_jitter_source *source);

/*
 * compared_open_blocks() - once all rows and their periods are there
 * Returns 0; -E2BIG one window is so much longer that its blocks are too many; -ENOMEM.
 */
int compared_open_blocks(struct compared *compared);

/* Takes a stay of @source in recording @side, @at_ns behind the window's begin. */
void compared_add(struct compared_source *source, unsigned int side, double at_ns,
		  double length_ns);

/* compared_judge() - last: fills in the rest.  0 or -ENOMEM. */
int compared_judge(struct compared *compared);

void compared_free(struct compared *compared);

/* "same", "new", ... */
const char *compared_verdict_name(enum compared_verdict verdict);

/* Stays per second of a CPU, ns of one, ns per second of a CPU; NAN: unknown. */
double compared_value(const struct compared *compared, const struct compared_source *source,
		      unsigned int side, enum blocks_measure measure);

#endif /* EVTLOG_JITTER_DIFF_COMPARE_H */
