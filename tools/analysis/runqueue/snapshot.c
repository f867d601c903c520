// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When the snapshot of tasks at a log's start is over.
 */
#include "lib/stream/task-names.h"
#include "runqueue.h"

static int read_cpu(struct evtlog_file *file, unsigned int slot, uint64_t *end_ns)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	unsigned int others = 0;
	int result = evtlog_stream_new(file, slot, &stream);

	if (result)
		return result;
	while (others < SNAPSHOT_PATIENCE && (result = evtlog_stream_next(stream, &event)) > 0) {
		others++;
		if (event->known != EVTLOG_TASK)
			continue;
		others = 0;
		if (*end_ns == UINT64_MAX || event->time_ns > *end_ns)
			*end_ns = event->time_ns;
	}
	evtlog_stream_free(stream);
	return result < 0 ? result : 0;
}

int runqueues_snapshot_end(struct evtlog_file *file, uint64_t *end_ns)
{
	unsigned int count = evtlog_cpu_count(file);
	int error = 0;

	*end_ns = UINT64_MAX;
	for (unsigned int slot = 0; !error && slot < count; slot++)
		error = read_cpu(file, slot, end_ns);
	return error;
}
