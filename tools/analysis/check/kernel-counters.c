// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts events as the kernel's counters do, and compares both.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel-counters.h"
#include "lib/base/array.h"
#include "lib/codec/record-class.h"
#include "lib/file/file.h"

#define TYPES		(EVTLOG_TYPE_MAX + 1)
#define SOFTIRQS	64

/* No machine has so many; with them a hostile file could make searches slow. */
#define READINGS_MAX	16384
#define IRQS_MAX	4096

/* A counter of the kernel, at the start and at the end of the run */
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

/*
 * Numbers of records of a CPU, by types of abi.h.
 * @begin_ns, @end_ns: times of its part
 * @first_ns, @last_ns: times of its counter readings, at the start and at the end
 */
struct cpu_counts {
	uint32_t cpu;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t first_ns;
	uint64_t last_ns;
	bool has_first;
	bool has_last;
	bool has_switches[2];	/* at the start, at the end */
	bool start_is_whole;	/* nothing was lost before the first event */
	uint64_t events;	/* without counters */
	uint64_t lost;
	bool lossy;		/* @lost, or a gap of unknown contents */
	bool holes;		/* it is unknown how much is missing */
	bool misses;		/* events or buffers are missing: it was not just offline */
	uint64_t types[TYPES];
	uint64_t softirqs[SOFTIRQS];
	uint64_t messages;	/* ICMP messages received by the first network namespace */
	struct irq_count *irqs;
	size_t irq_count;
	size_t irq_capacity;
};

