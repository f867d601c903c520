// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds tasks, and adds up the times of a process's threads.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tasks.h"
#include "view/http/request.h"
#include "view/session/session.h"

/* True if a name of the task, or its label, contains the first @length bytes of @text. */
static bool has_name(const struct session *session, uint32_t host, uint32_t id,
		     const char *text, size_t length)
{
	const struct evtlog_index_name *names;
	size_t count = evtlog_index_task_names(session->hosts[host].index, id, &names);
	char comm[SESSION_LABEL_BYTES + 1], part[SESSION_LABEL_BYTES + 1];

	if (length >= sizeof(part))
		return false;
	snprintf(part, sizeof(part), "%.*s", (int)length, text);
	for (size_t i = 0; i < count; i++) {
		snprintf(comm, sizeof(comm), "%.*s", EVTLOG_COMM_LEN, names[i].comm);
		if (strcasestr(comm, part))
			return true;
	}
	comm[session_task_label(session, host, id, comm)] = '\0';
	return strcasestr(comm, part);
}

/* True if pid, name or both, as in "md5sum 77", fit.  The same as fitsTask() in names.js. */
static bool fits(const struct session *session, uint32_t host, uint32_t id,
		 const struct evtlog_index_task *task, const char *text)
{
	const char *last;
	char pid[16];

	if (!text)
		return true;
	snprintf(pid, sizeof(pid), "%u", task->pid);
	if (!strncmp(pid, text, strlen(text)) ||
	    has_name(session, host, id, text, strlen(text)))
		return true;
	last = strrchr(text, ' ');
	return last && last > text && last[1] && !strncmp(pid, last + 1, strlen(last + 1)) &&
	       has_name(session, host, id, text, last - text);
}

size_t tasks_busiest(const struct session *session, const char *text,
		     struct task_context *best, size_t max)
{
	size_t count = 0;

	for (uint32_t host = 0; host < session->host_count; host++) {
		uint32_t tasks = evtlog_index_task_count(session->hosts[host].index);

		for (uint32_t id = 1; id < tasks; id++) {
			const struct evtlog_index_task *task = session_task(session, host, id);
			size_t at = count;

			if ((count == max && task->run_ns <= best[max - 1].task->run_ns) ||
			    !fits(session, host, id, task, text))
				continue;
			if (count < max)
				count++;
			else
				at--;
			for (; at && best[at - 1].task->run_ns < task->run_ns; at--)
				best[at] = best[at - 1];
			best[at] = (struct task_context) { host, id, task, NULL };
		}
	}
	return count;
}

/* Writes the time at which the task got its pid, or null if no other task had this pid. */
static void since_json(struct json *json, const struct session *session,
		       const struct task_context *context)
{
	const struct session_host *host = &session->hosts[context->host];
	const struct evtlog_index_name *names;
	uint32_t pid = context->task->pid;
	uint64_t begin_ns = evtlog_begin_ns(session->logs.files[host->file].file);

	if (evtlog_index_task_at(host->index, pid, 0) == context->id &&
	    evtlog_index_task_at(host->index, pid, UINT64_MAX) == context->id) {
		json_null(json, "since");
		return;
	}
	evtlog_index_task_names(host->index, context->id, &names);
	answer_s64(json, "since", session_time(session, context->host,
					       names[0].from_ns > begin_ns ? names[0].from_ns :
					       begin_ns));
}

/* Writes the names with their begins, if there are several. */
static void called_json(struct json *json, const struct session *session,
			const struct task_context *context)
{
	const struct evtlog_index *index = session->hosts[context->host].index;
	const struct evtlog_index_name *names;
	size_t count = evtlog_index_task_names(index, context->id, &names);

	if (count < 2)
		return;
	json_array(json, "called");
	for (size_t i = 0; i < count; i++) {
		json_object(json, NULL);
		answer_s64(json, "from", session_time(session, context->host, names[i].from_ns));
		json_bytes(json, "comm", names[i].comm, strnlen(names[i].comm, EVTLOG_COMM_LEN));
		json_end(json);
	}
	json_end(json);
}

void task_members_json(struct json *json, struct session *session,
		       const struct task_context *context)
{
	const char *comm = context->comm ? context->comm : context->task->comm;
	char label[SESSION_LABEL_BYTES];

	json_u64(json, "id", context->id);
	json_u64(json, "pid", context->task->pid);
	json_bytes(json, "comm", comm, strnlen(comm, EVTLOG_COMM_LEN));
	json_bytes(json, "names", label,
		   session_task_label(session, context->host, context->id, label));
	since_json(json, session, context);
	called_json(json, session, context);
	task_colours_json(json, session, context->host, context->id);
}

void task_context_json(struct json *json, struct session *session,
		       const struct task_context *context)
{
	json_object(json, NULL);
	json_u64(json, "host", context->host);
	task_members_json(json, session, context);
	answer_u64(json, "run_ns", context->task->run_ns);
	answer_u64(json, "switches", context->task->switches);
	json_end(json);
}

/* ---- Times of processes ---- */

/* A tgid can be reused, so a process is identified by tgid and first thread. */

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

/* Sum over the threads of a process.  @threads: number of threads */
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

/* If a pid was reused, a task may have two entries, but is still one thread. */
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
