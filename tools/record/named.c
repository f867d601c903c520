// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Saves a named buffer to a file, with logd's writer of files.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "common/error.h"
#include "control/buffers.h"
#include "control/control.h"
#include "logfile/block.h"
#include "logfile/drain.h"
#include "logfile/metadata.h"
#include "logfile/runs.h"
#include "record/named.h"
#include "record/source.h"
#include "record/workload.h"

/* If the machine crashes, at most one second of events is lost. */
#define MARK_MS		1000
/* Passes before signals are checked, if the kernel always has full buffers */
#define PASSES_AT_ONCE	64

/*
 * @status:	of the kernel, with the named buffer in place of the run
 * @format, @events: texts for the header
 * @has_ended:	the named buffer had already ended when the recording began
 * @tasks:	payload of the file's first block
 * @epoll:	for all streams of @source
 */
struct recording {
	const char *name;
	struct named_source source;
	struct run_id id;
	struct control_status status;
	char *format, *events;
	bool has_ended;
	char *tasks;
	struct runs_settings settings;
	struct runs *runs;
	int epoll;
};

static int say_failed(const char *path, int error)
{
	if (error == -EEXIST)
		pr_err("%s: exists, and is not a file of this named buffer; remove it, or choose another name",
		       path);
	else
		pr_err("%s: %s", path, strerror(-error));
	return error;
}

/* ---- The header, and the names of tasks ---- */

/* Returns false for types that each file contains. */
static bool is_event(const char *name)
{
	static const char *const others[] = { "time", "lost", "counter", "task", "event",
					      "event_format", "on_cpu" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i]))
			return false;
	return true;
}

/* As in a run's file: "+" recorded, "~" without events that a filter rejected, "-" not recorded. */
static char *list_events(const char *format, const char *recorded, bool is_filtered)
{
	const char *line = format;
	char name[32], wanted[64], *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	fprintf(to, "+event");
	while ((line = strstr(line, "\ntype "))) {
		line++;
		if (sscanf(line, "type %*u %31s", name) != 1 || !is_event(name))
			continue;
		snprintf(wanted, sizeof(wanted), " %s\n", name);
		fprintf(to, " %c%s", !strstr(recorded, wanted) ? '-' : is_filtered ? '~' : '+',
			name);
	}
	return fclose(to) ? NULL : text;
}

static int read_text(const struct recording *r, const char *file, char **text)
{
	char name[64];
	int error;

	snprintf(name, sizeof(name), "named/%s/%s", r->name, file);
	error = control_read(name, text);
	if (error)
		control_say_failed(name, error);
	return error;
}

/* Gets all for the header now: later, the named buffer may be deleted. */
static int describe(struct recording *r)
{
	struct control_buffers list;
	char *recorded = NULL;
	int error = control_status_or_say(&r->status);

	if (error)
		return error;
	error = control_buffer_read(&list, r->name, NULL);
	if (error)
		return say_failed(r->name, error);
	r->status.run = list.at->run;
	r->status.reference_ticks = r->status.tree_pid = 0;
	snprintf(r->status.run_name, sizeof(r->status.run_name), "%s", r->name);
	run_id_of_status(&r->id, &r->status);
	r->id.is_named = true;
	r->status.buffers = list.at->buffers;
	r->status.buffer_kb = list.at->kb;
	r->has_ended = !strcmp(list.at->state, "ended");
	error = read_text(r, "format", &r->format);
	if (!error)
		error = read_text(r, "events", &recorded);
	if (!error) {
		r->events = list_events(r->format, recorded, *list.at->condition);
		error = r->events ? 0 : -ENOMEM;
	}
	free(recorded);
	control_buffers_free(&list);
	return error;
}

static int header_text(void *context, const struct run_id *run, char **text, size_t *bytes)
{
	const struct recording *r = context;

	return metadata_make(&(struct metadata){
		.host = metadata_host(),
		.run = run,
		.named_buffer = r->source.streams.is_global ? "global" : "cpus",
		.cpus_possible = sysconf(_SC_NPROCESSORS_CONF),
		.status = &r->status,
		.events = r->events,
		.format = r->format,
	}, text, bytes);
}

/*
 * Makes a block with the names of all tasks: the buffer lacks those of tasks that existed before
 * it.  If the buffer had already ended, the names are newer than all of its events.
 */
static int tasks_block(void *context, const struct run_id *run, struct block *block)
{
	struct recording *r = context;
	size_t bytes;
	int error;

	free(r->tasks);
	r->tasks = NULL;
	error = control_read_bytes("tasks", &r->tasks, &bytes);
	/* Kernels before 0.12 do not have this file. */
	if (error)
		return error == -ENOENT ? 0 : error;
	block_of_tasks(block, run->number, r->tasks, bytes, r->has_ended ? UINT64_MAX : 0);
	return 1;
}