struct counters {
	const struct evtlog_file *file;
	struct cpu_counts *cpus;
	unsigned int cpu_count;
	struct reading *readings;
	size_t reading_count;
	size_t reading_capacity;
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

const struct evtlog_file *counters_file(const struct counters *counters)
{
	return counters->file;
}

static int add_irq(struct cpu_counts *cpu, uint32_t irq)
{
	for (size_t i = 0; i < cpu->irq_count; i++)
		if (cpu->irqs[i].irq == irq) {
			cpu->irqs[i].count++;
			return 0;
		}
	if (cpu->irq_count == IRQS_MAX)
		return 0;
	if (array_reserve(&cpu->irqs, &cpu->irq_capacity, cpu->irq_count, sizeof(*cpu->irqs)))
		return -ENOMEM;
	cpu->irqs[cpu->irq_count++] = (struct irq_count) { irq, 1 };
	return 0;
}

/* Counts interrupts for which the kernel has a counter per number. */
static int add_interrupt(struct cpu_counts *cpu, const struct record_class *class,
			 const uint64_t *words)
{
	uint32_t number = record_number(class, words);

	if (class->context == EVTLOG_IN_IRQ)
		return add_irq(cpu, number);
	if (class->context == EVTLOG_IN_SOFTIRQ && number < SOFTIRQS)
		cpu->softirqs[number]++;
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
		if (array_reserve(&counters->readings, &counters->reading_capacity,
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

/* Notes the time of a reading. A reading of the switches shows that the set is complete. */
static void note_reading(struct cpu_counts *cpu, const struct evtlog_event *event)
{
	bool at_end = evtlog_data(event->words, 0, 1);

	if (evtlog_data(event->words, 1, 5) == EVTLOG_COUNTER_SWITCHES)
		cpu->has_switches[at_end] = true;
	if (at_end) {
		cpu->last_ns = event->time_ns;
		cpu->has_last = true;
	} else if (!cpu->has_first) {
		cpu->first_ns = event->time_ns;
		cpu->has_first = true;
	}
}

int counters_update(struct counters *counters, const struct evtlog_event *event)
{
	struct cpu_counts *cpu = &counters->cpus[file_event_slot(counters->file, event)];
	const struct record_class *class;

	if (event->kind != EVTLOG_EVENT_RECORD) {
		if (event->kind == EVTLOG_EVENT_BEGIN)
			cpu->begin_ns = event->time_ns;
		cpu->end_ns = event->time_ns;
		cpu->lost += event->lost;
		cpu->misses |= event->lost || event->lost_buffers;
		cpu->lossy |= event->kind == EVTLOG_EVENT_GAP || event->lost ||
			      event->lost_buffers;
		/* A gap without loss: the CPU was offline, or data is damaged. */
		cpu->holes |= event->lost_buffers ||
			      (event->kind == EVTLOG_EVENT_GAP && !event->lost);
		return 0;
	}
	cpu->types[event->known]++;
	if (event->known != EVTLOG_COUNTER && !cpu->events++)
		cpu->start_is_whole = !cpu->lossy;
	class = record_class(event->known);
	if (class->step == RECORD_ENTRY)
		return add_interrupt(cpu, class, event->words);
	if (event->known == EVTLOG_ICMP_RX)
		cpu->messages += !event->words[4];
	/* Stolen time is not a number of events. */
	if (event->known != EVTLOG_COUNTER ||
	    evtlog_data(event->words, 1, 5) == EVTLOG_COUNTER_STEAL)
		return 0;
	note_reading(cpu, event);
	return add_reading(counters, event);
}

static uint64_t total(const struct counters *counters, unsigned int type)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < counters->cpu_count; i++)
		sum += counters->cpus[i].types[type];
	return sum;
}

/* Losses of @cpu; of all CPUs for a counter of all CPUs */
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
	/* For a record that was lost in an NMI, or nested, the CPU is unknown here. */
	evtlog_summarize(counters->file, &summary);
	for (int i = 0; i < EVTLOG_LOST_CAUSES; i++)
		if (i != EVTLOG_LOST_FULL) {
			sum.lost += summary.lost[i];
			sum.lossy |= summary.lost[i] != 0;
		}
	return sum;
}

static uint64_t irq_recorded(const struct cpu_counts *cpu, uint32_t irq)
{
	for (size_t i = 0; i < cpu->irq_count; i++)
		if (cpu->irqs[i].irq == irq)
			return cpu->irqs[i].count;
	return 0;
}

/* Events of all lines that have no counter of their own */
static uint64_t irqs_recorded(const struct counters *counters, const struct cpu_counts *cpu)
{
	uint64_t count = cpu->types[EVTLOG_IRQ_HANDLER_ENTRY];

	for (size_t i = 0; i < counters->reading_count; i++) {
		const struct reading *r = &counters->readings[i];

		if (r->counter == EVTLOG_COUNTER_IRQ && r->cpu == cpu->cpu)
			count -= irq_recorded(cpu, r->index);
	}
	return count;
}

/* Number of records of a type that a filter rejected on a CPU; 0 if there was no filter */
static uint64_t rejected(const struct counters *counters, uint32_t cpu, unsigned int type)
{
	for (size_t i = 0; i < counters->reading_count; i++) {
		const struct reading *r = &counters->readings[i];

		if (r->counter == EVTLOG_COUNTER_REJECTED && r->cpu == cpu && r->index == type &&
		    r->has[0] && r->has[1])
			return r->at[1] - r->at[0];
	}
	return 0;
}

static uint64_t happened(const struct counters *counters, const struct cpu_counts *cpu,
			 unsigned int type)
{
	return cpu->types[type] + rejected(counters, cpu->cpu, type);
}

/* Sets @result->recorded. Returns the number of events of this type in the whole file. */
static uint64_t recorded(const struct counters *counters,
			 const struct cpu_counts *cpu,
			 struct counter_result *result)
{
	const struct evtlog_type_info *type;

