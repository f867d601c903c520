// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds waits in one scan: the worst ones, or the wait at a time.
 *
 * It selects the logs, their parts and the task; waits.c makes waits of the rows.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/spelling.h"
#include "finder.h"

#define EVENTS_AT_ONCE	4096

/* ---- Reading ---- */

int64_t why_row_time(const struct query_logs *logs, size_t number, uint64_t raw_ns)
{
	return logs->set.count > 1 ? evtlog_clocksync_time(logs->set.hosts, number, raw_ns) :
				     (int64_t)raw_ns;
}

uint64_t why_raw_time(const struct query_logs *logs, size_t number, int64_t time)
{
	return logs->set.count > 1 ? evtlog_clocksync_raw(logs->set.hosts, number, time) :
				     (uint64_t)time;
}

int why_read(struct query_logs *logs, size_t number, struct query_part part, uint32_t wanted,
	     tables_row *row, void *context, int64_t *first)
{
	struct tables_numbers numbers;
	struct progress progress;
	struct tables *tables;
	uint64_t raw_ns;
	int result = query_logs_read(logs, number, part, wanted, &numbers, NULL, row, context,
				     &tables);

	progress_begin(&progress, "why", result ? 0 : tables_bytes(tables));
	if (first)
		*first = INT64_MIN;
	if (!result && first) {
		result = tables_peek(tables, &raw_ns);
		if (result > 0)
			*first = why_row_time(logs, number, raw_ns);
	}
	if (!result)
		result = 1;
	while (result > 0) {
		result = tables_next(tables, EVENTS_AT_ONCE);
		progress_update(&progress, tables_position(tables));
	}
	progress_end(&progress);
	tables_free(tables);
	return result == -ECANCELED ? 0 : result;
}

int64_t why_begin(const struct query_logs *logs)
{
	return log_set_begin_ns(&logs->set);
}

bool why_is_tree(const struct query_logs *logs)
{
	return evtlog_tree_pid(logs->set.files[0].file);
}

int64_t why_time(const struct query_logs *logs, uint64_t ns)
{
	int64_t begin = why_begin(logs);

	return ns > (uint64_t)INT64_MAX - begin ? INT64_MAX : begin + (int64_t)ns;
}

/* ---- Threads that fit ---- */

static bool thread_fits(const struct finder *finder, const struct thread *thread)
{
	const struct why_task *task = finder->search->task;
	const struct threads *threads = &finder->found->threads;

	if (!thread->listed || thread->utid == UTID_IDLE)
		return false;
	if (why_task_fits(task, finder->dictionary, thread->name, thread->pid))
		return true;
	/* With a time, only the name at that time counts. */
	if (task->has_time)
		return false;
	for (uint32_t at = thread->names; at; at = threads->names[at - 1].before)
		if (why_task_fits(task, finder->dictionary, threads->names[at - 1].name,
				  thread->pid))
			return true;
	return false;
}

static int add_name(const struct finder *finder, struct offer *offer, const struct thread *thread)
{
	const struct logs *set = &finder->search->logs->set;
	struct dictionary_text name = { "?", 1 };
	bool has_host = set->count > 1;
	char *text;
	int error;

	if (thread->name >= 0)
		name = dictionary_text(finder->dictionary, thread->name);
	if (asprintf(&text, "%.*s-%u%s%s", (int)name.length, name.bytes, thread->pid,
		     has_host ? "@" : "", has_host ? set->files[thread->log].name : "") < 0)
		return -ENOMEM;
	error = offer_add(offer, text);
	free(text);
	return error;
}

/* Refuses a task that does not exist, or a name of several tasks.  Returns an exit status. */
static int refuse(const struct finder *finder, bool fitting, const char *why)
{
	const struct threads *threads = &finder->found->threads;
	struct offer offer;
	int error = 0;

	offer_start(&offer, finder->search->task->name);
	for (size_t i = 0; i < threads->count && !error; i++)
		if (threads->at[i].listed && threads->at[i].utid != UTID_IDLE &&
		    (!fitting || thread_fits(finder, &threads->at[i])))
			error = add_name(finder, &offer, &threads->at[i]);
	if (!error)
		return offer_misuse(&offer, "why", "TASK", why);
	offer_free(&offer);
	pr_err("%s", strerror(-error));
	return EXIT_FAILED;
}

/*
 * Finds the thread that fits; if several have its pid, which was used again, the one that has not
 * ended.  Returns an exit status.
 */
