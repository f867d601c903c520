// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts events as the kernel's counters do, and compares.
 *
 * Stage: between events and `evtlog check`.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/room.h"
#include "counters.h"

#define TYPES		(EVTLOG_TYPE_MAX + 1)
#define SOFTIRQS	64

/* No machine comes near; a hostile file must not make searching slow. */
#define READINGS_MAX	16384
#define IRQS_MAX	4096

/* One counter of the kernel, at both ends of the run. */
struct reading {
	enum evtlog_counter counter;
	uint32_t cpu;
	uint32_t index;
	uint64_t at[2];
	bool has[2];
};

struct irq_count {
	uint32_t irq;
	uint64_t count;
};

/* What was recorded on a CPU, by types of abi.h. */
struct cpu_counts {
	uint32_t cpu;
	uint64_t lost;
	bool lossy;		/* @lost, or a gap of unknown contents */
	bool holes;		/* nobody knows how much is missing */
	uint64_t types[TYPES];
	uint64_t softirqs[SOFTIRQS];
	struct irq_count *irqs;
	size_t irq_count;
};

struct counters {
	const struct evtlog_file *file;
	struct cpu_counts *cpus;
	unsigned int cpu_count;
	unsigned int last_cpu;
	struct reading *readings;
	size_t reading_count;
	size_t reading_room;
};

struct counters *counters_new(const struct evtlog_file *file)
{
	struct counters *counters = calloc(1, sizeof(*counters));

	if (!counters)
		return NULL;
	counters->file = file;
	counters->cpu_count = evtlog_cpu_count(file);
	counters->cpus = calloc(counters->cpu_count + 1,
				sizeof(*counters->cpus));
	if (!counters->cpus) {
		free(counters);
		return NULL;
	}
	for (unsigned int i = 0; i < counters->cpu_count; i++)
		counters->cpus[i].cpu = evtlog_cpu_number(file, i);
	return counters;
}

void counters_free(struct counters *counters)
{
	if (!counters)
		return;
	for (unsigned int i = 0; i < counters->cpu_count; i++)
		free(counters->cpus[i].irqs);
	free(counters->cpus);
	free(counters->readings);
	free(counters);
}

static struct cpu_counts *find_cpu(struct counters *counters, uint32_t cpu)
{
	while (counters->cpus[counters->last_cpu].cpu != cpu)
		counters->last_cpu = (counters->last_cpu + 1) %
				     counters->cpu_count;
	return &counters->cpus[counters->last_cpu];
}

static int add_irq(struct cpu_counts *cpu, uint32_t irq)
{
	struct irq_count *irqs;

	for (size_t i = 0; i < cpu->irq_count; i++)
		if (cpu->irqs[i].irq == irq) {
			cpu->irqs[i].count++;
			return 0;
		}
	if (cpu->irq_count == IRQS_MAX)
		return 0;
	irqs = reallocarray(cpu->irqs, cpu->irq_count + 1, sizeof(*irqs));
	if (!irqs)
		return -ENOMEM;
	cpu->irqs = irqs;
	irqs[cpu->irq_count++] = (struct irq_count) { irq, 1 };
	return 0;
}

static int add_reading(struct counters *counters,
		       const struct evtlog_event *event)
{
	bool at_end = evtlog_data(event->words, 0, 1);
	enum evtlog_counter counter = evtlog_data(event->words, 1, 5);
	uint32_t index = evtlog_data(event->words, 6, 20);
	struct reading *reading = NULL;

	for (size_t i = 0; i < counters->reading_count; i++) {
		struct reading *r = &counters->readings[i];

		if (r->counter == counter && r->index == index &&
		    (r->cpu == event->cpu || counter == EVTLOG_COUNTER_CTXT))
			reading = r;
	}
	if (!reading) {
		if (counters->reading_count == READINGS_MAX)
			return 0;
		if (room_for_one(&counters->readings, &counters->reading_room,
				 counters->reading_count, sizeof(*reading)))
			return -ENOMEM;
		reading = &counters->readings[counters->reading_count++];
		*reading = (struct reading) {
			.counter = counter,
			.cpu = event->cpu,
			.index = index,
		};
	}
	reading->at[at_end] = event->words[1];
	reading->has[at_end] = true;
	return 0;
}

int counters_update(struct counters *counters, const struct evtlog_event *event)
{
	struct cpu_counts *cpu = find_cpu(counters, event->cpu);

	if (event->kind != EVTLOG_EVENT_RECORD) {
		cpu->lost += event->lost;
		cpu->lossy |= event->kind == EVTLOG_EVENT_GAP || event->lost ||
			      event->lost_buffers;
		/* A gap without loss: offline, or damaged. */
		cpu->holes |= event->lost_buffers ||
			      (event->kind == EVTLOG_EVENT_GAP && !event->lost);
		return 0;
	}
	cpu->types[event->known]++;
	switch (event->known) {
	case EVTLOG_SOFTIRQ_ENTRY:
		if (evtlog_data(event->words, 0, 26) < SOFTIRQS)
			cpu->softirqs[evtlog_data(event->words, 0, 26)]++;
		break;
	case EVTLOG_IRQ_HANDLER_ENTRY:
		return add_irq(cpu, evtlog_data(event->words, 0, 26));
	case EVTLOG_COUNTER:
		return add_reading(counters, event);
	default:
		break;
	}
	return 0;
}

static uint64_t total(const struct counters *counters, unsigned int type)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < counters->cpu_count; i++)
		sum += counters->cpus[i].types[type];
	return sum;
}

