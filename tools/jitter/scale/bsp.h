/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bulk-synchronous program: all ranks work, wait for the last one, and work again.
 *
 * Stage: between the noise of CPUs and `evtlog jitter scale`.
 *
 * A phase takes as long as the rank with the most noise (Petrini, Kerbyson and Pakin, 2003;
 * Tsafrir and others, 2005). Ranks that wait lose nothing by interruptions. The barrier and the
 * network cost nothing here.
 */
#ifndef EVTLOG_JITTER_SCALE_BSP_H
#define EVTLOG_JITTER_SCALE_BSP_H

#include "noise.h"

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

#endif /* EVTLOG_JITTER_SCALE_BSP_H */
