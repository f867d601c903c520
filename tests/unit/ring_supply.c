// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that the kernel's files call, except the machine: clock, contexts, memory of buffers,
 * hooks' keys, readers
 */
#include "ring_cpus.h"

#include "buffers.h"
#include "context.h"
#include "feature.h"
#include "notify.h"
#include "proc.h"
#include "ring.h"
#include "run.h"

#include "expect.h"

static u64 ticks_now = 1ULL << 40;

u64 shim_ticks(void)
{
	u64 step = 1 + random_below(&rng, 3);

	if (random_one_in(&rng, 5000))
		step += 1ULL << 31;
	return __atomic_add_fetch(&ticks_now, step, __ATOMIC_RELAXED);
}

void evtlog_clock_set_read(struct evtlog_clock_set *set)
{
	shim_pause();
	if (random_one_in(&rng, 16))
		cpu_has_nmi();
	memset(set, 0, sizeof(*set));
	set->ticks = shim_ticks();
}

u64 evtlog_ticks_hz(void)
{
	return 1000;
}

bool evtlog_ticks_trusted(void)
{
	return __atomic_load_n(&trusted, __ATOMIC_RELAXED);
}

void evtlog_context_fill(struct evtlog_buffer_header *h)
{
	evtlog_context_fill_other(h, smp_processor_id());
	shim_pause();
}

void evtlog_context_fill_other(struct evtlog_buffer_header *h, unsigned int cpu)
{
	h->begin_pid = __atomic_load_n(&cpus[cpu].task, __ATOMIC_RELAXED);
}

bool evtlog_context_softirqs_are_off(void)
{
	return softirqs_off;
}

void evtlog_ring_handed_over(struct evtlog_ring *r)
{
	shim_pause();
}

struct evtlog_geometry evtlog_geometry;
struct wait_queue_head {
	int none;
} evtlog_readers;

/* A thread's ring ends with the thread; this memory does not. */
static void *memory[SHIM_CPUS][EVTLOG_BUFFERS_MAX];

int evtlog_buffers_alloc(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	u32 i, nr = cpu ? 4 + cpu : 16;

	if (r->nr_buffers)
		return 0;
	if (cpu == SHIM_CPUS - 1 && !has_memory)
		return -ENOMEM;
	r->cpu = cpu;
	r->buffer_bytes = sizeof(struct evtlog_buffer_header) + 8 * (24 + 40 * cpu);
	for (i = 0; i < nr; i++) {
		r->buffer[i] = memory[cpu][i] = malloc(r->buffer_bytes);
		if (!r->buffer[i])
			fail("out of memory");
		memset(r->buffer[i], 0x5a, r->buffer_bytes);
	}
	smp_store_release(&r->nr_buffers, nr);
	return 0;
}

/* Called only if arming fails, while CPUs have no events. */
void evtlog_buffers_free_all(void)
{
	struct evtlog_ring *r;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		r = per_cpu_ptr(&evtlog_ring, cpu);
		while (r->nr_buffers)
			free(r->buffer[--r->nr_buffers]);
	}
}

bool evtlog_proc_cpu_is_kept(void)
{
	return evtlog_run_is_armed();
}

void evtlog_events_apply(bool armed)
{
}

u64 evtlog_events(void)
{
	return 0;
}

void evtlog_events_set(u64 types)
{
}

void evtlog_notify(void)
{
}

struct evtlog_feature *evtlog_features;
