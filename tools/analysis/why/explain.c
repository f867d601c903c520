// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Explains one wait: reads the log again from its begin to its end.
 *
 * It keeps only rows of the task, of interrupts at its wake-up, and sums: see meanwhile.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input/open-log.h"
#include "input/types.h"
#include "lib/base/array.h"
#include "why.h"

enum { SLICE_TS, SLICE_DUR, SLICE_CPU, SLICE_UTID };
enum { NESTED_TS, NESTED_DUR, NESTED_CPU, NESTED_NUMBER, NESTED_NAME, NESTED_UTID, NESTED_DEPTH };
enum { WAKE_TS, WAKE_CPU, WAKE_UTID, WAKE_WAKER, WAKE_IRQ, WAKE_SPURIOUS };
enum { NEW_TS, NEW_CPU, NEW_UTID, NEW_TARGET, NEW_PARENT = 5 };
enum { MOVE_TS, MOVE_CPU, MOVE_UTID, MOVE_ORIG, MOVE_DEST };
enum { LOSS_TS, LOSS_DUR, LOSS_CPU, LOSS_CAUSE, LOSS_LOST, LOSS_BUFFERS };
enum { EVENT_ID, EVENT_TS, EVENT_CPU, EVENT_NAME = 4 };
enum { ARG_ID, ARG_KEY, ARG_INT, ARG_STRING, ARG_UINT = 5 };
enum { CALL_TS, CALL_DUR, CALL_UTID = 3, CALL_NR, CALL_NAME };

#define BIT(NAME)	(UINT32_C(1) << TABLE_##NAME)
#define WANTED	(BIT(SCHED_SLICE) | BIT(IRQ_SLICE) | BIT(SOFTIRQ_SLICE) | BIT(VECTOR_SLICE) | \
		 BIT(WAKEUP) | BIT(WAKEUP_NEW) | BIT(SCHED_MIGRATE) | BIT(LOSS) | BIT(EVENT) | \
		 BIT(ARGS) | BIT(SYSCALL_SLICE) | BIT(THREAD) | BIT(THREAD_NAME))

/* The last time that belongs to the wait, or after which the task is known again */
static int64_t end_of(const struct why *why)
{
	return why->wait.runs ? why_wait_end(&why->wait) : why->wait.until;
}

static bool is_in(const struct why *why, int64_t time)
{
	return time >= why->wait.since && time <= end_of(why);
}

/* ---- The task ---- */

/* Returns true for the slice that it left at the begin of the wait. */
static bool is_left(const struct why *why, const int64_t *values)
{
	return !why->wait.begin_unknown && values[SLICE_TS] + values[SLICE_DUR] == why->wait.since;
}

static void take_own_slice(struct why *why, const int64_t *values)
{
	const struct meanwhile *meanwhile = &why->meanwhile;

	if (is_left(why, values) && why->left_cpu == CPU_UNKNOWN) {
		why->left_cpu = values[SLICE_CPU];
		if (meanwhile->place_count == 1)
			meanwhile_correct(&why->meanwhile, why->left_cpu);
	} else if (!why->runs && values[SLICE_TS] >= why_wait_end(&why->wait) &&
		   is_in(why, values[SLICE_TS])) {
		why->runs = true;
		why->run_at = values[SLICE_TS];
		why->run_cpu = values[SLICE_CPU];
	}
}

static void take_wake(struct why *why, const int64_t *values, uint32_t nulls)
{
	if (values[WAKE_UTID] != why->wait.utid || values[WAKE_SPURIOUS] || why->wake.known ||
	    !is_in(why, values[WAKE_TS]))
		return;
	why->wake = (struct why_wake) {
		.known = true,
		.in_irq = values[WAKE_IRQ],
		.time = values[WAKE_TS],
		.cpu = values[WAKE_CPU],
		.waker = nulls >> WAKE_WAKER & 1 ? UTID_UNKNOWN : values[WAKE_WAKER],
		.number = -1,
		.name = TEXT_UNKNOWN,
	};
}

static void take_new(struct why *why, const int64_t *values, uint32_t nulls)
{
	if (values[NEW_UTID] != why->wait.utid || !is_in(why, values[NEW_TS]))
		return;
	why->wake = (struct why_wake) {
		.known = true,
		.is_new = true,
		.time = values[NEW_TS],
		.cpu = values[NEW_CPU],
		.waker = nulls >> NEW_PARENT & 1 ? UTID_UNKNOWN : values[NEW_PARENT],
		.number = -1,
		.name = TEXT_UNKNOWN,
	};
	if (why->meanwhile.place_count == 1)
		meanwhile_correct(&why->meanwhile, values[NEW_TARGET]);
}

