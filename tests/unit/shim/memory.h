/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU whose stores are late, and that pauses where it hurts (-DSHIM_RACES).
 *
 * The last store of a word by WRITE_ONCE() may stay with the CPU, seen by nobody else, while it
 * goes on, stores other words and loads: what smp_mb() is there to prevent, and what x86 does
 * too rarely, or never, for a test of seconds.
 */
#ifndef SHIM_MEMORY_H
#define SHIM_MEMORY_H

#include <stdint.h>

/* Begins this thread's random numbers. */
void shim_races_seed(uint64_t seed);

/* Now and then another CPU gets far ahead of this one; more often where that is rare. */
void shim_pause(void);
void shim_pause_often(void);

/* What this CPU stored is seen by all. */
void shim_flush(void);

void shim_store(void *at, uint64_t value, unsigned int bytes);
uint64_t shim_load(const void *at, unsigned int bytes);

/* One instruction on this CPU's own area: TSan does not look, as KCSAN would not. */
uint64_t shim_this_cpu_load(const volatile void *at, unsigned int bytes);
void shim_this_cpu_store(volatile void *at, uint64_t value, unsigned int bytes);

/* A load that may race, and whose value is looked at again. */
void shim_race_begin(void);
void shim_race_end(void);

#endif /* SHIM_MEMORY_H */
