// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches: reads the records of all CPUs, in time order.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "clock.h"
#include "named/named.h"
#include "run.h"
#include "watch/source.h"

LIST_HEAD(watch_sources);

static const struct evtlog_ring *ring_of(const struct watch_source *source, unsigned int cpu)
{
	if (!*source->name)
		return per_cpu_ptr(&evtlog_ring, cpu);
	return source->named ? &per_cpu_ptr(source->named->cpus, cpu)->ring : NULL;
}

/* Between runs nothing is written, so no CPU needs to be interrupted. */
static bool is_written(const struct watch_source *source)
{
	return source->named || READ_ONCE(evtlog_run.recording) || READ_ONCE(evtlog_run.stopping);
}

static void free_source(struct watch_source *source)
{
	unsigned int cpu;

	if (source->cursors) {
		for_each_possible_cpu(cpu)
			kvfree(per_cpu_ptr(source->cursors, cpu)->stage);
	}
	free_percpu(source->cursors);
	kfree(source);
}

static struct watch_source *make(const char *name, bool needs_global)
{
	struct watch_source *source = kzalloc(sizeof(*source), GFP_KERNEL);
	unsigned int cpu;

	if (!source)
		return NULL;
	strscpy(source->name, name, sizeof(source->name));
	source->needs_global = needs_global;
	source->cursors = alloc_percpu(struct watch_cursor);
	if (!source->cursors) {
		free_source(source);
		return NULL;
	}
	for_each_possible_cpu(cpu) {
		struct watch_cursor *c = per_cpu_ptr(source->cursors, cpu);

		c->pid = U32_MAX;
		c->stage = kvmalloc_node(WATCH_STAGE_BYTES + WATCH_STAGE_SLACK, GFP_KERNEL,
					 cpu_to_node(cpu));
		if (!c->stage) {
			free_source(source);
			return NULL;
		}
	}
	list_add_tail(&source->list, &watch_sources);
	return source;
}

/**
 * watch_source_get() - get the rings for a rule
 * @name:	of a named buffer; empty: the rings of runs
 * @needs_global: a named buffer with a ring for each CPU is not accepted
 *
 * Context: task context, the rules' lock is held.
 * Return: the source, for watch_source_put(); NULL: no memory.
 */
struct watch_source *watch_source_get(const char *name, bool needs_global)
{
	struct watch_source *source;

	list_for_each_entry(source, &watch_sources, list) {
		if (!strcmp(source->name, name) && source->needs_global == needs_global) {
			source->users++;
			return source;
		}
	}
	source = make(name, needs_global);
	if (source)
		source->users = 1;
	return source;
}

/**
 * watch_source_put() - release the rings of a rule
 * @source:	from watch_source_get(); the rules' lock is held
 */
void watch_source_put(struct watch_source *source)
{
	if (--source->users)
		return;
	list_del(&source->list);
	free_source(source);
}

/* Longer than a record takes that is being written while its CPU is not interrupted, ms */
#define UNDER_WAY_MS	1

/* A CPU without new records is not interrupted: it may be isolated, or just compute. */
static bool is_behind(int cpu, void *data)
{
	struct watch_source *source = data;

	if (watch_cursor_is_behind(per_cpu_ptr(source->cursors, cpu), ring_of(source, cpu)))
		return true;
	source->asked_all = false;
	return false;
}

/* Runs on each CPU, in an interrupt or with interrupts off. */
static void place_here(void *data)
{
	struct watch_source *source = data;
	unsigned int cpu = smp_processor_id();

	watch_cursor_place(per_cpu_ptr(source->cursors, cpu), ring_of(source, cpu), true);
}

/* A new number is another named buffer; after its end, its data is for its reader. */
static void find_named(struct watch_source *source)
{
	struct evtlog_named *n = *source->name ? evtlog_named_find(source->name) : NULL;
	unsigned int cpu;

	if (n && (n->has_ended || (source->needs_global && !n->shared)))
		n = NULL;
	source->named = n;
	if (!n || n->serial == source->serial)
		return;
	if (source->serial)
		source->has_gap = true;
	source->serial = n->serial;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(source->cursors, cpu)->placed = false;
}

/* A ring of all CPUs: while its lock is held, no CPU has an incomplete record there. */
static void place_global(struct watch_source *source)
{
	const struct evtlog_named_cpu *shared = source->named->shared;
	unsigned long flags = evtlog_named_global_hold(source->named);

	source->horizon = max(evtlog_ticks64(), source->named->last_ticks + 1);
	watch_cursor_place(per_cpu_ptr(source->cursors, shared->cpu), &shared->ring, true);
	evtlog_named_global_release(source->named, flags);
}

/**
 * watch_source_place() - read how far the rings are written
 *
 * Context: task context; the locks of CPU hotplug, named buffers and runs are held.
 */
void watch_source_place(struct watch_source *source)
{
	bool asks;
	unsigned int cpu;

	find_named(source);
	if (!ring_of(source, 0))
		return;
	if (source->named && source->named->shared) {
		place_global(source);
		return;
	}
	asks = is_written(source);
	source->horizon = evtlog_ticks64();
	source->asked_all = true;
	if (asks)
		on_each_cpu_cond_mask(is_behind, place_here, source, true, cpu_online_mask);
	if (!source->asked_all)
		source->horizon = max(source->passed, source->horizon -
				      evtlog_ticks_hz() / MSEC_PER_SEC * UNDER_WAY_MS);
	for_each_possible_cpu(cpu) {
		struct watch_cursor *c = per_cpu_ptr(source->cursors, cpu);

		if (!asks || !cpu_online(cpu))
			watch_cursor_place(c, ring_of(source, cpu), false);
	}
}

static u64 count_gaps(const struct watch_cursor *c)
{
	return c->missed + c->lost;
}

/**
 * watch_source_next() - return the next record of all CPUs
 * @source:	placed; the same locks have been held since
 *
 * Return: the record, valid until the next call; NULL: there is none before the horizon.
 */
const struct watch_record *watch_source_next(struct watch_source *source)
{
	struct watch_cursor *first = NULL;
	unsigned int cpu;

	if (!ring_of(source, 0))
		return NULL;
	for_each_possible_cpu(cpu) {
		struct watch_cursor *c = per_cpu_ptr(source->cursors, cpu);
		u64 gaps = count_gaps(c);

		/* The record is too old: it took too long to write. */
		if (!c->has && watch_cursor_next(c, ring_of(source, cpu), source->wanted) &&
		    c->rec.ticks < source->passed)
			source->has_gap = true;
		if (count_gaps(c) != gaps)
			source->has_gap = true;
		if (c->has && (!first || c->rec.ticks < first->rec.ticks))
			first = c;
	}
	if (!first || first->rec.ticks >= source->horizon) {
		source->passed = source->horizon;
		return NULL;
	}
	source->passed = first->rec.ticks;
	first->has = false;
	return &first->rec;
}

/**
 * watch_source_sums() - return what rules did not see
 * @missed:	buffers that were overwritten before they were read
 * @lost:	records that the rings lost
 */
void watch_source_sums(const struct watch_source *source, u64 *missed, u64 *lost)
{
	unsigned int cpu;

	*missed = *lost = 0;
	for_each_possible_cpu(cpu) {
		const struct watch_cursor *c = per_cpu_ptr(source->cursors, cpu);

		*missed += c->missed;
		*lost += c->lost;
	}
}