	switch (result->counter) {
	case EVTLOG_COUNTER_CTXT:
		result->recorded = total(counters, EVTLOG_SCHED_SWITCH);
		return result->recorded;
	case EVTLOG_COUNTER_SWITCHES:
		result->recorded = happened(counters, cpu, EVTLOG_SCHED_SWITCH);
		return total(counters, EVTLOG_SCHED_SWITCH);
	case EVTLOG_COUNTER_SOFTIRQ:
		if (result->index < SOFTIRQS)
			result->recorded = cpu->softirqs[result->index];
		return total(counters, EVTLOG_SOFTIRQ_ENTRY);
	case EVTLOG_COUNTER_ICMP:
		result->recorded = cpu->messages + rejected(counters, cpu->cpu, EVTLOG_ICMP_RX);
		return total(counters, EVTLOG_ICMP_RX);
	case EVTLOG_COUNTER_IRQ:
		result->recorded = irq_recorded(cpu, result->index);
		return total(counters, EVTLOG_IRQ_HANDLER_ENTRY);
	case EVTLOG_COUNTER_IRQS:
		result->recorded = irqs_recorded(counters, cpu);
		return total(counters, EVTLOG_IRQ_HANDLER_ENTRY);
	case EVTLOG_COUNTER_VECTOR:
		type = evtlog_type_info(counters->file, result->index);
		if (!type || !type->known)
			return 0;
		result->recorded = happened(counters, cpu, type->known);
		/* The kernel has one counter for both types. */
		if (type->known == EVTLOG_CALL_FUNCTION_ENTRY) {
			result->recorded +=
				happened(counters, cpu, EVTLOG_CALL_FUNCTION_SINGLE_ENTRY);
			return total(counters, EVTLOG_CALL_FUNCTION_ENTRY) +
			       total(counters,
				     EVTLOG_CALL_FUNCTION_SINGLE_ENTRY);
		}
		return total(counters, type->known);
	case EVTLOG_COUNTER_REJECTED:
	case EVTLOG_COUNTER_STEAL:
		break;
	}
	return 0;
}

/*
 * Returns true if a missing reading at the start was 0: the kernel records no counters of device
 * interrupts that never came.
 */
static bool begins_at_zero(const struct cpu_counts *cpu, const struct reading *reading)
{
	return reading->counter == EVTLOG_COUNTER_IRQ && cpu->start_is_whole &&
	       cpu->has_switches[0] && cpu->has_switches[1];
}

/* Most of the kernel's counters have 32 bits and wrap; these have 64. */
static uint64_t counted(const struct reading *reading)
{
	uint64_t count = reading->at[1] - reading->at[0];

	if (reading->counter == EVTLOG_COUNTER_CTXT ||
	    reading->counter == EVTLOG_COUNTER_REJECTED ||
	    (reading->counter == EVTLOG_COUNTER_SWITCHES && reading->at[1] >= reading->at[0]))
		return count;
	return (uint32_t)count;
}

/* If a type has several counters, it is unknown to which of them rejected events belong. */
static bool is_rejected_partly(const struct counters *counters, const struct reading *reading)
{
	switch (reading->counter) {
	case EVTLOG_COUNTER_SOFTIRQ:
		return rejected(counters, reading->cpu, EVTLOG_SOFTIRQ_ENTRY);
	case EVTLOG_COUNTER_IRQ:
	case EVTLOG_COUNTER_IRQS:
		return rejected(counters, reading->cpu, EVTLOG_IRQ_HANDLER_ENTRY);
	case EVTLOG_COUNTER_ICMP:
		/* The counter is only for the first namespace. */
		return rejected(counters, reading->cpu, EVTLOG_ICMP_RX);
	case EVTLOG_COUNTER_REJECTED:
		return true;
	default:
		return false;
	}
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
	if (!reading->has[1] || !(reading->has[0] || begins_at_zero(cpu, reading))) {
		result->verdict = COUNTER_PARTIAL;
		return true;
	}
	lost = losses(counters, cpu, reading->counter);
	result->kernel = counted(reading);
	if (result->kernel == result->recorded)
		result->verdict = COUNTER_OK;
	else if (!all || is_rejected_partly(counters, reading))
		result->verdict = COUNTER_OFF;
	else if (lost.lossy && result->kernel > result->recorded &&
		 (lost.holes ||
		  result->kernel - result->recorded <= lost.lost))
		result->verdict = COUNTER_LOST;
	else if ((reading->counter == EVTLOG_COUNTER_IRQ ||
		  reading->counter == EVTLOG_COUNTER_IRQS) &&
		 result->recorded > result->kernel)
		result->verdict = COUNTER_SHARED;
	else
		result->verdict = COUNTER_MISMATCH;
	return true;
}

/* The verdict for a sum over CPUs with these verdicts */
static enum counter_verdict worse(enum counter_verdict a, enum counter_verdict b)
{
	static const unsigned int weights[] = {
		[COUNTER_OK] = 0, [COUNTER_OFF] = 1, [COUNTER_SHARED] = 2,
		[COUNTER_LOST] = 3, [COUNTER_PARTIAL] = 4, [COUNTER_MISMATCH] = 5,
	};

