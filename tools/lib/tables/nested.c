// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Slices nested in a thread: interrupts and softirqs of its CPU; its exceptions, system calls and
 * time in user mode.
 *
 * An exception or system call belongs to the thread and moves with it to another CPU.
 */
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* ---- Interrupts and softirqs ---- */

static int64_t cached(struct tables *tables, int64_t *id, const char *text)
{
	if (!*id)
		*id = text ? tables_text(tables, text) + 1 : TEXT_NONE;
	return *id > 0 ? *id - 1 : TEXT_NONE;
}

static int64_t softirq_text(struct tables *tables, uint32_t vec)
{
	return vec < 64 ? cached(tables, &tables->softirq_texts[vec],
				 evtlog_softirq_name(tables->file, vec)) : TEXT_NONE;
}

/* Name of a vector from the type of its entry: local_timer_entry has "local_timer" */
static int64_t vector_text(struct tables *tables, unsigned int type)
{
	static const char *const names[EVTLOG_TYPE_MAX + 1] = {
#define X(number, NAME, name, words, fields) [number] = #name,
		EVTLOG_TYPES(X)
#undef X
	};
	char text[EVTLOG_NAME_MAX + 1];

	if (type > EVTLOG_TYPE_MAX || !names[type])
		return TEXT_NONE;
	snprintf(text, sizeof(text), "%.*s", (int)(strlen(names[type]) - strlen("_entry")),
		 names[type]);
	return cached(tables, &tables->type_texts[type], text);
}

static void put_nested(struct tables *tables, const struct cpu *cpu, const struct nested *nested,
		       int64_t until, int32_t ret, bool cut)
{
	bool unknown = nested->number == EVTLOG_NUMBER_UNKNOWN;
	uint32_t depth = nested - cpu->nested;
	int64_t begin = nested->since;
	int64_t utid = cpu_utid(tables, cpu), text;

	cut |= nested->cut;
	if (!cpu->wanted || until < begin || !tables_clip(tables, &begin, until, &cut))
		return;
	switch (nested->kind) {
	case EVTLOG_IN_SOFTIRQ:
		if (!tables_want(tables, TABLE_SOFTIRQ_SLICE))
			return;
		text = softirq_text(tables, nested->number);
		tables_put_sourced(tables, TABLE_SOFTIRQ_SLICE, (int64_t[]) {
			begin, until - begin, cpu->number, nested->number, text, utid, depth, cut,
			SOURCE_VALUES(tables)
		}, NULL_IF(unknown, 3) | NULL_IF(text < 0, 4) | NULL_IF(!cpu_task(tables, cpu), 5));
		return;
	case EVTLOG_IN_IRQ:
		if (!tables_want(tables, TABLE_IRQ_SLICE))
			return;
		text = nested->number < IRQS_MAX ? tables->irq_texts[nested->number] - 1 :
		       TEXT_NONE;
		tables_put_sourced(tables, TABLE_IRQ_SLICE, (int64_t[]) {
			begin, until - begin, cpu->number, nested->number, text, ret, utid, depth,
			cut, SOURCE_VALUES(tables)
		}, NULL_IF(unknown, 3) | NULL_IF(text < 0, 4) | NULL_IF(ret < 0, 5) |
		   NULL_IF(!cpu_task(tables, cpu), 6));
		return;
	case EVTLOG_IN_VECTOR:
		if (!tables_want(tables, TABLE_VECTOR_SLICE))
			return;
		text = vector_text(tables, nested->number);
		tables_put_sourced(tables, TABLE_VECTOR_SLICE, (int64_t[]) {
			begin, until - begin, cpu->number, nested->vector, text, utid, depth, cut,
			SOURCE_VALUES(tables)
		}, NULL_IF(nested->vector == EVTLOG_NUMBER_UNKNOWN, 3) | NULL_IF(text < 0, 4) |
		   NULL_IF(!cpu_task(tables, cpu), 5));
		return;
	}
}

/* Ends all contexts above the outer @depth, though their exits are missing. */
static void drop(struct tables *tables, struct cpu *cpu, unsigned int depth, int64_t time)
{
	while (cpu->depth > depth) {
		cpu->depth--;
		put_nested(tables, cpu, &cpu->nested[cpu->depth], time, -1, true);
	}
}

static void enter(struct cpu *cpu, struct nested nested)
{
	/* Deeper than possible: the outermost context must be wrong. */
	if (cpu->depth == PLACES_MAX) {
		memmove(cpu->nested, cpu->nested + 1, (PLACES_MAX - 1) * sizeof(*cpu->nested));
		cpu->depth--;
	}
	cpu->nested[cpu->depth++] = nested;
}

