/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations that the parts of `evtlog jitter scale` share.
 */
#ifndef EVTLOG_JITTER_SCALE_SCALE_H
#define EVTLOG_JITTER_SCALE_SCALE_H

#include "jitter/dataset.h"
#include "noise.h"

/*
 * ---- A bulk-synchronous program: all ranks work, wait for the last one, and work again ----
 *
 * A phase takes as long as the rank with the most noise (Petrini, Kerbyson and Pakin, 2003;
 * Tsafrir and others, 2005). Ranks that wait lose nothing by interruptions. The barrier and the
 * network cost nothing here.
 */

/* CPUs recorded together, with equal windows: simultaneous noise stays simultaneous. */
struct program_node {
	const struct noise_trace *traces;
	size_t ranks;
};

/*
 * @kinds:	recordings; each node replays a random one, from a random time on
 * @work_ns:	work of a phase, without noise
 * @phases:	number of all phases, in @runs that begin at different times
 * @critical:	called after each phase in which a rank had noise, with the place and the time of
 *		the last rank; may be NULL
 */
struct program {
	const struct program_node *kinds;
	size_t kind_count;
	uint64_t nodes;
	uint64_t work_ns;
	unsigned int phases;
	unsigned int runs;
	uint64_t seed;
	double level;
	void (*critical)(void *arg, const struct noise_trace *trace,
			 const struct noise_place *place, uint64_t elapsed_ns);
	void *arg;
};

/*
 * @ranks:	largest number in a run
 * @mean_ns, ...: of a phase; @low_ns and @high_ns are NAN if there was one run
 * @times_ns:	of the phases, ascending; free with program_free()
 */
struct program_result {
	uint64_t ranks;
	unsigned int phases;
	double mean_ns;
	double low_ns;
	double high_ns;
	uint64_t *times_ns;
};

/* Returns 0 or -ENOMEM. */
int program_run(const struct program *program, struct program_result *result);
void program_free(struct program_result *result);

/* The time that @share of the phases do not exceed. */
uint64_t program_percentile(const struct program_result *result, double share);

/* ---- The command ---- */

/* "jitter scale": for misuse() */
#define SCALE_COMMAND	"jitter scale"

#define SCALE_PERCENTILES	5
extern const double scale_percents[SCALE_PERCENTILES];	/* the last is 100 */

/*
 * A source that makes phases longer.
 * @delay_ns:	noise of the last ranks that has this source
 * @phases:	number of phases in which it is the largest part of the last rank's noise
 */
struct scale_blame {
	uint32_t source;
	double delay_ns;
	uint64_t phases;
};

/*
 * The result for a number of nodes.
 * @result:	only @ranks, @phases and the mean; the times are in @percentiles_ns
 * @slowdown, @low, @high: ratio of the times with and without noise, and its confidence interval,
 *		which is NAN after one run
 * @covered:	CPU time of the traces / CPU time of a phase on all ranks. Below 1, noise that is
 *		too rare for the traces is missing
 * @blames:	by delay; only sources with a delay
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
 * @phases:	0: depends on the number of ranks
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
 * @noise_share: share of the CPU time in the traces
 * @longest_ns:	the longest interruption
 * @cpu_ns:	CPU time of all traces
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

/* scale_run() - compute a point per number of nodes from the traces. Returns 0 or -ENOMEM. */
int scale_run(struct scale *scale);

/* The share of the time of recording @number that is in gaps. */
double scale_lost_share(const struct scale *scale, size_t number);

void scale_show(const struct scale *scale);
void scale_json(const struct scale *scale);

#endif /* EVTLOG_JITTER_SCALE_SCALE_H */