	return weights[a] > weights[b] ? a : b;
}

bool counters_total(const struct counters *counters, struct counter_result *total)
{
	bool found = false;

	*total = (struct counter_result) { .counter = EVTLOG_COUNTER_CTXT };
	for (size_t i = 0; i < counters->reading_count; i++) {
		struct counter_result result;

		if (counters->readings[i].counter != EVTLOG_COUNTER_SWITCHES)
			continue;
		counters_result(counters, i, &result);
		found = true;
		total->kernel += result.kernel;
		total->recorded += result.recorded;
		total->verdict = worse(total->verdict, result.verdict);
	}
	return found;
}

bool counters_part(const struct counters *counters, unsigned int slot,
		   struct counter_part *part)
{
	const struct cpu_counts *cpu = &counters->cpus[slot];
	bool compared = false, unread = !cpu->has_first || !cpu->has_last;

	if (slot >= counters->cpu_count)
		return false;
	*part = (struct counter_part) {
		.cpu = cpu->cpu,
		.begin_ns = cpu->begin_ns,
		.end_ns = cpu->end_ns,
		.from_ns = cpu->has_first ? cpu->first_ns : cpu->begin_ns,
		.to_ns = cpu->has_last ? cpu->last_ns : cpu->end_ns,
	};
	for (size_t i = 0; i < counters->reading_count; i++) {
		const struct reading *reading = &counters->readings[i];
		struct counter_result result;

		if (reading->cpu != cpu->cpu && reading->counter != EVTLOG_COUNTER_CTXT)
			continue;
		counters_result(counters, i, &result);
		compared |= result.verdict == COUNTER_OK;
		/* A device may request or free its interrupt in between. */
		unread |= result.verdict == COUNTER_PARTIAL &&
			  result.counter != EVTLOG_COUNTER_IRQ;
		if (result.verdict == COUNTER_OK || result.verdict == COUNTER_OFF ||
		    result.verdict == COUNTER_PARTIAL || result.verdict == COUNTER_SHARED)
			continue;
		part->verdict = worse(part->verdict, result.verdict);
	}
	if (part->verdict == COUNTER_OK && cpu->misses)
		part->verdict = COUNTER_LOST;
	if (part->verdict == COUNTER_OK && (!compared || unread))
		part->verdict = COUNTER_PARTIAL;
	part->is_quiet = !cpu->events && !cpu->lossy && !cpu->has_first && !cpu->has_last;
	part->is_unknown = evtlog_cpu_is_absent(counters->file, slot);
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
		return "not comparable: events were lost, or the CPU went online or offline";
	case COUNTER_SHARED:
		return "not comparable: several handlers share the line";
	}
	return "unknown";
}

void counter_name(const struct evtlog_file *file,
		  const struct counter_result *result, char *name, size_t capacity)
{
	const struct evtlog_type_info *type;
	const char *softirq;

	switch (result->counter) {
	case EVTLOG_COUNTER_CTXT:
	case EVTLOG_COUNTER_SWITCHES:
		snprintf(name, capacity, "sched_switch");
		return;
	case EVTLOG_COUNTER_SOFTIRQ:
		softirq = evtlog_softirq_name(file, result->index);
		if (softirq)
			snprintf(name, capacity, "softirq_entry %s", softirq);
		else
			snprintf(name, capacity, "softirq_entry %u", result->index);
		return;
	case EVTLOG_COUNTER_IRQ:
		snprintf(name, capacity, "irq_handler_entry %u", result->index);
		return;
	case EVTLOG_COUNTER_IRQS:
		snprintf(name, capacity, "irq_handler_entry");
		return;
	case EVTLOG_COUNTER_ICMP:
		snprintf(name, capacity, "icmp_rx netns 0");
		return;
	case EVTLOG_COUNTER_STEAL:
		snprintf(name, capacity, "steal");
		return;
	case EVTLOG_COUNTER_REJECTED:
		type = evtlog_type_info(file, result->index);
		snprintf(name, capacity, "%s rejected", type ? type->name : "?");
		return;
	case EVTLOG_COUNTER_VECTOR:
		type = evtlog_type_info(file, result->index);
		if (type && type->known == EVTLOG_CALL_FUNCTION_ENTRY)
			snprintf(name, capacity, "call_function(_single)_entry");
		else
			snprintf(name, capacity, "%s", type ? type->name : "?");
		return;
	}
	snprintf(name, capacity, "counter %u", result->counter);
}
