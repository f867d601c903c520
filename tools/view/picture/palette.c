// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the tasks and the registered events that a picture names, with their colours.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "draw/canvas.h"
#include "layout.h"
#include "lib/base/array.h"
#include "view/api/lane-events.h"
#include "view/session/session.h"

/*
 * @name: with the pid; NULL if the task is not visible
 * @full_name: with the host, if there are several hosts
 * @called: each of the task's names with the pid, as far as requested; NULL if none was
 */
struct seen {
	char *name;
	char *full_name;
	char **called;
	uint32_t colour;
	uint64_t ns;
};

/*
 * @of_ids: for each host, by task id; NULL if no task of the host is visible
 * @several: names contain the host
 * @count: number of visible tasks
 */
struct picture_tasks {
	struct session *session;
	struct seen **of_ids;
	bool several;
	size_t count;
};

struct picture_tasks *picture_tasks_new(struct session *session)
{
	struct picture_tasks *tasks = calloc(1, sizeof(*tasks));

	uint32_t shown = 0;

	if (!tasks)
		return NULL;
	for (uint32_t i = 0; i < session->host_count; i++)
		shown += session->hosts[i].lane_count > 0;
	tasks->session = session;
	tasks->several = shown > 1;
	tasks->of_ids = calloc(session->host_count + 1, sizeof(*tasks->of_ids));
	if (tasks->of_ids)
		return tasks;
	free(tasks);
	return NULL;
}

static size_t id_count(const struct picture_tasks *tasks, uint32_t host)
{
	return evtlog_index_task_count(tasks->session->hosts[host].index);
}

static void free_called(const struct picture_tasks *tasks, uint32_t host, uint32_t id,
			char **called)
{
	const struct evtlog_index_name *names;
	size_t count = evtlog_index_task_names(tasks->session->hosts[host].index, id, &names);

	for (size_t i = 0; called && i < count; i++)
		free(called[i]);
	free(called);
}

void picture_tasks_free(struct picture_tasks *tasks)
{
	if (!tasks)
		return;
	for (uint32_t host = 0; host < tasks->session->host_count; host++) {
		struct seen *seen = tasks->of_ids[host];

		for (size_t id = 0; seen && id < id_count(tasks, host); id++) {
			free(seen[id].name);
			free(seen[id].full_name);
			free_called(tasks, host, id, seen[id].called);
		}
		free(seen);
	}
	free(tasks->of_ids);
	free(tasks);
}

/* "sh 123"; the logger is marked. */
static char *name_of(const struct session *session, uint32_t host, uint32_t id, const char *called,
		     size_t bytes)
{
	const struct evtlog_index_task *task = session_task(session, host, id);
	char *comm = utf8_clean(called, bytes), *name;
	int length = -1;

	if (comm)
		length = asprintf(&name, "%s%s%u%s", comm, *comm ? " " : "", task->pid,
				  task->logger ? " (logger)" : "");
	free(comm);
	return length < 0 ? NULL : name;
}

static int begin_seen(struct picture_tasks *tasks, uint32_t host, uint32_t id, struct seen *seen)
{
	const struct evtlog_index_task *task = session_task(tasks->session, host, id);
	char label[SESSION_LABEL_BYTES], *name, *host_name;

	name = name_of(tasks->session, host, id, label,
		       session_task_label(tasks->session, host, id, label));

	if (!name)
		return -ENOMEM;
	if (tasks->several) {
		int length = -1;

		host_name = utf8_clean(tasks->session->hosts[host].name, SIZE_MAX);
		if (host_name)
			length = asprintf(&seen->full_name, "%s %s", host_name, name);
		free(host_name);
		if (length < 0) {
			seen->full_name = NULL;
			free(name);
			return -ENOMEM;
		}
	}
	seen->name = name;
	seen->colour = task->logger ? VIEW_LOGGER :
		       view_task_colour(task_colour(tasks->session, host,
						    VIEW_PALETTE_DEFAULT, id));
	tasks->count++;
	return 0;
}

int picture_tasks_see(struct picture_tasks *tasks, uint32_t host, uint32_t id,
		      uint64_t ns, uint32_t *colour, const char **name)
{
	struct seen *seen;

	*colour = id == EVTLOG_TASK_UNKNOWN ? VIEW_UNKNOWN : id ? VIEW_OTHER : VIEW_IDLE;
	*name = NULL;
	if (!id || id >= id_count(tasks, host))
		return 0;
	if (!tasks->of_ids[host]) {
		tasks->of_ids[host] = calloc(id_count(tasks, host), sizeof(**tasks->of_ids));
		if (!tasks->of_ids[host])
			return -ENOMEM;
	}
	seen = &tasks->of_ids[host][id];
	if (!seen->name && begin_seen(tasks, host, id, seen))
		return -ENOMEM;
	seen->ns += ns;
	*colour = seen->colour;
	*name = seen->name;
	return 0;
}

