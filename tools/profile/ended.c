// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads records of the profiles of ended tasks, as profile/exit.c of the kernel writes them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "control/buffers.h"
#include "control/control.h"
#include "lib/base/array.h"
#include "profile/ended.h"
#include "profile/profile.h"

/*
 * struct ended_task - a profile in several records, not all of them read yet
 * @paths:	by their index
 * @got:	number of paths that were read
 * @readings:	number of readings without a record of this profile
 */
struct ended_task {
	struct ended_header header;
	struct ended_path paths[ENDED_PATHS_MAX];
	unsigned int got, readings;
};

/* After so many readings without a record, the missing records are lost. */
#define READINGS_MAX	3
/* Limit of incomplete profiles: more tasks cannot end at the same time. */
#define TASKS_MAX	4096

static void drop(struct profile_ended *ended, size_t at)
{
	free(ended->tasks[at]);
	ended->tasks[at] = ended->tasks[--ended->task_count];
}

static struct ended_task *find_task(struct profile_ended *ended, const struct ended_header *header,
				    size_t *at)
{
	for (size_t i = 0; i < ended->task_count; i++) {
		struct ended_task *task = ended->tasks[i];

		if (task->header.pid == header->pid && task->header.born == header->born) {
			*at = i;
			return task;
		}
	}
	return NULL;
}

static struct ended_task *new_task(struct profile_ended *ended, const struct ended_header *header,
				   size_t *at)
{
	struct ended_task *task;

	if (ended->task_count == TASKS_MAX) {
		drop(ended, 0);
		ended->lost++;
	}
	if (array_reserve(&ended->tasks, &ended->task_capacity, ended->task_count,
			  sizeof(*ended->tasks)))
		return NULL;
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->header = *header;
	*at = ended->task_count;
	ended->tasks[ended->task_count++] = task;
	return task;
}

static int add_entry(struct profile_ended *ended, struct evtlog_profile *profile,
		     const struct ended_header *header, const struct ended_path *paths)
{
	int error = 0;

	/* A function gets its name before a record contains its number. */
	if (ended_names_lack(&ended->names, paths, header->all))
		error = ended_names_read(&ended->names);
	if (error && error != -ENOMEM)
		control_say_failed(PROFILE_CONTROL, error);
	return error ? error : ended_entry_add(profile, header, paths, header->all, &ended->names);
}

/* Parts of profiles come in any order, as a task may change its CPU while it ends. */
static int take_part(struct profile_ended *ended, struct evtlog_profile *profile,
		     const struct ended_header *header)
{
	struct ended_task *task;
	size_t at;
	int error;

	task = find_task(ended, header, &at);
	if (!task)
		task = new_task(ended, header, &at);
	if (!task)
		return -ENOMEM;
	memcpy(&task->paths[header->first], header + 1,
	       header->paths * sizeof(struct ended_path));
	task->got += header->paths;
	task->readings = 0;
	if (task->got < header->all)
		return 0;
	error = add_entry(ended, profile, header, task->paths);
	drop(ended, at);
	return error;
}

static int take(struct profile_ended *ended, struct evtlog_profile *profile, const void *payload,
		size_t bytes)
{
	const struct ended_header *header = payload;

	if (bytes < sizeof(*header) ||
	    bytes < sizeof(*header) + header->paths * sizeof(struct ended_path) ||
	    header->all > ENDED_PATHS_MAX || header->first + header->paths > header->all) {
		pr_err(PROFILE_ENDED_BUFFER ": a record of an ended task is damaged");
		return -EPROTO;
	}
	if (header->paths == header->all)
		return add_entry(ended, profile, header, (const void *)(header + 1));
	return take_part(ended, profile, header);
}

static int take_all(struct profile_ended *ended, struct evtlog_profile *profile,
		    const struct evtlog_buffer_header *buffer)
{
	const uint64_t *at = (const void *)((const char *)buffer + buffer->header_bytes);
	const uint64_t *end = (const void *)((const char *)buffer + buffer->used_bytes);

	while (at < end) {
		size_t words = evtlog_record_words(*at);
		int error = 0;

		if (!words || words > (size_t)(end - at)) {
			pr_err(PROFILE_ENDED_BUFFER ": a buffer is damaged");
			return -EBADMSG;
		}
		if ((*at >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX) == EVTLOG_EVENT)
			error = take(ended, profile, at + 1, evtlog_event_bytes(*at));
		if (error)
			return error;
		at += words;
	}
	return 0;
}

/* Drops profiles that had no record in all these readings. */
static void drop_old(struct profile_ended *ended)
{
	for (size_t i = ended->task_count; i--;) {
		if (++ended->tasks[i]->readings <= READINGS_MAX)
			continue;
		drop(ended, i);
		ended->lost++;
	}
}

static int read_cpu(struct profile_ended *ended, struct evtlog_profile *profile,
		    struct stream *stream)
{
	const struct evtlog_buffer_header *buffer;
	int error = 0, put_error, got;

	named_source_mark(&ended->source, stream);
	while (!error && (got = named_source_get(&ended->source, stream, &buffer)) > 0) {
		for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
			ended->lost += buffer->lost[cause];
		error = take_all(ended, profile, buffer);
		put_error = named_source_put(&ended->source, stream);
		error = error ? error : put_error;
	}
	return error ? error : got;
}

int profile_ended_read(struct profile_ended *ended, struct evtlog_profile *profile)
{
	struct streams *streams = &ended->source.streams;
	bool was_there = !streams->was_deleted;
	int error = 0;

	for (size_t i = 0; i < streams->count && !error; i++) {
		if (streams->at[i].fd >= 0)
			error = read_cpu(ended, profile, &streams->at[i]);
	}
	profile_finish(profile);
	drop_old(ended);
	if (was_there && streams->was_deleted)
		pr_err(PROFILE_ENDED_BUFFER ": the buffer was deleted; tasks that ended since then are missing; do not delete it");
	return error;
}

static int add_buffer(struct control_session *session)
{
	const struct control_buffer_wanted wanted = {
		.name = PROFILE_ENDED_BUFFER, .events = "profile", .kb = "256", .buffers = "16",
	};

	return control_buffer_add(session, &wanted);
}

int profile_ended_open(struct profile_ended *ended)
{
	int error;

	*ended = (struct profile_ended){ 0 };
	error = control_session_open(&ended->session);
	if (error)
		return error;
	error = add_buffer(&ended->session);
	if (error) {
		if (error == -EEXIST)
			pr_err("named buffer " PROFILE_ENDED_BUFFER ": another evtlog profile record uses it: stop that command first");
		else
			control_buffer_say_refused(PROFILE_ENDED_BUFFER, error);
		control_session_close(&ended->session);
		return error;
	}
	error = named_source_open(&ended->source, PROFILE_ENDED_BUFFER, 0);
	if (error)
		profile_ended_close(ended);
	return error;
}

void profile_ended_close(struct profile_ended *ended)
{
	/* A buffer with this name is not this program's: do not delete it. */
	if (ended->source.streams.was_deleted)
		control_session_keep(&ended->session);
	named_source_close(&ended->source);
	control_session_close(&ended->session);
	ended->lost += ended->task_count;
	while (ended->task_count)
		drop(ended, ended->task_count - 1);
	free(ended->tasks);
	ended->tasks = NULL;
	ended->task_capacity = 0;
	ended_names_free(&ended->names);
}