static int take_move(struct why *why, const int64_t *values)
{
	if (values[MOVE_UTID] != why->wait.utid || !is_in(why, values[MOVE_TS]))
		return 0;
	if (array_reserve(&why->moves, &why->move_capacity, why->move_count, sizeof(*why->moves)))
		return -ENOMEM;
	why->moves[why->move_count++] = (struct why_move) {
		.time = values[MOVE_TS],
		.by = values[MOVE_CPU],
		.orig = values[MOVE_ORIG],
		.dest = values[MOVE_DEST],
	};
	return !why->meanwhile.place_count ? 0 :
	       meanwhile_move(&why->meanwhile, values[MOVE_ORIG], values[MOVE_DEST],
			      values[MOVE_TS]);
}

static void take_call(struct why *why, const int64_t *values, uint32_t nulls)
{
	int64_t since = why->wait.since;

	if (values[CALL_UTID] != why->wait.utid || why->wait.begin_unknown ||
	    values[CALL_TS] > since || values[CALL_TS] + values[CALL_DUR] < since)
		return;
	why->call_number = values[CALL_NR];
	why->call = nulls >> CALL_NAME & 1 ? TEXT_UNKNOWN : values[CALL_NAME];
}

/* ---- CPUs ---- */

static int take_slice(struct why *why, const int64_t *values)
{
	const struct ran ran = {
		.kind = values[SLICE_UTID] != UTID_IDLE ? RAN_TASK :
			why_is_tree(why->logs) ? RAN_OUTSIDE : RAN_IDLE,
		.utid = values[SLICE_UTID],
		.number = -1,
		.name = TEXT_UNKNOWN,
	};

	if (values[SLICE_UTID] == why->wait.utid)
		take_own_slice(why, values);
	return meanwhile_add(&why->meanwhile, &ran, 0, values[SLICE_CPU], values[SLICE_TS],
			     values[SLICE_TS] + values[SLICE_DUR]);
}

void why_wake_see(struct why_wake *wake, const struct why_nested *nested)
{
	bool is_inside = nested->begin < wake->time && wake->time < nested->end;

	if (wake->time < nested->begin || wake->time > nested->end)
		return;
	wake->touching += !is_inside;
	if (is_inside ? nested->level <= wake->level : wake->level > 0)
		return;
	wake->kind = nested->ran.kind;
	wake->number = nested->ran.number;
	wake->name = nested->ran.name;
	wake->since = nested->begin;
	if (is_inside)
		wake->level = nested->level;
}

void why_wake_settle(struct why_wake *wake)
{
	wake->doubtful = wake->in_irq && wake->touching + (wake->level > 0) != 1;
}

struct why_nested why_nested_of(enum table_number table, const int64_t *values, uint32_t nulls)
{
	/* A row of irq_slice has one column more: ret. */
	unsigned int more = table == TABLE_IRQ_SLICE;

	return (struct why_nested) {
		.begin = values[NESTED_TS],
		.end = values[NESTED_TS] + values[NESTED_DUR],
		.cpu = values[NESTED_CPU],
		.level = values[NESTED_DEPTH + more] + 1,
		.ran = {
			.kind = table == TABLE_IRQ_SLICE ? RAN_IRQ :
				table == TABLE_SOFTIRQ_SLICE ? RAN_SOFTIRQ : RAN_VECTOR,
			.utid = nulls >> (NESTED_UTID + more) & 1 ? UTID_UNKNOWN :
				values[NESTED_UTID + more],
			.number = nulls >> NESTED_NUMBER & 1 ? -1 : values[NESTED_NUMBER],
			.name = nulls >> NESTED_NAME & 1 ? TEXT_UNKNOWN : values[NESTED_NAME],
		},
	};
}

static int take_nested(struct why *why, const struct why_nested *nested)
{
	if (why->wake.known && why->wake.in_irq && why->wake.cpu == nested->cpu)
		why_wake_see(&why->wake, nested);
	return meanwhile_add(&why->meanwhile, &nested->ran, nested->level, nested->cpu,
			     nested->begin, nested->end);
}

/* ---- Losses, orders and priorities ---- */

static int take_loss(struct why *why, const int64_t *values)
{
	int64_t from = values[LOSS_TS], to = from + values[LOSS_DUR];

	if (from > end_of(why) || to < why->wait.since)
		return 0;
	if (array_reserve(&why->losses, &why->loss_capacity, why->loss_count,
			  sizeof(*why->losses)))
		return -ENOMEM;
	why->losses[why->loss_count++] = (struct why_loss) {
		.from = from,
		.to = to,
		.cpu = values[LOSS_CPU],
		.cause = values[LOSS_CAUSE],
		.lost = values[LOSS_LOST],
		.buffers = values[LOSS_BUFFERS],
	};
	return 0;
}

static bool is_text(const struct why *why, int64_t id, const char *text)
{
	struct dictionary_text is = dictionary_text(&why->logs->dictionary, id);

	return is.length == strlen(text) && !memcmp(is.bytes, text, is.length);
}

static bool is_change(const struct why *why, int64_t name)
{
	return is_text(why, name, "remote") || is_text(why, name, "remote_boost") ||
	       is_text(why, name, "remote_unboost");
}