static int choose(const struct finder *finder, const struct thread **chosen)
{
	const struct threads *threads = &finder->found->threads;
	bool several = false;

	*chosen = NULL;
	for (size_t i = 0; i < threads->count; i++) {
		const struct thread *thread = &threads->at[i];

		if (!thread_fits(finder, thread))
			continue;
		if (*chosen && ((*chosen)->pid != thread->pid || (*chosen)->log != thread->log))
			several = true;
		if (!*chosen || (*chosen)->ended)
			*chosen = thread;
	}
	if (!*chosen)
		return refuse(finder, false, "no task has this name or pid");
	if (several && !finder->search->several)
		return refuse(finder, true, "several tasks have this name; name one of them, or use --worst");
	return EXIT_OK;
}

static int fail(const struct finder *finder, int error)
{
	pr_err("%s: %s", finder->search->logs->set.files[finder->log].path, strerror(-error));
	return EXIT_FAILED;
}

static int init(struct finder *finder, const struct why_search *search, struct why_found *found)
{
	*finder = (struct finder) {
		.search = search,
		.found = found,
		.dictionary = &search->logs->dictionary,
		.utid = UTID_UNKNOWN,
		.ready = dictionary_add_text(&search->logs->dictionary, "R"),
	};
	if (finder->ready >= 0)
		return EXIT_OK;
	return fail(finder, finder->ready);
}

int why_find(const struct why_search *search, struct why_found *found)
{
	const uint32_t wanted = UINT32_C(1) << TABLE_SCHED_SLICE | UINT32_C(1) << TABLE_THREAD |
				UINT32_C(1) << TABLE_THREAD_WAIT_REST |
				UINT32_C(1) << TABLE_THREAD_NAME;
	const struct query_part part = { search->from, search->to, INT64_MAX };
	const struct thread *thread;
	struct finder finder;
	int status = init(&finder, search, found);

	for (; status == EXIT_OK && finder.log < search->logs->set.count; finder.log++) {
		int error;

		if (!why_task_on(search->task, search->logs, finder.log))
			continue;
		error = why_read(search->logs, finder.log, part, wanted, why_take_row, &finder,
				 NULL);
		if (error)
			status = fail(&finder, error);
	}
	if (status == EXIT_OK && search->task)
		status = choose(&finder, &thread);
	worst_sort(&found->waits, search->sort);
	return status;
}

/* ---- The wait at a time ---- */

static int take_thread_at(void *context, enum table_number table, const int64_t *values,
			  uint32_t nulls)
{
	struct finder *finder = context;

	(void)table;
	return why_threads_take_row(&finder->found->threads, finder->log, finder->dictionary, values,
				nulls);
}

/* The threads at the time of the task */
static int read_threads(struct finder *finder)
{
	const struct why_search *search = finder->search;
	const struct query_part part = { search->task->time, search->task->time, INT64_MAX };

	for (finder->log = 0; finder->log < search->logs->set.count; finder->log++) {
		int error = 0;

		if (why_task_on(search->task, search->logs, finder->log))
			error = why_read(search->logs, finder->log, part,
					 UINT32_C(1) << TABLE_THREAD, take_thread_at, finder, NULL);
		if (error)
			return fail(finder, error);
	}
	return EXIT_OK;
}

static int refuse_time(const struct finder *finder)
{
	const struct why_task *task = finder->search->task;
	int64_t begin = why_begin(finder->search->logs);

	if (finder->ran)
		pr_err("why: %s: it did not wait then: it ran on CPU %d from %.9f s to %.9f s; name a time before or after",
		       task->text, (int)finder->ran_cpu, (finder->ran_from - begin) / 1e9,
		       (finder->ran_to - begin) / 1e9);
	else
		pr_err("why: %s: the log does not show what the task did then; name another time",
		       task->text);
	return EXIT_FAILED;
}

int why_find_at(const struct why_search *search, struct why_found *found)
{
	const uint32_t wanted = UINT32_C(1) << TABLE_SCHED_SLICE | UINT32_C(1) << TABLE_THREAD |
				UINT32_C(1) << TABLE_THREAD_WAIT_REST;
	const struct query_part part = { search->task->time, INT64_MAX, INT64_MAX };
	int64_t begin = why_begin(search->logs), end = log_set_end_ns(&search->logs->set);
	const struct thread *thread;
	struct finder finder;
	int error, status = init(&finder, search, found);

	if (search->task->time > end)
		return misuse("why", "%s: the run is %.9f s long", search->task->text,
			      (end - begin) / 1e9);
	if (status == EXIT_OK)
		status = read_threads(&finder);
	if (status == EXIT_OK)
		status = choose(&finder, &thread);
	if (status != EXIT_OK)
		return status;
	finder.utid = thread->utid;
	finder.log = thread->log;
	error = why_read(search->logs, finder.log, part, wanted, why_take_row, &finder, NULL);
	if (error)
		return fail(&finder, error);
	return found->waits.count ? EXIT_OK : refuse_time(&finder);
}

void why_found_free(struct why_found *found)
{
	free(found->waits.at);
	why_threads_free(&found->threads);
}
