// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Learns the names of tasks before the part of a log that is summed up.
 *
 * Stage: `evtlog stat` calls it before the loop over events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/stream/task-names.h"
#include "stat.h"

/* Number of parts of the time before that are looked up in the index */
#define PARTS		2048
#define NAMING_WORDS	5

/* An event that named a task */
struct naming {
	uint64_t time_ns;
	uint64_t words[NAMING_WORDS];
	uint32_t order;
	uint16_t slot;
	uint8_t known;
};

struct namings {
	struct naming *at;
	size_t count;
	size_t capacity;
};

/* Keeps an event that gives a task another name; the snapshot is known already. */
static int keep(struct namings *namings, unsigned int slot, const struct evtlog_event *event)
{
	struct task_naming given;
	struct naming *naming;

	if (!task_naming(event, &given) || given.is_seen)
		return 0;
	if (array_reserve(&namings->at, &namings->capacity, namings->count, sizeof(*naming)))
		return -ENOMEM;
	naming = &namings->at[namings->count];
	naming->time_ns = event->time_ns;
	/* The name is at the end of the record. */
	memcpy(naming->words, event->words,
	       given.comm + EVTLOG_COMM_LEN - (const char *)event->words);
	naming->order = namings->count++;
	naming->slot = slot;
	naming->known = event->known;
	return 0;
}

static int compare_namings(const void *x, const void *y)
{
	const struct naming *a = x, *b = y;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static int read_segment(struct evtlog_stream *stream, unsigned int slot, uint64_t from_ns,
			uint64_t to_ns, struct namings *namings)
{
	const struct evtlog_event *event;
	int result = evtlog_stream_seek(stream, from_ns);

	while (!result && (result = evtlog_stream_next(stream, &event)) > 0) {
		result = 0;
		if (event->time_ns >= to_ns)
			break;
		if (event->time_ns >= from_ns)
			result = keep(namings, slot, event);
	}
	return result < 0 ? result : 0;
}

/* Reads only parts for which the index has such events. */
static int read_some(struct stat *stat, unsigned int slot, struct namings *namings)
{
	struct evtlog_bin *bins = calloc(PARTS, sizeof(*bins));
	uint64_t *edges = calloc(PARTS + 1, sizeof(*edges));
	uint64_t begin_ns = evtlog_begin_ns(stat->file);
	uint64_t length_ns = stat->begin_ns - begin_ns;
	struct evtlog_stream *stream = NULL;
	unsigned int count = length_ns < PARTS ? 1 : PARTS;
	int error = bins && edges ? 0 : -ENOMEM;

	for (unsigned int i = 0; !error && i <= count; i++)
		edges[i] = begin_ns + (unsigned __int128)length_ns * i / count;
	if (!error)
		error = stat->bins(stat->bins_arg, slot, edges, count, bins);
	if (!error)
		error = evtlog_stream_new(stat->file, slot, &stream);
	for (unsigned int i = 0, last; !error && i < count; i = last + 1) {
		last = i;
		if (!(bins[i].kinds & 1 << EVTLOG_KIND_TASK))
			continue;
		while (last + 1 < count && bins[last + 1].kinds & 1 << EVTLOG_KIND_TASK)
			last++;
		error = read_segment(stream, slot, edges[i], edges[last + 1], namings);
	}
	evtlog_stream_free(stream);
	free(edges);
	free(bins);
	return error;
}

int stat_learn_before(struct stat *stat)
{
	struct namings namings = { 0 };
	int error = 0;

	for (unsigned int slot = 0; slot < stat->cpu_count && !error; slot++) {
		struct evtlog_stream *stream;

		if (stat->bins) {
			error = read_some(stat, slot, &namings);
			continue;
		}
		error = evtlog_stream_new(stat->file, slot, &stream);
		if (error)
			break;
		error = read_segment(stream, slot, 0, stat->begin_ns, &namings);
		evtlog_stream_free(stream);
	}
	if (!error && namings.count)
		qsort(namings.at, namings.count, sizeof(*namings.at), compare_namings);
	for (size_t i = 0; i < namings.count && !error; i++) {
		const struct evtlog_event event = {
			.kind = EVTLOG_EVENT_RECORD,
			.known = namings.at[i].known,
			.words = namings.at[i].words,
		};

		error = evtlog_tasks_update(stat->names, &event);
	}
	free(namings.at);
	return error;
}