void nested_correct_slow(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	/* The CPU is back in an outer context: exits of the inner contexts are missing. */
	for (unsigned int i = cpu->depth; i--;)
		if (cpu->nested[i].kind == event->context &&
		    cpu->nested[i].number == event->context_number) {
			drop(tables, cpu, i + 1, cpu_at(tables, cpu)->last);
			return;
		}
	drop(tables, cpu, 0, cpu_at(tables, cpu)->last);
	if (event->context != EVTLOG_IN_TASK)
		enter(cpu, (struct nested) {
			.kind = event->context,
			.number = event->context_number,
			.vector = EVTLOG_NUMBER_UNKNOWN,
			.since = cpu_at(tables, cpu)->last,
			.cut = true,
		});
}

static bool is_same(const struct nested *nested, uint8_t kind, uint32_t number)
{
	return nested->kind == kind &&
	       (nested->number == number || nested->number == EVTLOG_NUMBER_UNKNOWN);
}

static void leave(struct tables *tables, struct cpu *cpu, const struct record_class *class,
		  const struct evtlog_event *event)
{
	uint32_t number = record_number(class, event->words);
	int32_t ret = event->known == EVTLOG_IRQ_HANDLER_EXIT ?
		      (int32_t)evtlog_data(event->words, 24, 2) : -1;
	unsigned int at = cpu->depth;

	while (at && !is_same(&cpu->nested[at - 1], class->context, number))
		at--;
	/* The entry is missing: the context began at the CPU's last event or later. */
	if (!at) {
		drop(tables, cpu, 0, cpu_at(tables, cpu)->last);
		enter(cpu, (struct nested) {
			.kind = class->context,
			.since = cpu_at(tables, cpu)->last,
			.cut = true,
		});
		at = 1;
	}
	drop(tables, cpu, at, tables->now);
	cpu->depth--;
	cpu->nested[cpu->depth].number = number;
	if (class->context == EVTLOG_IN_VECTOR)
		cpu->nested[cpu->depth].vector = evtlog_data(event->words, 0, EVTLOG_DATA_BITS);
	put_nested(tables, cpu, &cpu->nested[cpu->depth], tables->now, ret, false);
}

void nested_take(struct tables *tables, struct cpu *cpu, const struct record_class *class,
		 const struct evtlog_event *event)
{
	if (class->step == RECORD_EXIT)
		leave(tables, cpu, class, event);
	else if (class->step == RECORD_ENTRY)
		enter(cpu, (struct nested) {
			.kind = class->context,
			.number = record_number(class, event->words),
			.vector = evtlog_data(event->words, 0, EVTLOG_DATA_BITS),
			.since = tables->now,
		});
}

/* ---- Exceptions ---- */

static void put_exception(struct tables *tables, const struct cpu *cpu, const struct task *task,
			  const struct span *span, int64_t until, bool cut)
{
	int64_t begin = span->since, text;

	cut |= span->cut;
	if (!tables_want(tables, TABLE_EXCEPTION_SLICE) || (cpu && !cpu->wanted) || until < begin ||
	    !tables_clip(tables, &begin, until, &cut))
		return;
	text = cached(tables, &tables->exception_texts[span->number & 255],
		      evtlog_exception_name(span->number & 255));
	tables_put_sourced(tables, TABLE_EXCEPTION_SLICE, (int64_t[]) {
		begin, until - begin, cpu ? cpu->number : 0, task ? task->utid : 0, span->number,
		text, cut, SOURCE_VALUES(tables)
	}, NULL_IF(!task, 3) | NULL_IF(text < 0, 5));
}

void nested_take_exception(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t number = evtlog_data(event->words, 0, 8);
	/* An interrupt cannot sleep: its exception belongs to the CPU. */
	uint32_t runs = cpu_task(tables, cpu);
	struct task *task = runs > REPLAY_IDLE && !cpu->depth ? &tables->tasks[runs] : NULL;
	struct span *spans = task ? task->exceptions : cpu->exceptions;
	uint8_t *count = task ? &task->exception_count : &cpu->exception_count;

	if (event->known == EVTLOG_EXCEPTION_ENTRY) {
		if (*count == EXCEPTIONS_MAX) {
			put_exception(tables, cpu, task, &spans[0], tables->now, true);
			memmove(spans, spans + 1, (EXCEPTIONS_MAX - 1) * sizeof(*spans));
			--*count;
		}
		spans[(*count)++] = (struct span) { tables->now, number, false };
		return;
	}
	while (*count && spans[*count - 1].number != number)
		put_exception(tables, cpu, task, &spans[--*count], tables->now, true);
	if (*count)
		put_exception(tables, cpu, task, &spans[--*count], tables->now, false);
	else
		put_exception(tables, cpu, task, &(struct span) { cpu_at(tables, cpu)->last, number, true },
			      tables->now, true);
}