/* Losses of @cpu, or of all CPUs for what is counted over all. */
static struct cpu_counts losses(const struct counters *counters,
				const struct cpu_counts *cpu,
				enum evtlog_counter counter)
{
	struct cpu_counts sum = {
		.lost = cpu->lost,
		.lossy = cpu->lossy,
		.holes = cpu->holes,
	};
	struct evtlog_summary summary;

	if (counter == EVTLOG_COUNTER_CTXT)
		for (unsigned int i = 0; i < counters->cpu_count; i++) {
			const struct cpu_counts *other = &counters->cpus[i];

			if (other == cpu)
				continue;
			sum.lost += other->lost;
			sum.lossy |= other->lossy;
			sum.holes |= other->holes;
		}
	/* On which CPU an NMI's record was lost is not known here. */
	evtlog_summarize(counters->file, &summary);
	sum.lost += summary.lost[EVTLOG_LOST_NMI];
	sum.lossy |= summary.lost[EVTLOG_LOST_NMI] != 0;
	return sum;
}

static uint64_t irq_recorded(const struct cpu_counts *cpu, uint32_t irq)
{
	for (size_t i = 0; i < cpu->irq_count; i++)
		if (cpu->irqs[i].irq == irq)
			return cpu->irqs[i].count;
	return 0;
}

/*
 * Fills in what was recorded.  Returns how many events of that type there are in
 * the whole file.
 */
static uint64_t recorded(const struct counters *counters,
			 const struct cpu_counts *cpu,
			 struct counter_result *result)
{
	const struct evtlog_type_info *type;

	switch (result->counter) {
	case EVTLOG_COUNTER_CTXT:
		result->recorded = total(counters, EVTLOG_SCHED_SWITCH);
		return result->recorded;
	case EVTLOG_COUNTER_SOFTIRQ:
		if (result->index < SOFTIRQS)
			result->recorded = cpu->softirqs[result->index];
		return total(counters, EVTLOG_SOFTIRQ_ENTRY);
	case EVTLOG_COUNTER_IRQ:
		result->recorded = irq_recorded(cpu, result->index);
		return total(counters, EVTLOG_IRQ_HANDLER_ENTRY);
	case EVTLOG_COUNTER_VECTOR:
		type = evtlog_type_info(counters->file, result->index);
		if (!type || !type->known)
			return 0;
		result->recorded = cpu->types[type->known];
		/* The kernel has one counter for both. */
		if (type->known == EVTLOG_CALL_FUNCTION_ENTRY) {
			result->recorded +=
				cpu->types[EVTLOG_CALL_FUNCTION_SINGLE_ENTRY];
			return total(counters, EVTLOG_CALL_FUNCTION_ENTRY) +
			       total(counters,
				     EVTLOG_CALL_FUNCTION_SINGLE_ENTRY);
		}
		return total(counters, type->known);
	}
	return 0;
}

bool counters_result(const struct counters *counters, size_t number,
		     struct counter_result *result)
{
	const struct cpu_counts *cpu = counters->cpus;
	const struct reading *reading;
	struct cpu_counts lost;
	uint64_t all;

	if (number >= counters->reading_count)
		return false;
	reading = &counters->readings[number];
	while (cpu->cpu != reading->cpu)
		cpu++;
	*result = (struct counter_result) {
		.counter = reading->counter,
		.cpu = reading->cpu,
		.index = reading->index,
	};
	all = recorded(counters, cpu, result);
	if (!reading->has[0] || !reading->has[1]) {
		result->verdict = COUNTER_PARTIAL;
		return true;
	}
	result->kernel = reading->at[1] - reading->at[0];
	lost = losses(counters, cpu, reading->counter);
	if (result->kernel == result->recorded)
		result->verdict = COUNTER_OK;
	else if (!all)
		result->verdict = COUNTER_OFF;
	else if (lost.lossy && result->kernel > result->recorded &&
		 (lost.holes ||
		  result->kernel - result->recorded <= lost.lost))
		result->verdict = COUNTER_LOST;
	else if (reading->counter == EVTLOG_COUNTER_IRQ &&
		 result->recorded > result->kernel)
		result->verdict = COUNTER_SHARED;
	else
		result->verdict = COUNTER_MISMATCH;
	return true;
}

const char *counter_verdict_name(enum counter_verdict verdict)
{
	switch (verdict) {
	case COUNTER_OK:
		return "ok";
	case COUNTER_MISMATCH:
		return "mismatch";
	case COUNTER_LOST:
		return "the rest may be among the lost events";
	case COUNTER_OFF:
		return "not comparable: such events were not recorded";
	case COUNTER_PARTIAL:
		return "not comparable: lost, or the CPU came or went";
	case COUNTER_SHARED:
		return "not comparable: several handlers share the line";
	}
	return "unknown";
}

void counter_name(const struct evtlog_file *file,
		  const struct counter_result *result, char *name, size_t room)
{
	const struct evtlog_type_info *type;
	const char *softirq;

	switch (result->counter) {
	case EVTLOG_COUNTER_CTXT:
		snprintf(name, room, "sched_switch");
		return;
	case EVTLOG_COUNTER_SOFTIRQ:
		softirq = evtlog_softirq_name(file, result->index);
		if (softirq)
			snprintf(name, room, "softirq_entry %s", softirq);
		else
			snprintf(name, room, "softirq_entry %u", result->index);
		return;
	case EVTLOG_COUNTER_IRQ:
		snprintf(name, room, "irq_handler_entry %u", result->index);
		return;
	case EVTLOG_COUNTER_VECTOR:
		type = evtlog_type_info(file, result->index);
		if (type && type->known == EVTLOG_CALL_FUNCTION_ENTRY)
			snprintf(name, room, "call_function(_single)_entry");
		else
			snprintf(name, room, "%s", type ? type->name : "?");
		return;
	}
	snprintf(name, room, "counter %u", result->counter);
}
