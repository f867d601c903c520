/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pings of simulated hosts with each other, by which their clocks are related.
 *
 * Stage: makes a part of the input for tests of what reads jitter of several hosts.
 */
#ifndef EVTLOG_TESTS_JITTER_UNITS_PINGS_H
#define EVTLOG_TESTS_JITTER_UNITS_PINGS_H

#include <stdint.h>

#include "../../support/loggen.h"

#define PINGS_NODES	3

/*
 * All that a CPU of host @node logs, from @begin_ticks on for @ticks, at @hz: the first host asks
 * the others in turn, 100 times a second.  What is @begin_ticks for one is the same instant
 * for all, and a packet takes 10 us, there and back.
 */
void pings(struct loggen *gen, unsigned int cpu, unsigned int node, uint64_t begin_ticks,
	   uint64_t ticks, uint64_t hz);

#endif /* EVTLOG_TESTS_JITTER_UNITS_PINGS_H */
