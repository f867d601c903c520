// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the streams of a named buffer, as their only reader, and its counts of losses.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "control/buffers.h"
#include "control/control.h"
#include "source.h"

const char *const named_lost_causes[EVTLOG_LOST_CAUSES] = {
	[EVTLOG_LOST_FULL] = "full",
	[EVTLOG_LOST_NMI] = "nmi",
	[EVTLOG_LOST_NESTED] = "nested",
	[EVTLOG_LOST_LARGE] = "large",
};

static int say_failed(const struct named_source *source, int error)
{
	if (error == -ENOENT)
		pr_err("%s: there is no such named buffer; see evtlog buffer list",
		       source->name);
	else if (error == -EBUSY)
		pr_err("named buffer %s: another process reads it: stop that process",
		       source->name);
	else if (error == -EACCES || error == -EPERM)
		pr_err("named buffer %s: %s; only root and the group of evtlog.gid may read it",
		       source->name, strerror(-error));
	else if (error == -EBADMSG || error == -EPROTO)
		pr_err("named buffer %s: the data from the kernel is not a buffer: use the evtlog of this kernel",
		       source->name);
	else
		pr_err("named buffer %s: %s", source->name, strerror(-error));
	return error;
}

/* Setting the mark again makes the kernel pass on the records written up to now. */
int named_source_mark(const struct named_source *source, const struct stream *stream)
{
	return stream_mark(stream, source->mark_ms);
}

int named_source_open(struct named_source *source, const char *name, uint32_t mark_ms)
{
	char path[STREAM_PATH_BYTES];
	struct control_buffers buffer;
	int error;

	*source = (struct named_source){ .name = name, .mark_ms = mark_ms };
	error = control_buffer_read(&buffer, name);
	if (error)
		return say_failed(source, error);
	source->overwrites = buffer.at->overwrites;
	control_buffers_free(&buffer);
	error = streams_open(&source->streams, name, path);
	for (size_t i = 0; i < source->streams.count && !error; i++)
		error = named_source_mark(source, &source->streams.at[i]);
	return error ? say_failed(source, error) : 0;
}

void named_source_close(struct named_source *source)
{
	streams_close(&source->streams);
}

int named_source_get(struct named_source *source, struct stream *stream,
		     const struct evtlog_buffer_header **bufferp)
{
	int result = stream_get(&source->streams, stream, bufferp);

	return result < 0 ? say_failed(source, result) : result;
}

int named_source_put(struct named_source *source, struct stream *stream)
{
	int error = stream_put(&source->streams, stream);

	return error ? say_failed(source, error) : 0;
}

/* Returns the number after " NAME " in a line of status, 0 if there is none. */
static uint64_t number_after(const char *line, const char *name)
{
	const char *at = line;

	while ((at = strstr(at, name))) {
		at += strlen(name);
		/* In names of buffers and events, no number can follow. */
		if (*at >= '0' && *at <= '9')
			return strtoull(at, NULL, 10);
		/* The blank may also be the start of the next match. */
		at--;
	}
	return 0;
}

static struct stream *find_stream(struct named_source *source, unsigned int cpu)
{
	struct streams *streams = &source->streams;

	for (size_t i = 0; i < streams->count; i++)
		if (streams->is_global || streams->at[i].cpu == cpu)
			return &streams->at[i];
	return NULL;
}

/* Adds the losses in a line "cpu N ..." of status to @lost.  Returns their sum. */
static uint64_t add_lost(const char *line, uint64_t *lost)
{
	uint64_t all = 0;

	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++) {
		char name[32];
		uint64_t count;

		snprintf(name, sizeof(name), " lost_%s ", named_lost_causes[cause]);
		count = number_after(line, name);
		lost[cause] += count;
		all += count;
	}
	return all;
}

int named_source_ask(struct named_source *source)
{
	uint64_t lost[EVTLOG_LOST_CAUSES] = { 0 };
	char name[64], *status, *line, *rest;
	int error;

	snprintf(name, sizeof(name), "named/%s/status", source->name);
	error = control_read(name, &status);
	if (error)
		return error;
	for (line = strtok_r(status, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		struct stream *stream;
		unsigned int cpu;
		uint64_t seen;

		if (!strncmp(line, "buffer ", 7))
			source->rejected = number_after(line, " rejected ");
		if (sscanf(line, "cpu %u ", &cpu) != 1)
			continue;
		seen = number_after(line, " records ") + add_lost(line, lost);
		stream = find_stream(source, cpu);
		/* An error: the named buffer is being deleted; the next read reports it. */
		if (stream && stream->fd >= 0 && stream->seen != seen)
			named_source_mark(source, stream);
		if (stream)
			stream->seen = seen;
	}
	memcpy(source->lost, lost, sizeof(lost));
	free(status);
	return 0;
}
