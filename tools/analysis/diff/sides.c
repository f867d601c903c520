// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the intervals of two sets of logs.
 *
 * A log is read twice, as the last name of a task is known only at its end.  Memory grows with the
 * number of threads of one log, and of sources.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "input/open-log.h"
#include "lib/base/array.h"
#include "lib/base/key-table.h"
#include "query/logs.h"
#include "sides.h"

#define EVENTS_AT_ONCE	4096
#define BIT(NAME)	(UINT32_C(1) << TABLE_##NAME)
#define INTERVALS	(BIT(SCHED_SLICE) | BIT(IRQ_SLICE) | BIT(SOFTIRQ_SLICE) | BIT(VECTOR_SLICE))

enum { SLICE_TS, SLICE_DUR, SLICE_CPU, SLICE_UTID, SLICE_END, SLICE_WAIT = 6, SLICE_SLEEP,
       SLICE_PRIOR, SLICE_CUT = 12 };
enum { NESTED_TS, NESTED_DUR, NESTED_CPU, NESTED_NUMBER, NESTED_NAME, NESTED_DEPTH = 6 };
enum { THREAD_UTID, THREAD_NAME = 2, THREAD_KERNEL = 8 };

/* Kinds of sources, in the keys of @rows */
enum kind { RUNS, READY, BLOCKED, IRQ, SOFTIRQ, VECTOR, SWITCHES, KINDS };

/* @name: id in the dictionary, or -1 */
struct thread {
	int64_t name;
	bool is_kernel;
};

/*
 * A log that is read.
 * @begin_ns:	of the log; intervals that end after @end_ns are left out
 * @threads:	found by @by_utid
 * @rows:	by kind and thread, number or state: index of a source
 */
struct reading {
	struct compared *compared;
	unsigned int side;
	struct query_logs *logs;
	int64_t begin_ns;
	int64_t end_ns;
	struct thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	struct key_table by_utid;
	struct key_table rows;
};

/* ---- Sources ---- */

static int put_text(char *to, size_t bytes, const struct reading *reading, int64_t id)
{
	struct dictionary_text text = { "?", 1 };

	if (id >= 0)
		text = dictionary_text(&reading->logs->dictionary, id);
	return snprintf(to, bytes, "%.*s", (int)text.length, text.bytes);
}

static void name_task(struct evtlog_jitter_source *source, const struct reading *reading,
		      enum kind kind, int64_t utid, int64_t state)
{
	uint32_t number = key_table_find(&reading->by_utid, utid);
	const struct thread *thread = number == KEY_NONE ? NULL : &reading->threads[number];
	size_t at = put_text(source->name, sizeof(source->name) / 2, reading,
			     thread ? thread->name : -1);
	char letter[8];

	source->kind = EVTLOG_SOURCE_TASK;
	source->family = thread && thread->is_kernel ? EVTLOG_FAMILY_KERNEL : EVTLOG_FAMILY_USER;
	if (at >= sizeof(source->name) / 2)
		at = sizeof(source->name) / 2 - 1;
	if (kind == READY)
		strcpy(source->name + at, ": ready");
	if (kind != BLOCKED)
		return;
	put_text(letter, sizeof(letter), reading, state);
	snprintf(source->name + at, sizeof(source->name) - at, ": blocked %s", letter);
}

static void name_interrupt(struct evtlog_jitter_source *source, const struct reading *reading,
			   enum kind kind, int64_t number, int64_t name)
{
	static const char *const words[KINDS] = {
		[IRQ] = "irq", [SOFTIRQ] = "softirq", [VECTOR] = "vector",
	};
	char text[EVTLOG_SOURCE_NAME / 2] = "";

	source->family = EVTLOG_FAMILY_INTERRUPT;
	source->kind = kind == IRQ ? EVTLOG_SOURCE_IRQ : kind == SOFTIRQ ? EVTLOG_SOURCE_SOFTIRQ :
		       EVTLOG_SOURCE_VECTOR;
	if (name >= 0)
		put_text(text, sizeof(text), reading, name);
	if (kind == IRQ || name < 0)
		snprintf(source->name, sizeof(source->name), "%s %d%s%s", words[kind], (int)number,
			 *text ? " " : "", text);
	else
		snprintf(source->name, sizeof(source->name), "%s %s", words[kind], text);
}

