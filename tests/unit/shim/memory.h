/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU with late stores, and with pauses at critical places (-DSHIM_RACES).
 *
 * The last store of a word by WRITE_ONCE() may stay invisible to other CPUs while this CPU stores
 * other words and loads. smp_mb() prevents this, and x86 does it too rarely, or never, for a test
 * of seconds.
 */
#ifndef SHIM_MEMORY_H
#define SHIM_MEMORY_H

#include <stdint.h>

/* Seeds this thread's random numbers. */
void shim_races_seed(uint64_t seed);

/* Sometimes lets another CPU get far ahead; shim_pause_often() for rare places. */
void shim_pause(void);
void shim_pause_often(void);

/* Makes this CPU's stores visible to all. */
void shim_flush(void);

void shim_store(void *at, uint64_t value, unsigned int bytes);
uint64_t shim_load(const void *at, unsigned int bytes);

/* One instruction on this CPU's own area: TSan ignores it, as KCSAN would. */
uint64_t shim_this_cpu_load(const volatile void *at, unsigned int bytes);
void shim_this_cpu_store(volatile void *at, uint64_t value, unsigned int bytes);

/* A load that may race, and whose value is checked again */
void shim_race_begin(void);
void shim_race_end(void);

#endif /* SHIM_MEMORY_H */
