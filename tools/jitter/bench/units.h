/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A unit of work: always the same instructions, each waiting for the one before; no memory.
 *
 * Stage: in the benchmark, of fixed work and fixed time.
 */
#ifndef EVTLOG_JITTER_BENCH_UNITS_H
#define EVTLOG_JITTER_BENCH_UNITS_H

#include <stdint.h>

/* In one place, so that it is the same also where the number of units is known. */
uint64_t units_do(uint64_t seed, uint64_t units);

#endif /* EVTLOG_JITTER_BENCH_UNITS_H */
