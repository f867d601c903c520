// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums up what ran on the CPUs for which a task waited.
 *
 * Each ns of a CPU belongs to the innermost slice: the time of a task is without its interrupts.
 * Slices come when they end, so those nested in a slice come before it.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "why.h"

const char *const ran_kind_names[] = {
	[RAN_TASK] = "task",
	[RAN_IDLE] = "idle",
	[RAN_OUTSIDE] = "outside",
	[RAN_SOFTIRQ] = "softirq",
	[RAN_IRQ] = "irq",
	[RAN_VECTOR] = "vector",
};

void meanwhile_free(struct meanwhile *meanwhile)
{
	free(meanwhile->places);
	free(meanwhile->cpus);
	free(meanwhile->ran);
}

/* ---- Places ---- */

static struct ran_cpu *cpu_of(const struct meanwhile *meanwhile, int64_t cpu)
{
	for (size_t i = 0; i < meanwhile->cpu_count; i++)
		if (meanwhile->cpus[i].cpu == cpu)
			return &meanwhile->cpus[i];
	return NULL;
}

static int add_cpu(struct meanwhile *meanwhile, int64_t cpu)
{
	if (cpu_of(meanwhile, cpu))
		return 0;
	if (array_reserve(&meanwhile->cpus, &meanwhile->cpu_capacity, meanwhile->cpu_count,
			  sizeof(*meanwhile->cpus)))
		return -ENOMEM;
	meanwhile->cpus[meanwhile->cpu_count++] = (struct ran_cpu) { .cpu = cpu };
	return 0;
}

static int add_place(struct meanwhile *meanwhile, int64_t cpu, int64_t from, int64_t to)
{
	if (array_reserve(&meanwhile->places, &meanwhile->place_capacity, meanwhile->place_count,
			  sizeof(*meanwhile->places)))
		return -ENOMEM;
	meanwhile->places[meanwhile->place_count++] = (struct place) { cpu, from, to };
	return add_cpu(meanwhile, cpu);
}

int meanwhile_begin(struct meanwhile *meanwhile, int64_t cpu, int64_t from, int64_t to)
{
	return add_place(meanwhile, cpu, from, to);
}

void meanwhile_correct(struct meanwhile *meanwhile, int64_t cpu)
{
	if (meanwhile->places[0].cpu == cpu)
		return;
	meanwhile->doubtful |= meanwhile->known_ns > 0;
	meanwhile->places[0].cpu = cpu;
	if (!cpu_of(meanwhile, cpu))
		meanwhile->cpus[0] = (struct ran_cpu) { .cpu = cpu };
}

int meanwhile_move(struct meanwhile *meanwhile, int64_t orig, int64_t dest, int64_t time)
{
	struct place *last = &meanwhile->places[meanwhile->place_count - 1];
	int64_t to = last->to;

	if (last->cpu != orig) {
		if (meanwhile->place_count == 1)
			meanwhile_correct(meanwhile, orig);
		else
			meanwhile->doubtful = true;
	}
	if (time <= last->from) {
		last->cpu = dest;
		return add_cpu(meanwhile, dest);
	}
	if (time >= to)
		return 0;
	last->to = time;
	return add_place(meanwhile, dest, time, to);
}

/* ---- Time ---- */

static int64_t overlap(const struct meanwhile *meanwhile, int64_t cpu, int64_t begin, int64_t end)
{
	int64_t ns = 0;

	for (size_t i = 0; i < meanwhile->place_count; i++) {
		const struct place *place = &meanwhile->places[i];
		int64_t from = begin > place->from ? begin : place->from;
		int64_t to = end < place->to ? end : place->to;

		if (place->cpu == cpu && from < to)
			ns += to - from;
	}
	return ns;
}

static bool is_same(const struct ran *a, const struct ran *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == RAN_TASK ? a->utid == b->utid : a->number == b->number;
}

static struct ran *ran_of(struct meanwhile *meanwhile, const struct ran *ran)
{
	for (size_t i = 0; i < meanwhile->ran_count; i++)
		if (is_same(&meanwhile->ran[i], ran))
			return &meanwhile->ran[i];
	if (array_reserve(&meanwhile->ran, &meanwhile->ran_capacity, meanwhile->ran_count,
			  sizeof(*meanwhile->ran)))
		return NULL;
	meanwhile->ran[meanwhile->ran_count] = *ran;
	meanwhile->ran[meanwhile->ran_count].ns = 0;
	return &meanwhile->ran[meanwhile->ran_count++];
}

int meanwhile_add(struct meanwhile *meanwhile, const struct ran *ran, unsigned int level,
		  int64_t cpu, int64_t begin, int64_t end)
{
	struct ran_cpu *on = cpu_of(meanwhile, cpu);
	int64_t ns = on ? overlap(meanwhile, cpu, begin, end) : 0, own;
	struct ran *sum;

	if (!on || level >= RAN_LEVELS)
		return 0;
	own = ns - on->inner[level + 1];
	on->inner[level + 1] = 0;
	/* Without a known task, no slice contains an interrupt of level 1. */
	if (level > 1 || (level && ran->utid != UTID_UNKNOWN))
		on->inner[level] += ns;
	/* Nothing, or an entry or exit is missing. */
	if (own <= 0)
		return 0;
	sum = ran_of(meanwhile, ran);
	if (!sum)
		return -ENOMEM;
	sum->ns += own;
	meanwhile->known_ns += own;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct ran *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	if (x->kind != y->kind)
		return x->kind - y->kind;
	if (x->kind == RAN_TASK)
		return x->utid < y->utid ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

void meanwhile_end(struct meanwhile *meanwhile, int64_t cpu)
{
	if (!meanwhile->place_count)
		return;
	if (cpu != CPU_UNKNOWN && meanwhile->places[meanwhile->place_count - 1].cpu != cpu)
		meanwhile->doubtful = true;
	if (meanwhile->doubtful) {
		meanwhile->ran_count = 0;
		meanwhile->known_ns = 0;
	}
	if (meanwhile->ran_count)
		qsort(meanwhile->ran, meanwhile->ran_count, sizeof(*meanwhile->ran), compare);
}
