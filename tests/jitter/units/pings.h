/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pings between simulated hosts, which relate their clocks.
 */
#ifndef EVTLOG_TESTS_JITTER_UNITS_PINGS_H
#define EVTLOG_TESTS_JITTER_UNITS_PINGS_H

#include <stdint.h>

#include "../../support/loggen.h"

#define PINGS_NODES	3

/*
 * Writes the log of a CPU of host @node from @begin_ticks on, for @ticks at @hz.  The first host
 * pings the others in turn, 100 times per second.  @begin_ticks is the same instant on all hosts,
 * and a packet takes 10 us in each direction.
 */
void pings(struct loggen *gen, unsigned int cpu, unsigned int node, uint64_t begin_ticks,
	   uint64_t ticks, uint64_t hz);

#endif /* EVTLOG_TESTS_JITTER_UNITS_PINGS_H */
