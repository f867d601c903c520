/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of `evtlog jitter scale` share.
 */
#ifndef EVTLOG_JITTER_SCALE_SCALE_H
#define EVTLOG_JITTER_SCALE_SCALE_H

#include "bsp.h"
#include "jitter/dataset.h"
#include "noise.h"

/* "jitter scale": for misuse() */
#define SCALE_COMMAND	"jitter scale"

#define SCALE_PERCENTILES	5
extern const double scale_percents[SCALE_PERCENTILES];	/* the last is 100 */

/*
 * What makes phases long.
 * @delay_ns:	of the last ranks' noise, by this source
 * @phases:	in which it is the largest part of the last rank's
 */
struct scale_blame {
	uint32_t source;
	double delay_ns;
	uint64_t phases;
};

/*
 * Of a number of nodes.
 * @result:	@ranks, @phases and the mean of it; the times are @percentiles_ns
 * @slowdown, @low, @high: of the program, 1: none; the latter NAN: of one run
 * @covered:	the trace's time to that in which all ranks of a phase work: below 1, noise
 *		that is too rare to be in the trace would count
 * @blames:	by delay, those that have any
 */
struct scale_point {
	uint64_t nodes;
	struct program_result result;
	double slowdown;
	double low;
	double high;
	uint64_t percentiles_ns[SCALE_PERCENTILES];
	double covered;
	double delay_ns;
	uint64_t late_phases;
	struct scale_blame *blames;
	size_t blame_count;
	double took_s;
};

/*
 * @nodes:	ascending
 * @phases:	0: as many as N allows
 */
struct scale_options {
	uint64_t *nodes;
	size_t node_count;
	uint64_t ranks;
	uint64_t work_ns;
	uint64_t phases;
	uint64_t seed;
	double level;
	const char **without;
	size_t without_count;
	bool by_task;
	bool json;
};

/*
 * @noise_share: of the CPUs' time in the traces
 * @longest_ns:	the longest interruption
 * @cpu_ns:	time of all CPUs
 */
struct scale {
	const struct scale_options *opts;
	struct dataset *datasets;
	struct traced *traced;
	size_t count;
	struct traced_sources sources;
	struct program_node *kinds;
	struct scale_point *points;
	size_t point_count;
	double noise_share;
	uint64_t longest_ns;
	double cpu_ns;
	uint64_t interruptions;
};

/* scale_run() - once the traces are there: fills in a point for each N.  0 or -ENOMEM. */
int scale_run(struct scale *scale);

/* Of recording @number, the share of the time of which nothing is known. */
double scale_lost_share(const struct scale *scale, size_t number);

void scale_show(const struct scale *scale);
void scale_json(const struct scale *scale);

#endif /* EVTLOG_JITTER_SCALE_SCALE_H */
