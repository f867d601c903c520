/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bulk-synchronous program: all work, wait for the last, and work again.
 *
 * Stage: between the noise of CPUs and `evtlog jitter scale`.
 *
 * A phase takes as long as the rank needs that meets the most noise (Petrini, Kerbyson
 * and Pakin, 2003; Tsafrir and others, 2005).  Ranks that wait lose nothing by what
 * interrupts them then.  The barrier itself costs nothing here, nor does the network.
 */
#ifndef EVTLOG_JITTER_SCALE_BSP_H
#define EVTLOG_JITTER_SCALE_BSP_H

#include "noise.h"

/* Recorded together, of equal windows: what is at one time on them stays so. */
struct program_node {
	const struct noise_trace *traces;
	size_t ranks;
};

/*
 * @kinds:	each node is one of them, as chance has it, at a time as chance has it
 * @work_ns:	of a phase, without noise
 * @phases:	in all, in @runs which begin at other times each
 * @critical:	gets the place and the time of the rank that was the last in a phase
 *		in which any met noise; may be NULL
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
 * @ranks:	of the run with the most
 * @mean_ns, ...: of a phase; @low_ns and @high_ns are NAN if there was but one run
 * @times_ns:	of the phases, in order of length; program_free()
 */
struct program_result {
	uint64_t ranks;
	unsigned int phases;
	double mean_ns;
	double low_ns;
	double high_ns;
	uint64_t *times_ns;
};

/* 0; -ENOMEM. */
int program_run(const struct program *program, struct program_result *result);
void program_free(struct program_result *result);

/* The time that @share of the phases do not exceed. */
uint64_t program_percentile(const struct program_result *result, double share);

#endif /* EVTLOG_JITTER_SCALE_BSP_H */
