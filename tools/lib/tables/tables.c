// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads the events of a log once and passes them to the other files of the tables.
 *
 * Exports, the Arrow stream and queries call it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- Rows ---- */

void tables_put(struct tables *tables, enum table_number table, const int64_t *values,
		uint32_t nulls)
{
	int result;

	if (tables->error)
		return;
	result = tables->options.row(tables->options.context, table, values, nulls);
	if (result)
		tables->error = result;
}

void tables_put_sourced(struct tables *tables, enum table_number table, const int64_t *values,
			uint32_t nulls)
{
	tables_put(tables, table, values,
		   nulls | tables->source_nulls << (tables_list[table].column_count - 3));
}

static int64_t text_id(struct tables *tables, int64_t id)
{
	if (id >= 0)
		return id;
	if (!tables->error)
		tables->error = id;
	return TEXT_NONE;
}

int64_t tables_text(struct tables *tables, const char *text)
{
	return text ? text_id(tables, dictionary_add_text(tables->options.dictionary, text)) :
		      TEXT_NONE;
}

int64_t tables_text_of(struct tables *tables, const char *bytes, size_t length)
{
	return text_id(tables, dictionary_add(tables->options.dictionary, bytes, length));
}

int64_t tables_text_once(struct tables *tables, const char *bytes, size_t length)
{
	return dictionary_once(tables->options.dictionary, bytes, length);
}

/* ---- Times ---- */

int64_t tables_time(struct tables *tables, uint64_t raw_ns)
{
	if (raw_ns > INT64_MAX)
		raw_ns = INT64_MAX;
	return tables->options.hosts ? evtlog_host_cursor_time(&tables->cursor, raw_ns) :
				       (int64_t)raw_ns;
}

/* ---- Begin and end ---- */

static void set_source(struct tables *tables)
{
	const struct tables_options *options = &tables->options;
	uint64_t err_ns = evtlog_clock_error_ns(tables->file);

	if (options->hosts) {
		evtlog_host_cursor_start(&tables->cursor, options->hosts, options->number);
		err_ns = evtlog_clocksync_clock(options->hosts, options->number)->bound_ns;
	}
	tables->host = tables_text(tables, options->host ? options->host : "?");
	tables->run = evtlog_run(tables->file);
	tables->err_ns = err_ns > INT64_MAX ? INT64_MAX : err_ns;
	tables->source_nulls = NULL_IF(err_ns > INT64_MAX, 2);
	tables->from = options->from_ns > evtlog_begin_ns(tables->file) ?
		       tables_time(tables, options->from_ns) : INT64_MIN;
	tables->to = options->to_ns < INT64_MAX ? tables_time(tables, options->to_ns) : INT64_MAX;
}

static int init_cpus(struct tables *tables)
{
	const bool *wanted = tables->options.cpus;

	tables->cpu_count = evtlog_cpu_count(tables->file);
	tables->cpus = calloc(tables->cpu_count + 1, sizeof(*tables->cpus));
	if (!tables->cpus)
		return -ENOMEM;
	for (unsigned int i = 0; i < tables->cpu_count; i++) {
		struct cpu *cpu = &tables->cpus[i];

		cpu->number = evtlog_cpu_number(tables->file, i);
		cpu->slot = i;
		cpu->wanted = !wanted || wanted[cpu->number];
		cpu->user = INT64_MIN;
	}
	return 0;
}

int tables_new(const struct tables_options *options, struct tables **tablesp)
{
	struct tables *tables = calloc(1, sizeof(*tables));
	int error;

	if (!tables)
		return -ENOMEM;
	tables->options = *options;
	tables->wanted = options->wanted;
	tables->file = options->file;
	error = init_cpus(tables);
	if (!error)
		error = tables_tasks_init(tables);
	if (!error)
		error = points_init(tables);
	if (!error)
		set_source(tables);
	if (!error)
		error = tables->error;
	if (!error)
		error = iterator_of_log(&tables->iterator, tables->file, 0, NULL);
	if (error) {
		tables_free(tables);
		return error;
	}
	*tablesp = tables;
	return 0;
}

