// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums of the threads of processes.
 *
 * A tgid may be given again to another process: a process is also told by its first thread.
 */
#include <errno.h>
#include <stdlib.h>

#include "processes.h"
#include "tasks.h"
#include "view/http/request.h"

#define PROCESSES_MAX	100

bool process_of(struct session *session, uint32_t host, uint32_t id, struct process *process)
{
	const struct evtlog_index_task *task = session_task(session, host, id);

	if (!task)
		return false;
	*process = (struct process) {
		host, task->tgid, session_task_at(session, host, task->tgid, task->first_ns),
	};
	return true;
}

static int compare(const struct process *a, const struct process *b)
{
	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->tgid != b->tgid)
		return a->tgid < b->tgid ? -1 : 1;
	return a->leader < b->leader ? -1 : a->leader > b->leader;
}

bool process_equal(const struct process *a, const struct process *b)
{
	return !compare(a, b);
}

int thread_times_add(struct thread_times *times, struct session *session, uint32_t host,
		     uint32_t id, uint64_t ns)
{
	struct thread_time time = { .task = id, .ns = ns };

	if (!id || !process_of(session, host, id, &time.process))
		return 0;
	if (times->count == times->capacity) {
		size_t capacity = times->capacity ? 2 * times->capacity : 64;
		struct thread_time *items = reallocarray(times->items, capacity,
							 sizeof(*items));

		if (!items)
			return -ENOMEM;
		times->items = items;
		times->capacity = capacity;
	}
	times->items[times->count++] = time;
	return 0;
}

static int by_process(const void *a, const void *b)
{
	const struct thread_time *x = a, *y = b;
	int order = compare(&x->process, &y->process);

	return order ? order : x->task < y->task ? -1 : x->task > y->task;
}

/* Of one process together; @threads is counted. */
struct process_time {
	const struct thread_time *first;
	size_t threads;
	uint64_t ns;
};

static int by_time(const void *a, const void *b)
{
	const struct process_time *x = a, *y = b;

	return x->ns > y->ns ? -1 : x->ns < y->ns;
}

/* A pid that was given again may have two profiles of one task: it is one thread. */
static size_t sum_up(const struct thread_times *times, struct process_time *sums)
{
	size_t count = 0;

	for (size_t i = 0, end; i < times->count; i = end) {
		struct process_time sum = { .first = &times->items[i] };

		for (end = i; end < times->count &&
		     process_equal(&times->items[end].process, &sum.first->process); end++) {
			sum.ns += times->items[end].ns;
			if (end == i || times->items[end].task != times->items[end - 1].task)
				sum.threads++;
		}
		if (sum.threads > 1)
			sums[count++] = sum;
	}
	return count;
}

static void process_json(struct json *json, struct session *session,
			 const struct process_time *sum)
{
	const struct process *process = &sum->first->process;
	struct task_context context = { .host = process->host, .id = process->leader };

	if (context.id == EVTLOG_TASK_UNKNOWN)
		context.id = sum->first->task;
	context.task = session_task(session, context.host, context.id);
	json_object(json, NULL);
	json_object(json, "task");
	task_members_json(json, session, &context);
	json_end(json);
	json_u64(json, "host", process->host);
	json_u64(json, "tgid", process->tgid);
	json_u64(json, "threads", sum->threads);
	answer_u64(json, "cpu_ns", sum->ns);
	json_end(json);
}

int thread_times_sum(struct thread_times *times)
{
	struct process_time *sums = calloc(times->count + 1, sizeof(*sums));

	if (!sums)
		return -ENOMEM;
	if (times->count)
		qsort(times->items, times->count, sizeof(*times->items), by_process);
	times->sum_count = sum_up(times, sums);
	qsort(sums, times->sum_count, sizeof(*sums), by_time);
	times->sums = sums;
	return 0;
}

void processes_json(struct json *json, struct session *session, const struct thread_times *times)
{
	json_array(json, "processes");
	for (size_t i = 0; i < times->sum_count && i < PROCESSES_MAX; i++)
		process_json(json, session, &times->sums[i]);
	json_end(json);
}

void thread_times_free(struct thread_times *times)
{
	free(times->items);
	free(times->sums);
}
