// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the streams of a named buffer, as their only reader, and its counts of losses.
 */
#include <errno.h>
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
	struct control_buffers buffer;
	int error;

	*source = (struct named_source){ .name = name, .mark_ms = mark_ms };
	error = control_buffer_read(&buffer, name, NULL);
	if (error)
		return say_failed(source, error);
	source->overwrites = buffer.at->overwrites;
	control_buffers_free(&buffer);
	error = streams_open(&source->streams, name);
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

static struct stream *find_stream(struct named_source *source, unsigned int cpu)
{
	struct streams *streams = &source->streams;

	for (size_t i = 0; i < streams->count; i++)
		if (streams->is_global || streams->at[i].cpu == cpu)
			return &streams->at[i];
	return NULL;
}

/* Adds a CPU's losses to @lost.  Returns the number of its records and losses. */
static uint64_t add_lost(const struct control_cpu *cpu, uint64_t *lost)
{
	lost[EVTLOG_LOST_FULL] += cpu->lost_full;
	lost[EVTLOG_LOST_NMI] += cpu->lost_nmi;
	lost[EVTLOG_LOST_NESTED] += cpu->lost_nested;
	lost[EVTLOG_LOST_LARGE] += cpu->lost_large;
	return cpu->records + cpu->lost_full + cpu->lost_nmi + cpu->lost_nested + cpu->lost_large;
}

int named_source_ask(struct named_source *source)
{
	struct control_buffers buffer;
	struct control_status status;
	int error = control_buffer_read(&buffer, source->name, &status);

	if (error)
		return error;
	source->rejected = buffer.at->rejected;
	memset(source->lost, 0, sizeof(source->lost));
	for (unsigned int i = 0; i < status.cpu_count; i++) {
		uint64_t seen = add_lost(&status.cpus[i], source->lost);
		struct stream *stream = find_stream(source, status.cpus[i].cpu);

		/* An error: the named buffer is being deleted; the next read reports it. */
		if (stream && stream->fd >= 0 && stream->seen != seen)
			named_source_mark(source, stream);
		if (stream)
			stream->seen = seen;
	}
	control_status_free(&status);
	control_buffers_free(&buffer);
	return 0;
}