void tables_free(struct tables *tables)
{
	if (!tables)
		return;
	iterator_end(&tables->iterator);
	points_free(tables);
	tables_tasks_free(tables);
	free(tables->cpus);
	free(tables);
}

/* ---- Events ---- */

static struct cpu *cpu_of(struct tables *tables, uint32_t number)
{
	uint32_t slot = file_slot(tables->file, number);

	return slot == NO_SLOT ? NULL : &tables->cpus[slot];
}

/* Emits the gaps that begin up to @until_ns, in order of their begins, before later rows. */
static int take_gaps(struct tables *tables, uint64_t until_ns)
{
	struct lanes *lanes = &tables->iterator.lanes;
	const struct evtlog_event *event;
	uint64_t from_ns;

	while ((event = replay_gap(&tables->replay, lanes, until_ns, &from_ns))) {
		struct cpu *cpu = cpu_of(tables, event->cpu);
		int64_t from = tables_time(tables, from_ns);

		nested_forget(tables, cpu, from);
		if (replay_take_gap(&tables->replay, event, from))
			return -ENOMEM;
		schedule_apply(tables);
		host_loss(tables, cpu, event, from);
	}
	return 0;
}

static void take_record(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	const struct record_class *class = record_class(event->known);

	nested_correct(tables, cpu, event);
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		return;
	case EVTLOG_SCHED_WAKING:
		if (!tables_task_of(tables, evtlog_record_pid(event->words))->utid)
			tables_leave_out(tables, cpu, event);
		return;
	case EVTLOG_SCHED_WAKEUP_NEW:
		schedule_waking_new(tables, cpu, event);
		return;
	case EVTLOG_SCHED_MIGRATE_TASK:
		schedule_migrate(tables, cpu, event);
		return;
	case EVTLOG_USER_EXIT:
	case EVTLOG_USER_ENTER:
		nested_take_user(tables, cpu, event);
		return;
	case EVTLOG_EXCEPTION_ENTRY:
	case EVTLOG_EXCEPTION_EXIT:
		nested_take_exception(tables, cpu, event);
		return;
	case EVTLOG_TASK:
		tables->left_out.snapshots++;
		return;
	case EVTLOG_COUNTER:
		points_take_counter(tables, cpu, event);
		return;
	case EVTLOG_TIME:
	case EVTLOG_EVENT_FORMAT:
	case EVTLOG_ON_CPU:
		tables_leave_out(tables, cpu, event);
		return;
	}
	if (class->context != EVTLOG_IN_TASK) {
		nested_take(tables, cpu, class, event);
		return;
	}
	points_take(tables, cpu, event);
	if (event->known == EVTLOG_TASK_RENAME)
		tables_tasks_name(tables, event);
}

/* Takes what an event has of its threads and processes, after @replay has taken the event. */
static void take_tasks(struct tables *tables, const struct cpu *cpu,
		       const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_TASK:
		tables_tasks_take_snapshot(tables, event->words);
		return;
	case EVTLOG_SCHED_PROCESS_FORK:
		tables_tasks_take_fork(tables, cpu_task(tables, cpu), event->words);
		return;
	case EVTLOG_SCHED_PROCESS_EXEC:
		tables_tasks_take_exec(tables, event->words);
		return;
	case EVTLOG_SCHED_PROCESS_EXIT:
		tables_tasks_take_exit(tables, event->words);
		return;
	}
}

/* A CPU begins, ends, continues after a gap, or with another buffer. */
static int take_other(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	bool is_end = event->kind == EVTLOG_EVENT_END;

	if (event->kind != EVTLOG_EVENT_BUFFER)
		nested_forget(tables, cpu, tables->now);
	if (!is_end)
		tables_tasks_name(tables, event);
	if (replay_take(&tables->replay, event, tables->now))
		return -ENOMEM;
	schedule_apply(tables);
	if (is_end && event->rest_missing)
		host_cut(tables, cpu, tables->now);
	return tables->error;
}

