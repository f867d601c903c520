// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which task had which pid and which name at what time.
 *
 * Made after all CPUs were read, because a fork on one CPU defines the task on another CPU.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/array.h"
#include "lib/stream/task-names.h"

/* Further tasks share the last id of their pid. */
#define TASKS_MAX	(1u << 20)

static struct index_news *room_for(struct index_news_list *list)
{
	if (array_reserve(&list->at, &list->capacity, list->count, sizeof(*list->at)))
		return NULL;
	return &list->at[list->count++];
}

int index_news_add(struct index_news_list *list, const struct evtlog_event *event)
{
	struct index_news news, *to;
	const uint64_t *words = event->words;
	struct task_naming naming;

	if (!task_naming(event, &naming) || list->count >= list->limit)
		return 0;
	news = (struct index_news) {
		.time_ns = event->time_ns,
		.kind = INDEX_RUNS,
		.pid = naming.pid,
	};
	memcpy(news.comm, naming.comm, sizeof(news.comm));
	switch (event->known) {
	case EVTLOG_TASK:
		news.kind = INDEX_SEEN;
		news.tgid = words[1];
		news.has_tgid = true;
		news.flags = words[3] >> 32;
		break;
	case EVTLOG_SCHED_PROCESS_FORK:
		news.kind = INDEX_BIRTH;
		news.tgid = words[1] >> 32;
		news.has_tgid = true;
		break;
	case EVTLOG_SCHED_PROCESS_EXEC:
		news.kind = INDEX_EXEC;
		news.tgid = words[1] >> 32;
		news.has_tgid = true;
		break;
	case EVTLOG_TASK_RENAME:
		news.kind = INDEX_RENAME;
		break;
	default:
		break;
	}
	to = room_for(list);
	if (!to)
		return -ENOMEM;
	*to = news;
	return 0;
}

static int compare_news(const void *x, const void *y)
{
	const struct index_news *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	/* At the same ns, the fork comes before all other news. */
	return (a->kind > b->kind) - (a->kind < b->kind);
}

static struct evtlog_index_task *add(struct index_tasks *making, uint32_t pid,
				     uint64_t from_ns, uint32_t logger_pid)
{
	struct evtlog_index_task *task = &making->tasks[making->count];

	memset(task, 0, sizeof(*task));
	task->pid = pid;
	task->tgid = pid;
	task->logger = pid == logger_pid && logger_pid;
	task->first_ns = UINT64_MAX;
	making->names[making->name_count] = (struct evtlog_index_name) { .from_ns = from_ns };
	making->lifetimes[making->lifetime_count++] = (struct index_lifetime) {
		.pid = pid,
		.id = making->count++,
		.from_ns = from_ns,
		.first_name = making->name_count++,
		.name_count = 1,
	};
	return task;
}

static bool is_same(const struct evtlog_index_name *name, const char *comm)
{
	return !memcmp(name->comm, comm, sizeof(name->comm));
}

/* Names the last task from @from_ns on.  @seen: it may have had the name before, too */
static void add_name(struct index_tasks *making, const char *comm, uint64_t from_ns, bool seen)
{
	struct index_lifetime *lifetime = &making->lifetimes[making->lifetime_count - 1];
	struct evtlog_index_name *name = &making->names[making->name_count - 1];
	bool is_first = lifetime->name_count == 1 && !name->comm[0];

	if (is_same(name, comm))
		return;
	if (from_ns == name->from_ns && lifetime->name_count > 1 && is_same(name - 1, comm)) {
		making->name_count--;
		lifetime->name_count--;
		return;
	}
	if (from_ns > name->from_ns && !(is_first && seen)) {
		(++name)->from_ns = from_ns;
		making->name_count++;
		lifetime->name_count++;
	}
	memcpy(name->comm, comm, sizeof(name->comm));
}

static void learn(struct index_tasks *making, struct evtlog_index_task *task,
		  const struct index_news *news)
{
	add_name(making, news->comm, news->time_ns, news->kind != INDEX_EXEC &&
						    news->kind != INDEX_RENAME);
	memcpy(task->comm, news->comm, sizeof(task->comm));
	if (news->has_tgid)
		task->tgid = news->tgid;
	if (news->kind == INDEX_SEEN)
		task->flags = news->flags;
	task->kernel_thread = task->flags & EVTLOG_TASK_KTHREAD;
}

/* Makes the tasks of a pid.  @ran: not NULL if it ran.  @news: sorted by time. */
static void make_pid(struct index_tasks *making, const struct index_pid *ran, uint32_t pid,
		     const struct index_news *news, size_t count, uint32_t logger_pid)
{
	struct evtlog_index_task *task = NULL;

	if (ran && (!count || (news->kind == INDEX_BIRTH &&
			       ran->first_ns < news->time_ns)))
		task = add(making, pid, 0, logger_pid);
	for (size_t i = 0; i < count; i++) {
		if (!task || (news[i].kind == INDEX_BIRTH && making->count < TASKS_MAX))
			task = add(making, pid, task ? news[i].time_ns : 0, logger_pid);
		learn(making, task, &news[i]);
	}
}

