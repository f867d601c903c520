// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums of softirqs, device interrupts and system vectors by CPU, with the longest of each.
 *
 * count.c calls it with each event.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/codec/record-class.h"
#include "stat.h"

/* Returns the sums of an interrupt on a CPU: @number of @context. NULL: no memory. */
static struct stat_count *interrupt(struct stat *stat, const struct stat_cpu *cpu,
				    unsigned int context, uint32_t number)
{
	struct stat_count **of;

	if (context == EVTLOG_IN_SOFTIRQ)
		of = &stat->softirqs[number < STAT_SOFTIRQS ? number : STAT_SOFTIRQS];
	else if (context == EVTLOG_IN_IRQ)
		of = &stat->irqs[number < STAT_IRQS ? number : STAT_IRQS];
	else
		of = &stat->vectors[number];
	if (__builtin_expect(!*of, 0)) {
		*of = calloc(stat->cpu_count, sizeof(**of));
		if (!*of)
			return NULL;
	}
	return &(*of)[cpu - stat->cpus];
}

struct stat_count stat_count_sum(const struct stat *stat, const struct stat_count *by_cpu)
{
	struct stat_count sum = { 0 };

	for (unsigned int i = 0; by_cpu && i < stat->cpu_count; i++) {
		sum.count += by_cpu[i].count;
		sum.time_ns += by_cpu[i].time_ns;
		if (!by_cpu[i].whole || (sum.whole && by_cpu[i].max_ns <= sum.max_ns))
			continue;
		sum.max_ns = by_cpu[i].max_ns;
		sum.max_from_ns = by_cpu[i].max_from_ns;
		sum.max_to_ns = by_cpu[i].max_to_ns;
		sum.whole = true;
	}
	return sum;
}

const struct stat_count *stat_interrupt_at(const struct stat *stat, unsigned int i)
{
	const struct evtlog_type_info *type;

	if (i <= STAT_SOFTIRQS)
		return stat->softirqs[i];
	i -= STAT_SOFTIRQS + 1;
	if (i <= STAT_IRQS)
		return stat->irqs[i];
	type = evtlog_type_info(stat->file, i - STAT_IRQS - 1);
	return type && type->known ? stat->vectors[type->known] : NULL;
}

int stat_interrupt_time(struct stat *stat, struct stat_cpu *cpu, const struct evtlog_event *event,
			uint64_t ns)
{
	struct stat_count *count = interrupt(stat, cpu, event->context, event->context_number);

	if (!count)
		return -ENOMEM;
	count->time_ns += ns;
	if (cpu->depth && cpu->open[cpu->depth - 1].of == count)
		cpu->open[cpu->depth - 1].own_ns += ns;
	return 0;
}

/* If the context is a task, the exit of an interrupt that is still open was lost. */
static void enter(struct stat_cpu *cpu, struct stat_count *count, const struct evtlog_event *event)
{
	if (event->context == EVTLOG_IN_TASK || cpu->depth == STAT_NESTED)
		cpu->depth = 0;
	cpu->open[cpu->depth].of = count;
	cpu->open[cpu->depth].from_ns = event->time_ns;
	cpu->open[cpu->depth++].own_ns = 0;
}

static void leave(struct stat_cpu *cpu, struct stat_count *count, uint64_t time_ns)
{
	uint64_t own_ns;

	if (!cpu->depth)
		return;
	own_ns = cpu->open[--cpu->depth].own_ns;
	if (cpu->open[cpu->depth].of != count) {
		cpu->depth = 0;
		return;
	}
	if (count->whole && own_ns <= count->max_ns)
		return;
	count->whole = true;
	count->max_ns = own_ns;
	count->max_from_ns = cpu->open[cpu->depth].from_ns;
	count->max_to_ns = time_ns;
}

int stat_interrupt(struct stat *stat, struct stat_cpu *cpu,
		   const struct evtlog_event *event)
{
	const struct record_class *class = record_class(event->known);
	struct stat_count *count;

	if (!cpu->wanted || class->context == EVTLOG_IN_TASK ||
	    (class->step != RECORD_ENTRY && class->step != RECORD_EXIT))
		return 0;
	count = interrupt(stat, cpu, class->context, record_number(class, event->words));
	if (!count)
		return -ENOMEM;
	if (class->step == RECORD_EXIT) {
		leave(cpu, count, event->time_ns);
		return 0;
	}
	count->count++;
	enter(cpu, count, event);
	return 0;
}

static void free_counts(struct stat_count **counts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(counts[i]);
}

void stat_interrupts_free(struct stat *stat)
{
	free_counts(stat->softirqs, STAT_SOFTIRQS + 1);
	free_counts(stat->irqs, STAT_IRQS + 1);
	free_counts(stat->vectors, STAT_TYPES);
}
