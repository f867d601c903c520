// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a wait as an explanation, or several as a table.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/linebuf.h"
#include "print/names.h"
#include "why.h"

/* Columns of the explanation */
#define COLUMN_RELATIVE	17
#define COLUMN_TEXT	35
/* Smaller shares of the time are summed up. */
#define SHARE_MIN	0.001
#define RAN_MAX		20

void why_put_text(struct line *line, const struct dictionary *dictionary, int64_t id)
{
	struct dictionary_text text = { "?", 1 };

	if (id >= 0)
		text = dictionary_text(dictionary, id);
	line_escaped(line, text.bytes, text.length);
}

/* "comm-pid" with the name at @time */
static void put_task(struct line *line, const struct query_logs *logs,
		     const struct threads *threads, int64_t utid, int64_t time)
{
	const struct thread *thread = utid > UTID_IDLE ? why_threads_find(threads, utid) : NULL;

	if (utid == UTID_IDLE) {
		line_text(line, why_is_tree(logs) ? "outside of the tree" : "the idle task");
		return;
	}
	if (!thread) {
		line_text(line, "an unknown task");
		return;
	}
	why_put_text(line, &logs->dictionary, why_threads_name_at(threads, thread, time));
	line_printf(line, "-%" PRIu32, thread->pid);
}

void why_put_ms(struct line *line, int64_t ns)
{
	line_printf(line, "%" PRId64 ".%06" PRId64 " ms", ns / 1000000, ns % 1000000);
}

void why_put_seconds(struct line *line, int64_t ns, unsigned int width)
{
	line_printf(line, "%*" PRId64 ".%09" PRId64, (int)width, ns / 1000000000, ns % 1000000000);
}

/* ---- Explanation ---- */

void why_put_context(struct line *line, const struct query_logs *logs, enum ran_kind kind,
		     int64_t number, int64_t name)
{
	line_text(line, ran_kind_names[kind]);
	if (number >= 0 && (kind == RAN_IRQ || name < 0))
		line_printf(line, " %" PRId64, number);
	if (name >= 0) {
		line_char(line, ' ');
		why_put_text(line, &logs->dictionary, name);
	}
}

/* Begins a line: time since the start of the logs, and since the begin of the wait */
static void begin_line(struct line *line, const struct why *why, int64_t time)
{
	why_put_seconds(line, time - why_begin(why->logs), 4);
	line_column(line, COLUMN_RELATIVE);
	line_char(line, '+');
	why_put_ms(line, time - why->wait.since);
	line_column(line, COLUMN_TEXT);
}