/* ---- The file ---- */

static int set_file(struct runs_settings *settings, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash && slash > path ? slash - path : 1;

	*settings = (struct runs_settings)RUNS_SETTINGS;
	settings->compress = 0;
	/* The user has chosen the place. */
	settings->min_free_mb = 0;
	settings->file = slash ? slash + 1 : path;
	if (!*settings->file)
		return -EISDIR;
	if (length >= sizeof(settings->directory) || strlen(settings->file) > NAME_MAX)
		return -ENAMETOOLONG;
	snprintf(settings->directory, sizeof(settings->directory), "%.*s", (int)length,
		 slash ? path : ".");
	return 0;
}

static int open_file(struct recording *r, const char *path)
{
	const struct runs_source source = {
		.text = header_text, .first = tasks_block, .context = r,
	};
	int error = set_file(&r->settings, path);

	if (error)
		return say_failed(path, error);
	r->runs = runs_new(&r->settings, &source);
	if (!r->runs)
		return say_failed(path, -ENOMEM);
	error = runs_begin(r->runs, &r->id);
	return error ? say_failed(path, error) : 0;
}

static int watch_streams(struct recording *r)
{
	int error;

	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	error = r->epoll < 0 ? -errno : streams_watch(&r->source.streams, r->epoll, 0);
	return error ? say_failed("epoll", error) : 0;
}

/* Writes until the named buffer ends, or a signal comes; like logd, waits for space. */
static int write_until_end(struct recording *r)
{
	unsigned int retry_s = 1;

	while (r->source.streams.left && !workload_interrupted()) {
		switch (drain_run(&r->source.streams, r->runs, PASSES_AT_ONCE)) {
		case DRAIN_MORE:
			break;
		case DRAIN_EMPTY:
			retry_s = 1;
			if (r->source.streams.left)
				workload_wait_fd(r->epoll, -1);
			break;
		case DRAIN_STALLED:
			workload_wait_fd(-1, retry_s * 1000);
			retry_s *= 2;
			if (retry_s > r->settings.retry_s)
				retry_s = r->settings.retry_s;
			break;
		case DRAIN_BLOCKED:
			return -EBUSY;
		}
	}
	return 0;
}

/* After a signal: writes also what is recorded in buffers that are not full. */
static int write_rest(struct recording *r, const char *path)
{
	struct streams *streams = &r->source.streams;

	/* An error: it has ended or was deleted, which is found when it is read. */
	for (size_t i = 0; i < streams->count; i++)
		if (streams->at[i].fd >= 0)
			named_source_mark(&r->source, &streams->at[i]);
	switch (drain_run(streams, r->runs, r->status.buffers + 1)) {
	case DRAIN_STALLED:
		pr_err("%s: some buffers could not be written and stay in named buffer %s: free disk space, and record to this file again",
		       path, r->name);
		return -ENOSPC;
	case DRAIN_BLOCKED:
		return -EBUSY;
	default:
		return 0;
	}
}

static int record_all(struct recording *r, const char *path)
{
	int error;

	pr_info("%s: recording named buffer %s; press Ctrl-C to stop", path, r->name);
	error = write_until_end(r);
	if (!error)
		error = write_rest(r, path);
	if (runs_close(r->runs) && !error)
		error = -EIO;
	return error;
}

int named_record(const char *name, const char *path, struct named_result *result)
{
	struct recording r = { .name = name, .epoll = -1 };
	int error;

	*result = (struct named_result){ 0 };
	/* A write beyond a limit returns an error instead. */
	signal(SIGXFSZ, SIG_IGN);
	error = named_source_open(&r.source, name, MARK_MS);
	if (!error)
		error = describe(&r);
	if (!error)
		error = watch_streams(&r);
	if (!error)
		error = open_file(&r, path);
	if (!error) {
		error = record_all(&r, path);
		result->lost = runs_lost(r.runs);
		result->has_ended = !r.source.streams.left;
		result->was_deleted = r.source.streams.was_deleted;
	}
	if (result->was_deleted)
		pr_warn("%s: deleted before all of it was read: the rest is lost, and the file has no end; use evtlog buffer end before del",
			name);
	runs_free(r.runs);
	if (r.epoll >= 0)
		close(r.epoll);
	named_source_close(&r.source);
	control_status_free(&r.status);
	free(r.format);
	free(r.events);
	free(r.tasks);
	return error;
}
