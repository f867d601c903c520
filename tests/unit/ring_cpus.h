/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs of ring_join, and what the kernel's files need from them.
 *
 * Stage: above shim/machine.h. Reports each event to ring_story.c right before its hook.
 */
#ifndef UNIT_RING_CPUS_H
#define UNIT_RING_CPUS_H

#include "machine.h"
#include "random.h"

/* Per CPU, visible to other CPUs */
struct cpu {
	u64 ticks;	/* each with at least one event */
	u32 task;
	bool silent;
} __attribute__((__aligned__(64)));
extern struct cpu cpus[SHIM_CPUS];

struct thread {
	pthread_t id;
	unsigned int cpu;
	u64 seed;
};

/* For the thread of this CPU, or of the reader */
extern __thread struct random rng;
/* Softirqs are off: a softirq is served, or a task has disabled them. */
extern __thread bool softirqs_off;

/* CPUs must stop; the tick counter is the same on all CPUs; the number of stops begun */
extern bool over, trusted;
extern u64 stops_begun;

/* All CPUs exist, including CPU 0; and again when CPU 0 has armed. */
extern pthread_barrier_t all_there;

/*
 * Until it is set, there is no memory for the ring of the last CPU, which comes online without a
 * ring and is not unplugged.
 */
extern bool has_memory;

void sleep_us(u32 us);

void cpu_begins(unsigned int cpu, u64 seed);
void *cpu_main(void *thread);

/* On this CPU */
void cpu_switches_task(void);
void cpu_does_something(void);
void cpu_has_nmi(void);

struct cpu_totals {
	u64 calls, offline, nmis, messages, lines;
};
extern struct cpu_totals cpu_totals;

#endif /* UNIT_RING_CPUS_H */