/* ---- System calls and user mode ---- */

static int64_t call_text(struct tables *tables, uint32_t number, bool compat)
{
	if (!tables->options.syscall_name || number == EVTLOG_SYSCALL_OTHER)
		return TEXT_NONE;
	return cached(tables, &tables->call_texts[compat][number & 0xffff],
		      tables->options.syscall_name(number, compat));
}

static void put_call(struct tables *tables, const struct cpu *cpu, struct task *task, int64_t until,
		     bool cut)
{
	int64_t begin = task->call.since, text;

	task->calls = false;
	if (!tables_want(tables, TABLE_SYSCALL_SLICE) || (cpu && !cpu->wanted) || until < begin ||
	    !tables_clip(tables, &begin, until, &cut))
		return;
	text = call_text(tables, task->call.number, task->compat);
	tables_put_sourced(tables, TABLE_SYSCALL_SLICE, (int64_t[]) {
		begin, until - begin, cpu ? cpu->number : 0, task->utid, task->call.number, text,
		task->compat, cut, SOURCE_VALUES(tables)
	}, NULL_IF(text < 0, 5));
}

static void put_user(struct tables *tables, struct cpu *cpu, int64_t until, int cause)
{
	static const char *const causes[] = { "other", "syscall", "compat", "?" };
	int64_t begin = cpu->user, text;
	bool cut = cause < 0;

	cpu->user = INT64_MIN;
	/* The entry to user mode is missing: it was at the CPU's last event or later. */
	if (begin == INT64_MIN && cause >= 0) {
		begin = cpu_at(tables, cpu)->last;
		cut = true;
	}
	if (begin == INT64_MIN || !tables_want(tables, TABLE_USER_SLICE) || !cpu->wanted ||
	    until < begin || !tables_clip(tables, &begin, until, &cut))
		return;
	text = cause < 0 ? TEXT_NONE : tables_text(tables, causes[cause & 3]);
	tables_put_sourced(tables, TABLE_USER_SLICE, (int64_t[]) {
		begin, until - begin, cpu->number, cpu_utid(tables, cpu), text, cut,
		SOURCE_VALUES(tables)
	}, NULL_IF(!cpu_task(tables, cpu), 3) | NULL_IF(text < 0, 4));
}

void nested_take_user(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t runs = cpu_task(tables, cpu), cause;
	struct task *task = &tables->tasks[runs];

	if (event->known == EVTLOG_USER_ENTER) {
		if (runs > REPLAY_IDLE && task->calls)
			put_call(tables, cpu, task, tables->now, false);
		put_user(tables, cpu, tables->now, -1);
		cpu->user = tables->now;
		return;
	}
	cause = evtlog_data(event->words, 0, 2);
	put_user(tables, cpu, tables->now, cause);
	if (runs <= REPLAY_IDLE)
		return;
	if (task->calls)
		put_call(tables, cpu, task, tables->now, true);
	if (cause == EVTLOG_USER_EXIT_OTHER)
		return;
	task->calls = true;
	task->compat = cause == EVTLOG_USER_EXIT_COMPAT;
	task->call = (struct span) { tables->now, evtlog_data(event->words, 2, 16), false };
}

/* ---- Losses ---- */

void nested_forget_task(struct tables *tables, struct task *task, const struct cpu *cpu,
		int64_t time)
{
	while (task->exception_count)
		put_exception(tables, cpu, task, &task->exceptions[--task->exception_count], time,
			      true);
	if (task->calls)
		put_call(tables, cpu, task, time, true);
}

void nested_forget(struct tables *tables, struct cpu *cpu, int64_t time)
{
	uint32_t runs = cpu_task(tables, cpu);

	drop(tables, cpu, 0, time);
	while (cpu->exception_count)
		put_exception(tables, cpu, NULL, &cpu->exceptions[--cpu->exception_count], time,
			      true);
	put_user(tables, cpu, time, -1);
	if (runs > REPLAY_IDLE)
		nested_forget_task(tables, &tables->tasks[runs], cpu, time);
}