static void print_head(const struct why *why)
{
	const struct why_wait *wait = &why->wait;
	const struct log_set_file *log = &why->logs->set.files[wait->log];
	int64_t real = evtlog_real_ns(log->file, why_raw_time(why->logs, wait->log, wait->since));
	time_t seconds = real / 1000000000;
	struct line line = { 0 };
	char text[32];
	struct tm tm;

	put_task(&line, why->logs, &why->threads, wait->utid, wait->since);
	line_text(&line, " on ");
	line_escaped(&line, log->name, strlen(log->name));
	line_text(&line, wait->begin_unknown || !wait->runs ? ": waited at least " : ": waited ");
	why_put_ms(&line, wait->blocked + wait->ready);
	if (real >= 0 && gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%F %T", &tm))
		line_printf(&line, ", from %s.%09d UTC", text, (int)(real % 1000000000));
	line_print(&line, stdout);
}

static void put_state(struct line *line, const struct why *why, int64_t state)
{
	struct dictionary_text text = dictionary_text(&why->logs->dictionary, state);
	const char *name = names_state(text.bytes[text.length - 1]);

	line_text(line, "state ");
	why_put_text(line, &why->logs->dictionary, state);
	if (name)
		line_printf(line, " (%s)", name);
}

static void print_begin(const struct why *why)
{
	const struct why_wait *wait = &why->wait;
	struct line line = { 0 };

	if (wait->state == TEXT_UNKNOWN && wait->woken)
		return;
	begin_line(&line, why, wait->since);
	if (wait->begin_unknown)
		line_text(&line, "did not run");
	else if (why->left_cpu == CPU_UNKNOWN)
		line_text(&line, "left its CPU");
	else
		line_printf(&line, "left CPU %d", (int)why->left_cpu);
	if (why->call_number >= 0) {
		line_text(&line, " in system call ");
		if (why->call >= 0)
			why_put_text(&line, &why->logs->dictionary, why->call);
		else
			line_printf(&line, "%d", (int)why->call_number);
	}
	line_text(&line, ", in ");
	put_state(&line, why, wait->state != TEXT_UNKNOWN ? wait->state : wait->ready_state);
	if (wait->state != TEXT_UNKNOWN) {
		line_text(&line, wait->runs || wait->woken ? ": blocked for " :
							     ": blocked for at least ");
		why_put_ms(&line, wait->blocked);
	} else {
		line_text(&line, ": still ready to run");
	}
	line_print(&line, stdout);
}

static void print_wake(const struct why *why)
{
	const struct why_wake *wake = &why->wake;
	struct line line = { 0 };

	begin_line(&line, why, wake->time);
	line_printf(&line, "%s on CPU %d by ", wake->is_new ? "created" : "woken", (int)wake->cpu);
	if (wake->in_irq) {
		if (wake->doubtful)
			line_text(&line, "an interrupt");
		else
			why_put_context(&line, why->logs, wake->kind, wake->number, wake->name);
		line_text(&line, ", in ");
	}
	put_task(&line, why->logs, &why->threads, wake->waker, wake->time);
	line_print(&line, stdout);
}

static void print_move(const struct why *why, const struct why_move *move)
{
	struct line line = { 0 };

	begin_line(&line, why, move->time);
	line_printf(&line, "moved from CPU %d to CPU %d, by CPU %d", (int)move->orig, (int)move->dest,
		    (int)move->by);
	line_print(&line, stdout);
}

/* Name of the number in a field of a remote order; NULL if it has none */
static const char *name_of(const struct why *why, const struct why_field *field)
{
	const struct evtlog_file *file = why->logs->set.files[why->wait.log].file;
	struct dictionary_text key = dictionary_text(&why->logs->dictionary, field->key);

	if (key.length == strlen("operation") && !memcmp(key.bytes, "operation", key.length))
		return names_find(file, NAME_OPERATION, NULL, field->number);
	if (key.length == strlen("group_kind") && !memcmp(key.bytes, "group_kind", key.length))
		return names_find(file, NAME_GROUP, NULL, field->number);
	return NULL;
}

static void print_change(const struct why *why, const struct why_change *change)
{
	const struct dictionary *dictionary = &why->logs->dictionary;
	struct line line = { 0 };

	begin_line(&line, why, change->time);
	why_put_text(&line, dictionary, change->name);
	for (size_t i = 0; i < change->field_count; i++) {
		const struct why_field *field = &change->fields[i];
		const char *name = name_of(why, field);

		line_char(&line, ' ');
		why_put_text(&line, dictionary, field->key);
		line_char(&line, '=');
		if (field->text >= 0)
			why_put_text(&line, dictionary, field->text);
		else if (field->is_signed)
			line_s64(&line, field->number);
		else
			line_u64(&line, field->number, 0, ' ');
		if (name)
			line_printf(&line, "(%s)", name);
	}
	line_print(&line, stdout);
}

/* Moves and changes from @from to @to, not included, in the order of time */
static void print_events(const struct why *why, int64_t from, int64_t to)
{
	size_t m = 0, c = 0;

	while (m < why->move_count || c < why->change_count) {
		bool is_move = c == why->change_count ||
			       (m < why->move_count && why->moves[m].time <= why->changes[c].time);
		int64_t time = is_move ? why->moves[m].time : why->changes[c].time;

		if (time >= from && time < to) {
			if (is_move)
				print_move(why, &why->moves[m]);
			else
				print_change(why, &why->changes[c]);
		}
		m += is_move;
		c += !is_move;
	}
}

/* All that happened between the begin and the run, in the order of time */
static void print_middle(const struct why *why)
{
	int64_t end = why_wait_end(&why->wait), printed = INT64_MIN;
	bool is_woken = why->wake.known && why->wake.time <= end;
	struct line line = { 0 };

	if (is_woken) {
		print_events(why, printed, why->wake.time);
		print_wake(why);
		printed = why->wake.time;
	}
	if (!why->wait.runs && why->loss_count) {
		print_events(why, printed, end);
		begin_line(&line, why, end);
		line_text(&line, "events were lost: unknown from here on");
		line_print(&line, stdout);
		printed = end;
	}
	if (why->wake.known && !is_woken) {
		print_events(why, printed, why->wake.time);
		print_wake(why);
		printed = why->wake.time;
	}
	print_events(why, printed, INT64_MAX);
	if (why->more_changes)
		printf("... and %" PRIu64 " more remote orders and changes of priorities\n",
		       why->more_changes);
}

static void print_run(const struct why *why)
{
	struct line line = { 0 };

	if (!why->runs)
		return;
	begin_line(&line, why, why->run_at);
	line_printf(&line, "%s on CPU %d", why->wait.runs ? "ran" : "was seen again: ran",
		    (int)why->run_cpu);
	if (why->wait.runs && why->wait.ready_state != TEXT_UNKNOWN) {
		line_text(&line, ", ready to run for ");
		why_put_ms(&line, why->wait.ready);
	}
	line_print(&line, stdout);
}

void why_put_ran(struct line *line, const struct why *why, const struct ran *ran)
{
	if (ran->kind < RAN_SOFTIRQ)
		put_task(line, why->logs, &why->threads, ran->utid, why_wait_end(&why->wait));
	else
		why_put_context(line, why->logs, ran->kind, ran->number, ran->name);
}

static void print_one_ran(const struct why *why, const struct ran *ran, int64_t all)
{
	struct line line = { 0 };

	line_printf(&line, "%7.2f %%  %12.6f ms  ", 100.0 * ran->ns / all, ran->ns / 1e6);
	why_put_ran(&line, why, ran);
	line_print(&line, stdout);
}

static void print_meanwhile(const struct why *why)
{
	const struct meanwhile *meanwhile = &why->meanwhile;
	int64_t all = why->wait.ready, rest = 0;
	size_t shown = meanwhile->ran_count;

	if (!all)
		return;
	printf("While it was ready, its CPU was used by\n");
	if (shown > RAN_MAX)
		shown = RAN_MAX;
	while (shown > 1 && meanwhile->ran[shown - 1].ns < all * SHARE_MIN)
		shown--;
	for (size_t i = 0; i < shown; i++)
		print_one_ran(why, &meanwhile->ran[i], all);
	for (size_t i = shown; i < meanwhile->ran_count; i++)
		rest += meanwhile->ran[i].ns;
	if (rest)
		printf("%7.2f %%  %12.6f ms  others: %zu\n", 100.0 * rest / all, rest / 1e6,
		       meanwhile->ran_count - shown);
	if (meanwhile->known_ns < all)
		printf("%7.2f %%  %12.6f ms  unknown\n",
		       100.0 * (all - meanwhile->known_ns) / all,
		       (all - meanwhile->known_ns) / 1e6);
}

void why_print(const struct why *why)
{
	print_head(why);
	print_begin(why);
	print_middle(why);
	print_run(why);
	print_meanwhile(why);
	for (unsigned int i = 0; i < UNKNOWNS; i++) {
		if (!(why->unknown >> i & 1))
			continue;
		printf("Unknown: ");
		why_unknown_put(why, i, stdout);
		putchar('\n');
	}
}

/* ---- Table ---- */

static void put_reason(struct line *line, const struct query_logs *logs,
		       const struct threads *threads, const struct why_wait *wait)
{
	struct dictionary_text state;

	if (wait->woken) {
		line_text(line, wait->state == TEXT_UNKNOWN && !wait->begin_unknown ?
				"created by " : "woken by ");
		if (wait->in_irq)
			line_text(line, "an interrupt in ");
		put_task(line, logs, threads, wait->waker, why_wait_ready_at(wait));
		return;
	}
	if (wait->ready_state == TEXT_UNKNOWN) {
		line_text(line, "-");
		return;
	}
	state = dictionary_text(&logs->dictionary, wait->ready_state);
	line_text(line, state.length > 1 ? "preempted" : "yielded");
}

void why_print_table(const struct why_search *search, const struct why_found *found)
{
	const struct query_logs *logs = search->logs;
	int64_t begin = why_begin(logs);

	printf("%16s %14s %14s %5s %14s %3s  %-24s %s\n", "since s", "wait ms", "blocked ms",
	       "state", "ready ms", "CPU", "task", "ready because");
	for (size_t i = 0; i < found->waits.count; i++) {
		const struct why_wait *wait = &found->waits.at[i];
		const char *name = logs->set.files[wait->log].name;
		struct line line = { 0 };
		size_t column;

		why_put_seconds(&line, wait->since - begin, 6);
		/* At least this long */
		line_printf(&line, " %c%13.6f %14.6f ", wait->begin_unknown || !wait->runs ? '>' : ' ',
			    (wait->blocked + wait->ready) / 1e6, wait->blocked / 1e6);
		line_text(&line, "    ");
		if (wait->state != TEXT_UNKNOWN)
			why_put_text(&line, &logs->dictionary, wait->state);
		else
			line_char(&line, '-');
		line_printf(&line, " %14.6f ", wait->ready / 1e6);
		if (wait->cpu == CPU_UNKNOWN)
			line_text(&line, "  -  ");
		else
			line_printf(&line, "%3d  ", (int)wait->cpu);
		column = line.length + 24;
		put_task(&line, logs, &found->threads, wait->utid, wait->since);
		if (logs->set.count > 1) {
			line_char(&line, '@');
			line_escaped(&line, name, strlen(name));
		}
		line_column(&line, column);
		put_reason(&line, logs, &found->threads, wait);
		line_print(&line, stdout);
	}
}