static uint64_t key_of(enum kind kind, int64_t which, int64_t state)
{
	const int64_t key[] = { kind, which, state };

	return key_table_hash(key, sizeof(key));
}

/*
 * Adds an interval of the source @kind, @which: a thread or a number.
 * @text: state of a blocked thread, or name of an interrupt
 */
static int add(struct reading *reading, enum kind kind, int64_t which, int64_t text, int64_t ts,
	       int64_t dur)
{
	struct compared *compared = reading->compared;
	uint64_t key = key_of(kind, which, kind == BLOCKED ? text : 0);
	uint32_t number = key_table_find(&reading->rows, key);

	if (ts < reading->begin_ns || ts + dur > reading->end_ns)
		return 0;
	if (number == KEY_NONE) {
		struct evtlog_jitter_source source = { .name = "switches" };
		struct compared_source *row;

		if (kind < IRQ)
			name_task(&source, reading, kind, which, text);
		else if (kind < SWITCHES)
			name_interrupt(&source, reading, kind, which, text);
		row = compared_source(compared, &source);
		if (!row || (!row->side[0].blocks.count && compared_open_source(compared, row)))
			return -ENOMEM;
		number = row - compared->sources;
		if (key_table_add(&reading->rows, key, number))
			return -ENOMEM;
	}
	compared_add(&compared->sources[number], reading->side, ts - reading->begin_ns, dur);
	return 0;
}

/* ---- Rows ---- */

static int take_slice(struct reading *reading, const int64_t *values, uint32_t nulls)
{
	int64_t ts = values[SLICE_TS], dur = values[SLICE_DUR], utid = values[SLICE_UTID];
	int64_t wait = nulls >> SLICE_WAIT & 1 ? 0 : values[SLICE_WAIT];
	int error = 0;

	if (!(nulls >> SLICE_END & 1))
		error = add(reading, SWITCHES, 0, 0, ts + dur, 0);
	if (!utid || error)
		return error;
	if (!values[SLICE_CUT])
		error = add(reading, RUNS, utid, 0, ts, dur);
	if (!error && !(nulls >> SLICE_WAIT & 1))
		error = add(reading, READY, utid, 0, ts - wait, wait);
	if (!error && !(nulls >> SLICE_SLEEP & 1))
		error = add(reading, BLOCKED, utid, values[SLICE_PRIOR],
			    ts - wait - values[SLICE_SLEEP], values[SLICE_SLEEP]);
	return error;
}

static int take_nested(struct reading *reading, enum kind kind, const int64_t *values,
		       uint32_t nulls)
{
	/* A row of irq_slice has one column more; the column cut follows depth. */
	unsigned int cut = NESTED_DEPTH + (kind == IRQ) + 1;

	if (values[cut] || nulls >> NESTED_NUMBER & 1)
		return 0;
	return add(reading, kind, values[NESTED_NUMBER],
		   nulls >> NESTED_NAME & 1 ? -1 : values[NESTED_NAME], values[NESTED_TS],
		   values[NESTED_DUR]);
}

static int take_thread(struct reading *reading, const int64_t *values, uint32_t nulls)
{
	struct dictionary *dictionary = &reading->logs->dictionary;
	struct thread thread = { .name = -1 };

	if (!(nulls >> THREAD_NAME & 1)) {
		struct dictionary_text once = dictionary_text(dictionary, values[THREAD_NAME]);

		thread.name = dictionary_add(dictionary, once.bytes, once.length);
		if (thread.name < 0)
			return thread.name;
	}
	thread.is_kernel = !(nulls >> THREAD_KERNEL & 1) && values[THREAD_KERNEL];
	if (array_reserve(&reading->threads, &reading->thread_capacity, reading->thread_count,
			  sizeof(*reading->threads)) ||
	    key_table_add(&reading->by_utid, values[THREAD_UTID], reading->thread_count))
		return -ENOMEM;
	reading->threads[reading->thread_count++] = thread;
	return 0;
}

