/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs of ring_join: what they do, and what the kernel's files ask of where they run.
 *
 * Stage: above shim/machine.h.  Each event is told to ring_story.c right before its hook.
 */
#ifndef UNIT_RING_CPUS_H
#define UNIT_RING_CPUS_H

#include "machine.h"
#include "random.h"

/* Of each CPU, for others to see. */
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

/* Of the thread that stands for this CPU, or reads. */
extern __thread struct random rng;
/* Softirqs are off: one is served, or a task keeps them out. */
extern __thread bool softirqs_off;

/* CPUs do no more; how many stops were begun; the tick counter is the same on all. */
extern bool over, trusted;
extern u64 stops_begun;

/* All CPUs are there, CPU 0 too; and again when it has armed. */
extern pthread_barrier_t all_there;

/*
 * Until this is set there is no memory for the ring of the last CPU, which comes online
 * without one and is not unplugged.
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