static int take_event(struct why *why, const int64_t *values)
{
	if (!is_in(why, values[EVENT_TS]) || !is_change(why, values[EVENT_NAME]))
		return 0;
	if (why->change_count == WHY_CHANGES_MAX) {
		why->more_changes++;
		return 0;
	}
	if (array_reserve(&why->changes, &why->change_capacity, why->change_count,
			  sizeof(*why->changes)))
		return -ENOMEM;
	why->changes[why->change_count++] = (struct why_change) {
		.id = values[EVENT_ID],
		.time = values[EVENT_TS],
		.cpu = values[EVENT_CPU],
		.name = values[EVENT_NAME],
	};
	return 0;
}

/* Fields follow their event. */
static int take_field(struct why *why, const int64_t *values, uint32_t nulls)
{
	struct why_change *change = why->change_count ? &why->changes[why->change_count - 1] : NULL;
	struct why_field field = { .key = values[ARG_KEY], .text = TEXT_UNKNOWN };

	if (!change || change->id != values[ARG_ID] || change->field_count == EVTLOG_FIELDS_MAX)
		return 0;
	if (!(nulls >> ARG_STRING & 1)) {
		struct dictionary_text text =
			dictionary_text(&why->logs->dictionary, values[ARG_STRING]);

		field.text = dictionary_add(&why->logs->dictionary, text.bytes, text.length);
		if (field.text < 0)
			return field.text;
	} else {
		field.is_signed = nulls >> ARG_UINT & 1;
		field.number = values[field.is_signed ? ARG_INT : ARG_UINT];
	}
	change->fields[change->field_count++] = field;
	return 0;
}

static int take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	struct why *why = context;
	struct dictionary *dictionary = &why->logs->dictionary;
	struct why_nested nested;

	switch (table) {
	case TABLE_SCHED_SLICE:
		return take_slice(why, values);
	case TABLE_IRQ_SLICE:
	case TABLE_SOFTIRQ_SLICE:
	case TABLE_VECTOR_SLICE:
		nested = why_nested_of(table, values, nulls);
		return take_nested(why, &nested);
	case TABLE_WAKEUP:
		take_wake(why, values, nulls);
		return 0;
	case TABLE_WAKEUP_NEW:
		take_new(why, values, nulls);
		return 0;
	case TABLE_SCHED_MIGRATE:
		return take_move(why, values);
	case TABLE_LOSS:
		return take_loss(why, values);
	case TABLE_EVENT:
		return take_event(why, values);
	case TABLE_ARGS:
		return take_field(why, values, nulls);
	case TABLE_SYSCALL_SLICE:
		take_call(why, values, nulls);
		return 0;
	case TABLE_THREAD_NAME:
		return why_threads_take_name(&why->threads, why->wait.log, dictionary, values);
	case TABLE_THREAD:
		return why_threads_take_row(&why->threads, why->wait.log, dictionary, values, nulls);
	default:
		return 0;
	}
}

/* ---- All ---- */

/* Without records of moves, the CPU is only known if the task ran on it before and after. */
static void check_moves(struct why *why)
{
	const struct evtlog_file *file = why->logs->set.files[why->wait.log].file;
	bool stayed = why->left_cpu != CPU_UNKNOWN && why->left_cpu == why->run_cpu;

	if (types_that_are(file, types_bit(EVTLOG_SCHED_MIGRATE_TASK), EVTLOG_RECORDED_OFF) &&
	    !stayed)
		why->meanwhile.doubtful = true;
	meanwhile_end(&why->meanwhile, why->wait.runs ? why->run_cpu : CPU_UNKNOWN);
}

int why_explain(struct why *why, struct query_logs *logs, const struct why_wait *wait)
{
	const struct query_part part = {
		.from = wait->since,
		.to = wait->runs ? why_wait_end(wait) : wait->until,
		.event = INT64_MAX,
	};
	int error = 0;

	*why = (struct why) {
		.logs = logs,
		.wait = *wait,
		.left_cpu = CPU_UNKNOWN,
		.run_cpu = CPU_UNKNOWN,
		.call = TEXT_UNKNOWN,
		.call_number = -1,
	};
	if (wait->ready)
		error = meanwhile_begin(&why->meanwhile, wait->cpu, why_wait_ready_at(wait),
					why_wait_end(wait));
	if (!error)
		error = why_read(logs, wait->log, part, WANTED, take_row, why, NULL);
	if (error)
		return error;
	check_moves(why);
	why_wake_settle(&why->wake);
	why->unknown = why_unknown_of(why);
	return 0;
}

bool why_is_lossy(const struct why *why)
{
	const struct evtlog_file *file = why->logs->set.files[why->wait.log].file;

	for (size_t i = 0; i < why->loss_count; i++)
		if (!is_text(why, why->losses[i].cause, "offline"))
			return true;
	return why->wait.begin_unknown && log_lost(file);
}

void why_free(struct why *why)
{
	meanwhile_free(&why->meanwhile);
	why_threads_free(&why->threads);
	free(why->moves);
	free(why->losses);
	free(why->changes);
}
