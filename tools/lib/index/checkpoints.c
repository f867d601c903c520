// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Makes checkpoints of tables: the state of a log's CPUs and tasks at intervals.
 *
 * build.c calls it; checkpoint.c reads checkpoints.  A checkpoint is kept only if streams that are
 * opened at its time have the same state as the streams that were read from the start.
 */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "file.h"
#include "lib/base/array.h"
#include "lib/stream/lanes.h"
#include "lib/stream/stream.h"
#include "lib/tables/tables.h"

#define EVENTS_AT_ONCE	4096
/* Maximum number of events at one time, rarely exceeded */
#define TRIES		64

static int no_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	(void)context;
	(void)table;
	(void)values;
	(void)nulls;
	return 0;
}

/* ---- Comparison with streams that are opened at the time ---- */

static bool same_places(const struct evtlog_stream *a, const struct evtlog_stream *b)
{
	struct context_stack of_a = { .depth = 0 }, of_b = { .depth = 0 };

	stream_places(a, &of_a);
	stream_places(b, &of_b);
	if (of_a.depth != of_b.depth)
		return false;
	for (unsigned int i = 1; i <= of_a.depth; i++)
		if (of_a.at[i].kind != of_b.at[i].kind || of_a.at[i].number != of_b.at[i].number)
			return false;
	return true;
}

static bool same_event(const struct evtlog_event *a, const struct evtlog_event *b)
{
	return a->kind == b->kind && a->known == b->known && a->time_ns == b->time_ns &&
	       a->ticks == b->ticks && a->context == b->context &&
	       a->context_number == b->context_number;
}

static bool same_lane(const struct lane *lane, const struct lanes *others)
{
	for (unsigned int i = 0; i < others->count; i++)
		if (others->heap[i].slot == lane->slot)
			return same_event(lane->event, others->heap[i].event) &&
			       same_places(lane->stream, others->heap[i].stream);
	return false;
}

static int is_same(struct evtlog_file *file, const struct lanes *lanes, uint64_t time_ns)
{
	const struct evtlog_event *event;
	struct lanes anew = { 0 };
	int result = lanes_open(&anew, file, time_ns - 1);

	if (!result)
		do
			result = lanes_next(&anew, &event);
		while (result > 0 && event->time_ns < time_ns);
	if (result > 0)
		result = anew.count == lanes->count;
	for (unsigned int i = 0; result > 0 && i < lanes->count; i++)
		result = same_lane(&lanes->heap[i], &anew);
	lanes_close(&anew);
	return result;
}

/* ---- The whole log ---- */

struct making {
	struct evtlog_file *file;
	struct tables *tables;
	const struct index_checkpoints_step *step;
	struct index_checkpoints *checkpoints;
	int (*sink)(void *arg, uint64_t *offset, const void *bytes, size_t length);
	void *arg;
};

static int keep(const struct making *making, const struct tables_checkpoint *made)
{
	struct index_checkpoints *checkpoints = making->checkpoints;
	struct index_checkpoint *at;

	if (array_reserve(&checkpoints->at, &checkpoints->capacity, checkpoints->count, sizeof(*at)))
		return -ENOMEM;
	at = &checkpoints->at[checkpoints->count];
	*at = (struct index_checkpoint) {
		.length = made->length,
		.time_ns = made->time_ns,
		.event = made->event,
		.crc32 = crc32_z(0, made->bytes, made->length),
	};
	checkpoints->count++;
	return making->sink(making->arg, &at->offset, made->bytes, made->length);
}

/* Returns 1 if a checkpoint was made or the log ends, 0 if none is possible here, or -errno. */
static int make(const struct making *making)
{
	struct tables_checkpoint made;
	int result = 0;

	for (unsigned int i = 0; !result && i < TRIES; i++) {
		result = tables_save(making->tables, &made);
		if (!result && tables_next(making->tables, 1) <= 0)
			return 1;
	}
	if (result <= 0)
		return result;
	result = is_same(making->file, tables_lanes(making->tables), made.time_ns);
	if (result > 0) {
		result = keep(making, &made);
		result = result ? result : 1;
	}
	free(made.bytes);
	return result;
}

static bool is_time(const struct making *making, uint64_t events, uint64_t bytes)
{
	const struct index_checkpoints *checkpoints = making->checkpoints;
	uint64_t last = checkpoints->count ? checkpoints->at[checkpoints->count - 1].length : 0;

	return events >= making->step->events && bytes >= making->step->share * last;
}

static int read_all(const struct making *making, int (*progress)(void *arg, uint64_t bytes))
{
	unsigned int at_once = making->step->events < EVENTS_AT_ONCE ? making->step->events :
								       EVENTS_AT_ONCE;
	uint64_t events = 0, done = 0, from = 0;
	int result;

	while ((result = tables_next(making->tables, at_once)) > 0) {
		uint64_t position = tables_position(making->tables);

		result = progress(making->arg, position - done);
		if (result)
			return result;
		done = position;
		events += at_once;
		if (!is_time(making, events, position - from))
			continue;
		result = make(making);
		if (result < 0)
			return result;
		if (result) {
			events = 0;
			from = position;
		}
	}
	return result;
}

int index_checkpoints_make(struct evtlog_file *file, const struct index_checkpoints_step *step,
			   struct index_checkpoints *checkpoints,
			   int (*sink)(void *arg, uint64_t *offset, const void *bytes,
				       size_t length),
			   int (*progress)(void *arg, uint64_t bytes), void *arg)
{
	struct making making = {
		.file = file, .step = step, .checkpoints = checkpoints, .sink = sink, .arg = arg,
	};
	struct tables_numbers numbers = { 0 };
	struct dictionary dictionary = { 0 };
	int error = tables_new(&(struct tables_options) {
		.file = file,
		.host = "",
		.to_ns = UINT64_MAX,
		/* Makes the tables follow how threads get their slices. */
		.wanted = UINT32_C(1) << TABLE_SCHED_SLICE,
		.dictionary = &dictionary,
		.numbers = &numbers,
		.row = no_row,
	}, &making.tables);

	if (!error)
		error = read_all(&making, progress);
	tables_free(making.tables);
	dictionary_free(&dictionary);
	return error;
}