static int take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	struct reading *reading = context;

	switch (table) {
	case TABLE_THREAD:
		return take_thread(reading, values, nulls);
	case TABLE_SCHED_SLICE:
		return take_slice(reading, values, nulls);
	case TABLE_IRQ_SLICE:
		return take_nested(reading, IRQ, values, nulls);
	case TABLE_SOFTIRQ_SLICE:
		return take_nested(reading, SOFTIRQ, values, nulls);
	default:
		return take_nested(reading, VECTOR, values, nulls);
	}
}

static int read_tables(struct reading *reading, uint32_t wanted)
{
	struct tables_numbers numbers;
	struct progress progress;
	struct tables *tables;
	int result = query_logs_read(reading->logs, 0, QUERY_ALL, wanted, &numbers, NULL, take_row,
				     reading, &tables);

	progress_begin(&progress, "diff", result ? 0 : tables_bytes(tables));
	if (!result)
		result = 1;
	while (result > 0) {
		result = tables_next(tables, EVENTS_AT_ONCE);
		progress_update(&progress, tables_position(tables));
	}
	progress_end(&progress);
	tables_free(tables);
	return result;
}

/* ---- Logs ---- */

static int read_log(struct compared *compared, unsigned int side, char *path)
{
	const struct query_manner manner = { 0 };
	struct reading reading = { .compared = compared, .side = side };
	int error, status = query_logs_open(&reading.logs, &path, 1, &manner);

	if (status == EXIT_OK) {
		reading.begin_ns = evtlog_begin_ns(reading.logs->set.files[0].file);
		reading.end_ns = reading.begin_ns + (int64_t)compared->window_ns[side];
		error = read_tables(&reading, BIT(THREAD));
		if (!error)
			error = read_tables(&reading, INTERVALS);
		if (error) {
			pr_err("%s: %s", path, strerror(-error));
			status = EXIT_FAILED;
		} else {
			status = query_logs_verdict(reading.logs);
		}
	}
	query_logs_close(reading.logs);
	free(reading.threads);
	key_table_free(&reading.by_utid);
	key_table_free(&reading.rows);
	return status;
}

/* The window of a side is that of its shortest log. */
static int measure(struct compared *compared, unsigned int number, struct side *side)
{
	double window_ns = HUGE_VAL;

	for (size_t i = 0; i < side->count; i++) {
		struct evtlog_file *file = log_open(side->paths[i]);

		if (!file)
			return EXIT_FAILED;
		window_ns = fmin(window_ns,
				 (double)evtlog_end_ns(file) - (double)evtlog_begin_ns(file));
		side->cpus += evtlog_cpu_count(file);
		evtlog_close(file);
	}
	if (!(window_ns > 0)) {
		pr_err("%s: no time is in the log, so that nothing can be compared; record for longer",
		       side->paths[0]);
		return EXIT_FAILED;
	}
	compared->window_ns[number] = window_ns;
	compared->cpus[number] = side->cpus;
	compared->cpu_s[number] = side->cpus * window_ns / 1e9;
	return EXIT_OK;
}

int sides_read(struct compared *compared, struct side sides[2], unsigned int blocks,
	       size_t *left_out)
{
	int status = EXIT_OK, lossy = EXIT_OK;

	for (unsigned int i = 0; i < 2 && status == EXIT_OK; i++)
		status = measure(compared, i, &sides[i]);
	if (status != EXIT_OK)
		return status;
	compared_cut(compared, blocks);
	for (unsigned int i = 0; i < 2; i++) {
		for (size_t k = 0; k < sides[i].count; k++) {
			status = read_log(compared, i, sides[i].paths[k]);
			if (status == EXIT_EVENTS_LOST)
				lossy = status;
			else if (status != EXIT_OK)
				return status;
		}
	}
	*left_out = compared->count > SOURCES_MAX ? compared->count - SOURCES_MAX : 0;
	compared_keep(compared, SOURCES_MAX);
	return lossy;
}
