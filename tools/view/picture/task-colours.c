// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the colours and names of the tasks on a picture.
 *
 * Stage: within the picture, between bins and the legend.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "draw/colours.h"
#include "task-colours.h"
#include "view/session/session.h"

/* @name: with its pid */
struct seen {
	char *name;
	uint32_t pid;
	uint32_t colour;
	uint64_t ns;
};

/*
 * @of_ids: for each host, by its tasks' ids; NULL before it was seen
 * @tree: the same by pid and name
 */
struct picture_tasks {
	struct session *session;
	struct seen ***of_ids;
	void *tree;
	size_t count;
	const struct seen **listed;
};

static int compare(const void *x, const void *y)
{
	const struct seen *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void free_seen(void *node)
{
	struct seen *seen = node;

	free(seen->name);
	free(seen);
}

struct picture_tasks *picture_tasks_new(struct session *session)
{
	struct picture_tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks)
		return NULL;
	tasks->session = session;
	tasks->of_ids = calloc(session->host_count + 1, sizeof(*tasks->of_ids));
	if (tasks->of_ids)
		return tasks;
	free(tasks);
	return NULL;
}

void picture_tasks_free(struct picture_tasks *tasks)
{
	if (!tasks)
		return;
	for (uint32_t i = 0; i < tasks->session->host_count; i++)
		free(tasks->of_ids[i]);
	tdestroy(tasks->tree, free_seen);
	free(tasks->of_ids);
	free(tasks->listed);
	free(tasks);
}

/* "sh 123"; the logger is told from its like. */
static char *name_of(const struct evtlog_index_task *task)
{
	char *comm = utf8_clean(task->comm, sizeof(task->comm)), *name;
	int length = -1;

	if (comm)
		length = asprintf(&name, "%s%s%u%s", comm, *comm ? " " : "", task->pid,
				  task->logger ? " (logger)" : "");
	free(comm);
	return length < 0 ? NULL : name;
}

static struct seen *find(struct picture_tasks *tasks, const struct evtlog_index_task *task)
{
	struct seen *seen = calloc(1, sizeof(*seen)), **found;

	if (!seen)
		return NULL;
	seen->pid = task->pid;
	seen->colour = task->logger ? VIEW_LOGGER :
		       view_task_colour(task->pid);
	seen->name = name_of(task);
	if (!seen->name) {
		free(seen);
		return NULL;
	}
	found = tsearch(seen, &tasks->tree, compare);
	if (!found || *found != seen)
		free_seen(seen);
	else
		tasks->count++;
	return found ? *found : NULL;
}

int picture_tasks_see(struct picture_tasks *tasks, uint32_t host, uint32_t id,
		      uint64_t ns, uint32_t *colour, const char **name)
{
	const struct evtlog_index_task *task = session_task(tasks->session, host, id);
	size_t ids = evtlog_index_task_count(tasks->session->hosts[host].index);
	struct seen **seen;

	*colour = id == EVTLOG_TASK_UNKNOWN ? VIEW_UNKNOWN : id ? VIEW_OTHER : VIEW_IDLE;
	*name = NULL;
	if (!id || !task || id >= ids)
		return 0;
	if (!tasks->of_ids[host]) {
		tasks->of_ids[host] = calloc(ids, sizeof(**tasks->of_ids));
		if (!tasks->of_ids[host])
			return -ENOMEM;
	}
	seen = &tasks->of_ids[host][id];
	if (!*seen)
		*seen = find(tasks, task);
	if (!*seen)
		return -ENOMEM;
	(*seen)->ns += ns;
	*colour = (*seen)->colour;
	*name = (*seen)->name;
	return 0;
}

static void list_one(const void *node, VISIT visit, void *closure)
{
	struct picture_tasks *tasks = closure;

	if (visit == postorder || visit == leaf)
		tasks->listed[tasks->count++] = *(const struct seen *const *)node;
}

static int by_time(const void *x, const void *y)
{
	const struct seen *a = *(const struct seen *const *)x;
	const struct seen *b = *(const struct seen *const *)y;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return compare(a, b);
}

int picture_tasks_list(struct picture_tasks *tasks, struct picture_scene *scene)
{
	size_t count = tasks->count;

	scene->tasks = calloc(count + 1, sizeof(*scene->tasks));
	tasks->listed = calloc(count + 1, sizeof(*tasks->listed));
	if (!scene->tasks || !tasks->listed)
		return -ENOMEM;
	tasks->count = 0;
	twalk_r(tasks->tree, list_one, tasks);
	qsort(tasks->listed, count, sizeof(*tasks->listed), by_time);
	for (size_t i = 0; i < count; i++) {
		const struct seen *seen = tasks->listed[i];

		scene->tasks[i] = (struct picture_task) {
			.name = seen->name, .colour = seen->colour, .ns = seen->ns,
		};
	}
	scene->task_count = count;
	return 0;
}