static int take(struct tables *tables, const struct evtlog_event *event)
{
	struct cpu *cpu = cpu_of(tables, event->cpu);
	bool is_known;
	int error;

	error = take_gaps(tables, event->time_ns);
	if (__builtin_expect(error, 0))
		return error;
	if (__builtin_expect(event->time_ns != tables->raw_ns, 1)) {
		tables->raw_ns = event->time_ns;
		tables->now = tables_time(tables, event->time_ns);
	}
	if (__builtin_expect(!cpu, 0))
		return 0;
	error = tables_tasks_reserve(tables);
	if (__builtin_expect(error, 0))
		return error;
	if (__builtin_expect(event->kind != EVTLOG_EVENT_RECORD, 0))
		return take_other(tables, cpu, event);
	is_known = cpu_at(tables, cpu)->known;
	if (__builtin_expect(is_known, 1)) {
		tables->events += tables_now_wanted(tables, cpu);
		take_record(tables, cpu, event);
	}
	if (__builtin_expect(replay_take(&tables->replay, event, tables->now), 0))
		return -ENOMEM;
	if (is_known && replay_changes(event)) {
		schedule_apply(tables);
		take_tasks(tables, cpu, event);
	}
	return tables->error;
}

static int finish(struct tables *tables)
{
	uint64_t end_ns = evtlog_end_ns(tables->file);
	int64_t end;
	int error;

	if (tables->options.to_ns < end_ns)
		end_ns = tables->options.to_ns;
	if (end_ns < tables->raw_ns)
		end_ns = tables->raw_ns;
	error = take_gaps(tables, end_ns);
	if (error)
		return error;
	end = tables_time(tables, end_ns);
	for (unsigned int i = 0; i < tables->cpu_count; i++)
		nested_forget(tables, &tables->cpus[i], end);
	if (replay_close(&tables->replay, end))
		return -ENOMEM;
	schedule_apply(tables);
	tables_tasks_close(tables);
	host_end(tables);
	tables->closed = true;
	return tables->error;
}

static inline int next_event(struct tables *tables, const struct evtlog_event **eventp)
{
	const struct iterator_event *at;
	int result;

	if (__builtin_expect(tables->pending != NULL, 0)) {
		*eventp = tables->pending;
		tables->pending = NULL;
		return 1;
	}
	result = iterator_next(&tables->iterator, &at);
	if (result > 0)
		*eventp = at->event;
	return result;
}

int tables_next(struct tables *tables, unsigned int events)
{
	int result = tables->error;

	if (result || tables->closed)
		return result;
	if (!tables->opened) {
		tables_tasks_begin(tables);
		host_begin(tables);
	}
	tables->opened = true;
	while (events--) {
		const struct evtlog_event *event;

		result = next_event(tables, &event);
		if (result > 0 && event->time_ns < tables->options.to_ns)
			result = take(tables, event);
		else
			return result < 0 ? result : finish(tables);
		if (result)
			return result;
	}
	return 1;
}

int tables_heads(struct tables *tables)
{
	host_begin(tables);
	host_end(tables);
	return tables->error;
}

int tables_peek(struct tables *tables, uint64_t *raw_ns)
{
	const struct evtlog_event *event;
	int result;

	if (tables->closed)
		return 0;
	result = next_event(tables, &event);
	if (result <= 0)
		return result;
	tables->pending = event;
	*raw_ns = event->time_ns;
	return 1;
}

const struct lanes *tables_lanes(const struct tables *tables)
{
	return &tables->iterator.lanes;
}

uint64_t tables_position(const struct tables *tables)
{
	return iterator_position(&tables->iterator);
}

uint64_t tables_bytes(const struct tables *tables)
{
	return tables->iterator.all_bytes;
}

const struct tables_left_out *tables_left_out(const struct tables *tables)
{
	return &tables->left_out;
}

uint64_t tables_events(const struct tables *tables)
{
	return tables->events;
}
