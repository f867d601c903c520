// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sources, the rows of the table: their names and the sums of their parts.
 *
 * Stage: sources are named during the replay and summed up when all parts are known.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <evtlog/record.h>

#include "attribution.h"

static const char *const family_names[EVTLOG_FAMILIES] = {
	[EVTLOG_FAMILY_USER] = "user task",
	[EVTLOG_FAMILY_KERNEL] = "kernel thread",
	[EVTLOG_FAMILY_INTERRUPT] = "interrupt",
	[EVTLOG_FAMILY_SMT] = "SMT",
	[EVTLOG_FAMILY_HARDWARE] = "hardware",
};

const char *evtlog_jitter_family_name(enum evtlog_jitter_family family)
{
	return (unsigned int)family < EVTLOG_FAMILIES ? family_names[family] : "unknown";
}

/* ---- Names of the processor's exceptions ---- */

/* Indexed by vector, as in the processor's manual. */
static const char *const names[] = {
	[0] = "divide error", [1] = "debug", [2] = "NMI exception", [3] = "breakpoint",
	[4] = "overflow", [5] = "bound range", [6] = "invalid opcode",
	[7] = "device not available", [8] = "double fault", [10] = "invalid TSS",
	[11] = "segment not present", [12] = "stack segment fault",
	[13] = "general protection", [14] = "page fault", [16] = "x87 error",
	[17] = "alignment check", [18] = "machine check", [19] = "SIMD error",
	[20] = "virtualization exception", [21] = "control protection",
	[29] = "VMM communication", [32] = "IRET exception",
};

const char *evtlog_exception_name(unsigned int vector)
{
	return vector < sizeof(names) / sizeof(names[0]) ? names[vector] : NULL;
}

/* ---- Rows ---- */