int index_lifetimes_make(struct index_news_list *news, struct index_pids *ran,
			 uint32_t logger_pid, bool is_of_tree, struct index_tasks *tasks)
{
	size_t capacity = news->count + 2 * (size_t)ran->count + 1, i = 0;
	uint32_t j = 0;

	*tasks = (struct index_tasks) {
		.tasks = calloc(capacity, sizeof(*tasks->tasks)),
		.lifetimes = calloc(capacity, sizeof(*tasks->lifetimes)),
		.names = calloc(capacity + news->count, sizeof(*tasks->names)),
	};
	if (!tasks->tasks || !tasks->lifetimes || !tasks->names) {
		index_tasks_free(tasks);
		return -ENOMEM;
	}
	if (news->count)
		qsort(news->at, news->count, sizeof(*news->at), compare_news);
	index_pids_sort(ran);
	add(tasks, 0, 0, 0);
	if (is_of_tree) {
		strcpy(tasks->tasks->comm, TASKS_OUTSIDE);
	} else {
		tasks->tasks->flags = EVTLOG_TASK_KTHREAD;
		tasks->tasks->kernel_thread = true;
		strcpy(tasks->tasks->comm, "swapper");
	}
	add_name(tasks, tasks->tasks->comm, 0, true);
	while (i < news->count || j < ran->count) {
		uint32_t pid = i == news->count ||
			       (j < ran->count && ran->at[j].pid < news->at[i].pid) ?
			       ran->at[j].pid : news->at[i].pid;
		const struct index_pid *this = NULL;
		size_t first = i;

		while (i < news->count && news->at[i].pid == pid)
			i++;
		if (j < ran->count && ran->at[j].pid == pid)
			this = &ran->at[j++];
		if (pid)
			make_pid(tasks, this, pid, news->at + first, i - first,
				 logger_pid);
	}
	return 0;
}

void index_tasks_free(struct index_tasks *tasks)
{
	free(tasks->tasks);
	free(tasks->lifetimes);
	free(tasks->names);
	*tasks = (struct index_tasks) { 0 };
}

/* Number of the first lifetime after the one that contains @time_ns. */
static size_t find_behind(const struct evtlog_index *index, uint32_t pid,
			  uint64_t time_ns)
{
	const struct index_lifetime *lifetimes = index->tasks.lifetimes;
	size_t low = 0, high = index->tasks.lifetime_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lifetimes[middle].pid < pid || (lifetimes[middle].pid == pid &&
						    lifetimes[middle].from_ns <= time_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t index_next_lifetime(const struct evtlog_index *index, uint32_t pid,
			     uint64_t time_ns)
{
	size_t behind = find_behind(index, pid, time_ns);

	/* A file made by others can have lifetimes in any order. */
	if (behind == index->tasks.lifetime_count || index->tasks.lifetimes[behind].pid != pid ||
	    index->tasks.lifetimes[behind].from_ns <= time_ns)
		return UINT64_MAX;
	return index->tasks.lifetimes[behind].from_ns;
}

/* The lifetime that contains @time_ns; NULL if no task ever had @pid. */
static const struct index_lifetime *find(const struct evtlog_index *index, uint32_t pid,
					 uint64_t time_ns)
{
	const struct index_lifetime *lifetimes = index->tasks.lifetimes;
	size_t low = find_behind(index, pid, time_ns);

	if (low && lifetimes[low - 1].pid == pid)
		return &lifetimes[low - 1];
	return low < index->tasks.lifetime_count && lifetimes[low].pid == pid ?
	       &lifetimes[low] : NULL;
}

uint32_t evtlog_index_task_at(const struct evtlog_index *index, uint32_t pid,
			      uint64_t time_ns)
{
	const struct index_lifetime *lifetime;

	if (!pid)
		return 0;
	lifetime = pid == EVTLOG_PID_UNKNOWN ? NULL : find(index, pid, time_ns);
	return lifetime ? lifetime->id : EVTLOG_TASK_UNKNOWN;
}

bool index_lifetime_span(const struct evtlog_index *index, uint32_t id,
			 uint64_t *from_ns, uint64_t *until_ns)
{
	const struct index_lifetime *lifetimes = index->tasks.lifetimes;

	/* Each task has one lifetime, and lifetimes are sorted by id. */
	if (id >= index->tasks.lifetime_count || lifetimes[id].id != id)
		return false;
	*from_ns = lifetimes[id].from_ns;
	*until_ns = UINT64_MAX;
	if (id && lifetimes[id - 1].pid != lifetimes[id].pid)
		*from_ns = 0;
	if (id + 1 < index->tasks.lifetime_count && lifetimes[id + 1].pid == lifetimes[id].pid)
		*until_ns = lifetimes[id + 1].from_ns;
	return true;
}

size_t evtlog_index_task_count(const struct evtlog_index *index)
{
	return index->tasks.count;
}

const struct evtlog_index_task *evtlog_index_task(const struct evtlog_index *index,
						  uint32_t id)
{
	return id < index->tasks.count ? &index->tasks.tasks[id] : NULL;
}

size_t evtlog_index_task_names(const struct evtlog_index *index, uint32_t id,
			       const struct evtlog_index_name **names)
{
	if (id >= index->tasks.lifetime_count)
		return 0;
	*names = index->tasks.names + index->tasks.lifetimes[id].first_name;
	return index->tasks.lifetimes[id].name_count;
}

const char *evtlog_index_task_name(const struct evtlog_index *index, uint32_t id,
				   uint64_t time_ns)
{
	const struct evtlog_index_name *names;
	size_t low = 0, high = evtlog_index_task_names(index, id, &names);

	if (!high)
		return NULL;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (names[middle].from_ns <= time_ns)
			low = middle;
		else
			high = middle;
	}
	return names[low].comm;
}
