// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parts of a log in memory, for the critical path.
 *
 * The path goes backwards, logs are read forwards.  A part begins at a checkpoint of the log's
 * index and ends where the path is; without an index the log is read from its start, and only the
 * last rows are kept.
 */
#include <errno.h>
#include <stdlib.h>

#include "critical.h"
#include "lib/base/array.h"

#define BIT(NAME)	(UINT32_C(1) << TABLE_##NAME)
#define WANTED	(BIT(SCHED_SLICE) | BIT(IRQ_SLICE) | BIT(SOFTIRQ_SLICE) | BIT(VECTOR_SLICE) | \
		 BIT(THREAD) | BIT(THREAD_NAME))

/* Limit of rows: about 40 MB */
#define ROWS_MAX	(1u << 18)

enum { SLICE_TS, SLICE_DUR, SLICE_UTID = 3, SLICE_WAIT = 6 };

struct loading {
	struct part *part;
	struct query_logs *logs;
	size_t log;
	int64_t ready;
};

/* Rows come in the order of their ends: the first half is no longer needed. */
static void forget_half(struct part *part)
{
	size_t half = part->slice_count / 2, slices = 0, nested = 0;
	int64_t end = part->slice_count > part->nested_count ? part->slices[half].end :
		      part->nested[part->nested_count / 2].end;

	for (size_t i = 0; i < part->slice_count; i++)
		if (part->slices[i].end > end)
			part->slices[slices++] = part->slices[i];
	for (size_t i = 0; i < part->nested_count; i++)
		if (part->nested[i].end > end)
			part->nested[nested++] = part->nested[i];
	part->slice_count = slices;
	part->nested_count = nested;
	part->from = end + 1;
}

static int take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	const struct loading *loading = context;
	struct dictionary *dictionary = &loading->logs->dictionary;
	struct part *part = loading->part;

	if (table == TABLE_THREAD_NAME)
		return why_threads_take_name(&part->threads, loading->log, dictionary, values);
	if (table == TABLE_THREAD)
		return why_threads_take_row(&part->threads, loading->log, dictionary, values,
					    nulls);
	if (part->slice_count + part->nested_count == ROWS_MAX)
		forget_half(part);
	if (table != TABLE_SCHED_SLICE) {
		if (array_reserve(&part->nested, &part->nested_capacity, part->nested_count,
				  sizeof(*part->nested)))
			return -ENOMEM;
		part->nested[part->nested_count++] = why_nested_of(table, values, nulls);
		return 0;
	}
	if (values[SLICE_UTID] == UTID_IDLE)
		return 0;
	if (array_reserve(&part->slices, &part->slice_capacity, part->slice_count,
			  sizeof(*part->slices)))
		return -ENOMEM;
	part->slices[part->slice_count++] = (struct part_slice) {
		.begin = values[SLICE_TS],
		.end = values[SLICE_TS] + values[SLICE_DUR],
		.has_wait = !(nulls >> SLICE_WAIT & 1),
		.wait = why_wait_of_slice(loading->log, loading->ready, values, nulls),
	};
	return 0;
}

static int compare_slices(const void *x, const void *y)
{
	const struct part_slice *a = x, *b = y;

	if (a->wait.utid != b->wait.utid)
		return a->wait.utid < b->wait.utid ? -1 : 1;
	return (a->begin > b->begin) - (a->begin < b->begin);
}

static int compare_nested(const void *x, const void *y)
{
	const struct why_nested *a = x, *b = y;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->level > b->level) - (a->level < b->level);
}

int part_reach(struct part *part, struct query_logs *logs, size_t log, int64_t at)
{
	const struct query_part reading = { at, at, INT64_MAX };
	struct loading loading = {
		.part = part, .logs = logs, .log = log,
		.ready = dictionary_add_text(&logs->dictionary, "R"),
	};
	int64_t first;
	int error;

	if (part->loaded && at >= part->from && at <= part->to)
		return 0;
	if (loading.ready < 0)
		return loading.ready;
	why_threads_free(&part->threads);
	part->threads = (struct threads) { 0 };
	part->slice_count = part->nested_count = 0;
	part->from = INT64_MIN;
	part->to = at;
	error = why_read(logs, log, reading, WANTED, take_row, &loading, &first);
	if (error)
		return error;
	/* Rows that end before the first event are missing. */
	if (part->from < first)
		part->from = first < at ? first : at;
	if (part->slice_count)
		qsort(part->slices, part->slice_count, sizeof(*part->slices), compare_slices);
	if (part->nested_count)
		qsort(part->nested, part->nested_count, sizeof(*part->nested), compare_nested);
	part->loaded = true;
	return 0;
}

void part_free(struct part *part)
{
	why_threads_free(&part->threads);
	free(part->slices);
	free(part->nested);
}

const struct part_slice *part_slice(const struct part *part, int64_t utid, int64_t at,
				    bool strictly)
{
	const struct part_slice wanted = { .begin = strictly ? at : at + 1, .wait.utid = utid };
	size_t low = 0, high = part->slice_count;
	const struct part_slice *slice;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_slices(&part->slices[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	slice = low ? &part->slices[low - 1] : NULL;
	return slice && slice->wait.utid == utid && slice->end >= at ? slice : NULL;
}

const struct part_slice *part_runs(const struct part *part, uint32_t pid, int64_t cpu, int64_t at)
{
	for (size_t i = 0; i < part->threads.count; i++) {
		const struct thread *thread = &part->threads.at[i];
		const struct part_slice *slice;

		if (!thread->listed || thread->pid != pid)
			continue;
		slice = part_slice(part, thread->utid, at, false);
		if (slice && slice->wait.cpu == cpu)
			return slice;
	}
	return NULL;
}

bool part_context(const struct part *part, struct why_wake *wake)
{
	const struct why_nested wanted = { .cpu = wake->cpu, .begin = wake->time + 1 };
	size_t low = 0, high = part->nested_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_nested(&part->nested[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	wake->level = wake->touching = 0;
	wake->number = wake->name = -1;
	while (low--) {
		const struct why_nested *nested = &part->nested[low];

		if (nested->cpu != wake->cpu)
			break;
		why_wake_see(wake, nested);
		/* What is before the outermost one ended before it began. */
		if (nested->level == 1 && nested->begin < wake->time)
			break;
	}
	why_wake_settle(wake);
	return wake->level || wake->touching;
}