static uint32_t hash_source(const struct evtlog_jitter_source *source)
{
	uint32_t hash = 2166136261u ^ source->kind << 8 ^ source->family;

	for (const char *name = source->name; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 16777619u;
	return hash;
}

static bool is_source(const void *rows, uint32_t number, const void *wanted)
{
	const struct evtlog_jitter_source *a = (const struct evtlog_jitter_source *)rows + number;
	const struct evtlog_jitter_source *b = wanted;

	return a->kind == b->kind && a->family == b->family && !strcmp(a->name, b->name);
}

static int intern(struct jitter_sources *sources, const struct evtlog_jitter_source *source,
		  uint32_t *numberp)
{
	uint32_t hash = hash_source(source);
	uint32_t number = key_table_find_same(&sources->by_hash, hash, is_source, sources->at,
					      source);

	if (number == KEY_NONE) {
		number = sources->count;
		if (array_reserve(&sources->at, &sources->capacity, sources->count,
				  sizeof(*sources->at)) ||
		    key_table_add(&sources->by_hash, hash, number))
			return -ENOMEM;
		sources->at[sources->count++] = *source;
	}
	*numberp = number;
	return 0;
}

static const char *vector_name(uint32_t number)
{
	static const char *const names[] = {
		[EVTLOG_LOCAL_TIMER_ENTRY] = "timer interrupt",
		[EVTLOG_RESCHEDULE_ENTRY] = "reschedule interrupt",
		[EVTLOG_CALL_FUNCTION_ENTRY] = "function call interrupt",
		[EVTLOG_CALL_FUNCTION_SINGLE_ENTRY] = "single function call interrupt",
		[EVTLOG_IRQ_WORK_ENTRY] = "IRQ work interrupt",
	};

	return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}

static void name_irq(const struct evtlog_jitter *jitter, uint32_t number, char *name)
{
	const char *line = NULL;
	char key[24];

	snprintf(key, sizeof(key), "irq.%u", number);
	if (jitter->samples_file)
		line = evtlog_samples_meta(jitter->samples_file, key);
	snprintf(name, EVTLOG_SOURCE_NAME, line && *line ? "irq %u %s" : "irq %u", number,
		 line);
}

/* @number of the source becomes the record's type; the vector is in the name. */
static void name_vector(struct evtlog_jitter_source *source, uint32_t number)
{
	const char *name = vector_name(number);

	if (name) {
		snprintf(source->name, EVTLOG_SOURCE_NAME, "%s", name);
		return;
	}
	if (number < JITTER_OTHER_VECTOR) {
		snprintf(source->name, EVTLOG_SOURCE_NAME, "interrupt of type %u", number);
		return;
	}
	source->number = EVTLOG_VECTOR_ENTRY;
	snprintf(source->name, EVTLOG_SOURCE_NAME, "interrupt vector %u",
		 number - JITTER_OTHER_VECTOR);
}

static void name_softirq(const struct evtlog_jitter *jitter, uint32_t number, char *name)
{
	const char *known = evtlog_softirq_name(jitter->file, number);

	if (known)
		snprintf(name, EVTLOG_SOURCE_NAME, "softirq %s", known);
	else
		snprintf(name, EVTLOG_SOURCE_NAME, "softirq %u", number);
}

static void name_exception(uint32_t number, char *name)
{
	const char *known = evtlog_exception_name(number);

	if (known)
		snprintf(name, EVTLOG_SOURCE_NAME, "%s", known);
	else
		snprintf(name, EVTLOG_SOURCE_NAME, "exception %u", number);
}

static void describe(const struct evtlog_jitter *jitter, struct evtlog_jitter_source *source)
{
	static const char *const fixed[EVTLOG_SOURCE_KINDS] = {
		[EVTLOG_SOURCE_NMI] = "NMI",
		[EVTLOG_SOURCE_ENTRY] = "kernel entry and exit",
		[EVTLOG_SOURCE_IDLE] = "idle",
		[EVTLOG_SOURCE_CROSSING] = "crossing",
		[EVTLOG_SOURCE_SMT] = "core's other thread",
		[EVTLOG_SOURCE_HARDWARE] = "hypervisor or hardware",
		[EVTLOG_SOURCE_STOLEN] = "stolen by the hypervisor",
	};
	uint32_t number = source->number;

	source->family = EVTLOG_FAMILY_INTERRUPT;
	switch (source->kind) {
	case EVTLOG_SOURCE_IRQ:
		name_irq(jitter, number, source->name);
		return;
	case EVTLOG_SOURCE_SOFTIRQ:
		name_softirq(jitter, number, source->name);
		return;
	case EVTLOG_SOURCE_VECTOR:
		name_vector(source, number);
		return;
	case EVTLOG_SOURCE_EXCEPTION:
		name_exception(number, source->name);
		return;
	case EVTLOG_SOURCE_IDLE:
		source->family = EVTLOG_FAMILY_KERNEL;
		if (!evtlog_tree_pid(jitter->file))
			break;
		/* In a log of one tree, pid 0 is any task outside of the tree. */
		source->family = EVTLOG_FAMILY_USER;
		strcpy(source->name, "outside the tree");
		return;
	case EVTLOG_SOURCE_SMT:
		source->family = EVTLOG_FAMILY_SMT;
		source->inferred = true;
		break;
	case EVTLOG_SOURCE_CROSSING:
	case EVTLOG_SOURCE_STOLEN:
	case EVTLOG_SOURCE_HARDWARE:
		source->family = EVTLOG_FAMILY_HARDWARE;
		source->inferred = true;
		if (source->kind != EVTLOG_SOURCE_HARDWARE || number != JITTER_OR_SMT)
			break;
		strcpy(source->name, "hypervisor, hardware or core's other thread");
		return;
	default:
		break;
	}
	snprintf(source->name, EVTLOG_SOURCE_NAME, "%s", fixed[source->kind]);
}

int jitter_source(struct evtlog_jitter *jitter, enum evtlog_jitter_kind kind,
		  uint32_t number, uint32_t *sourcep)
{
	struct jitter_sources *sources = &jitter->sources;
	struct jitter_known *known = &sources->known[(kind * 37 + number) % JITTER_KNOWN];
	struct evtlog_jitter_source source = { .kind = kind, .number = number };
	int error;

	if (known->used && known->kind == kind && known->number == number) {
		*sourcep = known->source;
		return 0;
	}
	describe(jitter, &source);
	error = intern(sources, &source, sourcep);
	if (!error)
		*known = (struct jitter_known) { *sourcep, number, kind, true };
	return error;
}

/* Kernel threads of one kind are one source: "kworker/0:1" is a kworker. */
static void cut_name(char *name)
{
	size_t length = strcspn(name, "/:");

	if (length)
		name[length] = '\0';
}

int jitter_task_source(struct evtlog_jitter *jitter, uint32_t pid,
		       const struct evtlog_task *task, uint32_t *sourcep)
{
	struct evtlog_jitter_source source = {
		.kind = EVTLOG_SOURCE_TASK,
		.number = pid,
		.family = task && task->flags & EVTLOG_TASK_KTHREAD ?
			  EVTLOG_FAMILY_KERNEL : EVTLOG_FAMILY_USER,
	};
	char name[EVTLOG_COMM_LEN + 1] = "";

	if (task)
		memcpy(name, task->comm, EVTLOG_COMM_LEN);
	if (!name[0])
		snprintf(source.name, sizeof(source.name), "pid %u", pid);
	else if (jitter->options.by_task)
		snprintf(source.name, sizeof(source.name), "%s-%u", name, pid);
	else {
		if (source.family == EVTLOG_FAMILY_KERNEL)
			cut_name(name);
		snprintf(source.name, sizeof(source.name), "%s", name);
	}
	return intern(&jitter->sources, &source, sourcep);
}

void jitter_sources_free(struct jitter_sources *sources)
{
	free(sources->at);
	key_table_free(&sources->by_hash);
}

/* ---- Sums of parts ---- */

void jitter_count(struct evtlog_jitter_source *source, uint64_t ticks)
{
	double before, after;

	before = source->count ? (double)source->total_ticks / source->count : 0;
	if (!source->count || ticks < source->min_ticks)
		source->min_ticks = ticks;
	if (ticks > source->max_ticks)
		source->max_ticks = ticks;
	source->count++;
	source->total_ticks += ticks;
	after = (double)source->total_ticks / source->count;
	source->sum_squares += ((double)ticks - before) * ((double)ticks - after);
}

static void count_thread(struct evtlog_jitter *jitter,
			 const struct evtlog_jitter_thread *thread)
{
	for (uint32_t i = 0; i < thread->interruptions; i++) {
		const struct evtlog_interruption *interruption =
			&jitter->interruptions[thread->first_interruption + i];

		if (interruption->flags & EVTLOG_JITTER_EXCLUDED)
			continue;
		for (uint32_t k = 0; k < interruption->parts; k++) {
			const struct evtlog_jitter_part *part =
				&jitter->parts[interruption->first_part + k];

			jitter_count(&jitter->sources.at[part->source], part->own_ticks);
		}
	}
}

int jitter_statistics(struct evtlog_jitter *jitter)
{
	for (size_t i = 0; i < jitter->track_count; i++)
		count_thread(jitter, &jitter->threads[i]);
	for (size_t i = 0; i < jitter->sources.count; i++) {
		struct evtlog_jitter_source *source = &jitter->sources.at[i];

		if (source->kind == EVTLOG_SOURCE_TASK)
			continue;
		source->activations = source->count;
		source->activation_min = source->min_ticks;
		source->activation_max = source->max_ticks;
	}
	return jitter_activations(jitter);
}

/* ---- Order ---- */

int jitter_sort_sources(struct evtlog_jitter *jitter)
{
	struct jitter_sources *sources = &jitter->sources;
	struct jitter_rank *ranks = calloc(sources->count + 1, sizeof(*ranks));
	uint32_t *moved = calloc(sources->count + 1, sizeof(*moved));
	struct evtlog_jitter_source *sorted = calloc(sources->count + 1, sizeof(*sorted));
	size_t kept = 0;
	int error = -ENOMEM;

	if (!ranks || !moved || !sorted)
		goto out;
	for (size_t i = 0; i < sources->count; i++)
		ranks[i] = (struct jitter_rank) { sources->at[i].total_ticks, i };
	jitter_ranks_sort(ranks, sources->count);
	for (size_t i = 0; i < sources->count; i++) {
		uint32_t number = ranks[i].number;

		/* Sources that are only in excluded interruptions are dropped. */
		moved[number] = EVTLOG_JITTER_NONE;
		if (!sources->at[number].count)
			continue;
		moved[number] = kept;
		sorted[kept++] = sources->at[number];
	}
	for (size_t i = 0; i < jitter->part_count; i++)
		jitter->parts[i].source = moved[jitter->parts[i].source];
	for (size_t i = 0; i < jitter->sample_count; i++)
		if (jitter->samples[i].inferred_source != EVTLOG_JITTER_NONE)
			jitter->samples[i].inferred_source =
				moved[jitter->samples[i].inferred_source];
	free(sources->at);
	sources->at = sorted;
	sources->count = kept;
	sorted = NULL;
	error = 0;
out:
	free(sorted);
	free(moved);
	free(ranks);
	return error;
}