int picture_tasks_called(struct picture_tasks *tasks, uint32_t host, uint32_t id, uint64_t raw_ns,
			 const char **name)
{
	struct seen *seen = &tasks->of_ids[host][id];
	const struct evtlog_index_name *names;
	size_t count = evtlog_index_task_names(tasks->session->hosts[host].index, id, &names);
	size_t i = 0;

	*name = seen->name;
	if (count < 2)
		return 0;
	while (i + 1 < count && names[i + 1].from_ns <= raw_ns)
		i++;
	if (!seen->called)
		seen->called = calloc(count, sizeof(*seen->called));
	if (seen->called && !seen->called[i])
		seen->called[i] = names[i].comm[0] ?
				  name_of(tasks->session, host, id, names[i].comm,
					  strnlen(names[i].comm, EVTLOG_COMM_LEN)) :
				  name_of(tasks->session, host, id, "?", 1);
	if (!seen->called || !seen->called[i])
		return -ENOMEM;
	*name = seen->called[i];
	return 0;
}

/* @place: order by host and id */
struct listed {
	const struct seen *seen;
	size_t place;
};

static int by_time(const void *x, const void *y)
{
	const struct listed *a = x, *b = y;

	if (a->seen->ns != b->seen->ns)
		return a->seen->ns < b->seen->ns ? 1 : -1;
	return a->place < b->place ? -1 : a->place > b->place;
}

int picture_tasks_list(struct picture_tasks *tasks, struct picture_scene *scene)
{
	struct listed *listed = calloc(tasks->count + 1, sizeof(*listed));
	size_t count = 0;

	scene->tasks = calloc(tasks->count + 1, sizeof(*scene->tasks));
	if (!scene->tasks || !listed) {
		free(listed);
		return -ENOMEM;
	}
	for (uint32_t host = 0; host < tasks->session->host_count; host++)
		for (size_t id = 0; tasks->of_ids[host] && id < id_count(tasks, host); id++)
			if (tasks->of_ids[host][id].name) {
				listed[count].seen = &tasks->of_ids[host][id];
				listed[count].place = count;
				count++;
			}
	qsort(listed, count, sizeof(*listed), by_time);
	for (size_t i = 0; i < count; i++) {
		const struct seen *seen = listed[i].seen;

		scene->tasks[i] = (struct picture_task) {
			.name = seen->full_name ? seen->full_name : seen->name,
			.colour = seen->colour, .ns = seen->ns,
		};
	}
	scene->task_count = count;
	free(listed);
	return 0;
}

/* ---- Registered events, as in view/page/draw/registered.js ---- */

/* More marks would cover each other. */
#define MARKS_MAX	20000

static int take_names(struct picture_scene *scene, const struct registered *registered)
{
	scene->events = calloc(registered->name_count + 1, sizeof(*scene->events));
	if (!scene->events)
		return -ENOMEM;
	for (size_t i = 0; i < registered->name_count; i++) {
		const struct registered_name *name = &registered->names[i];

		scene->events[i] = (struct picture_event) {
			.name = utf8_clean(name->text, SIZE_MAX),
			.colours = { view_event_colour(name->id, false),
				     view_event_colour(name->id, true) },
		};
		if (!scene->events[i].name)
			return -ENOMEM;
		scene->event_count++;
	}
	return 0;
}

static int take_marks(struct picture_scene *scene, const struct registered *registered)
{
	int error = 0;

	for (size_t i = 0; i < registered->mark_count && !error; i++) {
		const struct registered_mark *mark = &registered->marks[i];
		struct picture_lane *lane = &scene->lanes[mark->lane];

		error = array_reserve(&lane->marks, &lane->mark_capacity, lane->mark_count,
				      sizeof(*lane->marks));
		if (!error)
			lane->marks[lane->mark_count++] = (struct picture_mark) {
				(unsigned __int128)(mark->time_ns - scene->from_ns) *
				scene->columns / (scene->to_ns - scene->from_ns), mark->name,
			};
	}
	for (size_t i = 0; i < scene->lane_count && !error; i++)
		for (size_t k = 0; k < scene->columns; k++)
			scene->lanes[i].bins[k].kinds &= ~(1u << EVTLOG_KIND_PUT);
	return error;
}

int picture_events_find(struct session *session, struct picture_scene *scene)
{
	uint32_t *lanes = calloc(session->lane_count + 1, sizeof(*lanes));
	struct registered registered = { 0 };
	int error = lanes ? 0 : -ENOMEM;

	for (uint32_t i = 0; !error && i < session->lane_count; i++)
		lanes[i] = i;
	if (!error && session->lane_count <= TRACKS_MAX)
		error = registered_read(&registered, session, NULL, lanes, session->lane_count,
					scene->from_ns, scene->to_ns, 0, MARKS_MAX);
	if (!error && registered.mark_count && !registered.more) {
		error = take_names(scene, &registered);
		if (!error)
			error = take_marks(scene, &registered);
	}
	registered_free(&registered);
	free(lanes);
	return error;
}

void picture_events_free(struct picture_scene *scene)
{
	for (size_t i = 0; i < scene->event_count; i++)
		free(scene->events[i].name);
	free(scene->events);
}
