/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two recordings, source by source: which are new, gone, larger or smaller.
 *
 * Stage: between the blocks of each source and the output of `evtlog jitter diff`.
 */
#ifndef EVTLOG_JITTER_DIFF_COMPARE_H
#define EVTLOG_JITTER_DIFF_COMPARE_H

#include <evtlog/jitter.h>

#include "jitter/statistics/blocks.h"

enum compared_verdict {
	COMPARED_SAME,		/* no significant change */
	COMPARED_NEW,
	COMPARED_GONE,
	COMPARED_LARGER,
	COMPARED_SMALLER,
	COMPARED_CHANGED,	/* more and shorter, or fewer and longer */
	COMPARED_UNJUDGED,	/* inferred by calibration: follows from other rows */
	COMPARED_VERDICTS
};

/* A source in one recording. @period_ns: 0 if not periodic */
struct compared_side {
	uint64_t intervals;
	double total_ns;
	double min_ns;
	double max_ns;
	double period_ns;
	struct blocks blocks;
};

/*
 * @judged:	false: the source is only shown
 * @ratios:	B to A; NAN if unknown
 * @p, @adjusted, @ways: by BLOCKS_RATE and BLOCKS_MEAN: p-value alone, p-value for all tests
 *		together, direction (1: more, -1: less, 0: not significant or too small)
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
 * @window_ns:	length of each recording
 * @cpu_s:	CPU time of each recording, without gaps
 * @cpus:	measured CPUs of each recording
 * @block_ns:	length of a block; for a periodic source, rounded to whole periods
 * @blocks_most: limit for all sources of both recordings together; 0: none
 * @level:	such as 0.95: of the confidence intervals, and of all verdicts together
 * @least_change: such as 0.1: changes of a rate or mean below a tenth are ignored
 * @questions:	number of tests that were counted for @adjusted
 * @seen_from:	a source that is not in A is new if it is in this many blocks of B
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

/* Sets @block_ns such that the shorter window has @blocks blocks. */
void compared_cut(struct compared *compared, unsigned int blocks);

/* Returns the row with @source's family and name, adding it if needed; NULL: out of memory. */
struct compared_source *compared_source(struct compared *compared,
					const struct evtlog_jitter_source *source);

/*
 * compared_open_blocks() - allocate the blocks, after all rows and periods are known
 * Returns 0; -E2BIG one window is so much longer that it has too many blocks; -ENOMEM.
 */
int compared_open_blocks(struct compared *compared);

/* The same for one source that is not periodic, as soon as it is found. Returns 0 or -ENOMEM. */
int compared_open_source(const struct compared *compared, struct compared_source *source);

/* Adds an interval of @source in recording @side, @at_ns after the start of the window. */
void compared_add(struct compared_source *source, unsigned int side, double at_ns,
		  double length_ns);

/* compared_judge() - last step: fills in ratios, tests and verdicts. Returns 0 or -ENOMEM. */
int compared_judge(struct compared *compared);

/* Sorts the sources by their total time, and drops all after @count. */
void compared_keep(struct compared *compared, size_t count);

void compared_free(struct compared *compared);

/* Returns true if a source has a verdict in @fails. */
bool compared_fails(const struct compared *compared, const bool fails[COMPARED_VERDICTS]);

/* "same", "new", ... */
const char *compared_verdict_name(enum compared_verdict verdict);

/* The value in the unit of @measure; NAN if unknown. */
double compared_value(const struct compared *compared, const struct compared_source *source,
		      unsigned int side, enum blocks_measure measure);

#endif /* EVTLOG_JITTER_DIFF_COMPARE_H */
