// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * All CPUs' events in the order of time.
 *
 * Stage: between the streams and whoever wants events.  A CPU mostly has many
 * events before another has one, so the earliest stream is followed until it
 * passes the second earliest; only then the heap is touched.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/file/file.h"

struct lane {
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	unsigned int slot;
};

/*
 * @heap:	lanes with an event, the earliest first
 * @bound_ns:	the earliest lane stays that while its time is below
 * @streams:	all, for freeing
 */
struct evtlog_cpu_merge {
	struct lane *heap;
	unsigned int lanes;
	uint64_t bound_ns;
	bool given;
	struct evtlog_stream **streams;
	unsigned int stream_count;
};

static bool earlier(const struct lane *a, const struct lane *b)
{
	if (a->event->time_ns != b->event->time_ns)
		return a->event->time_ns < b->event->time_ns;
	return a->slot < b->slot;
}

static void sift_down(struct evtlog_cpu_merge *merge, unsigned int at)
{
	struct lane lane = merge->heap[at];

	for (;;) {
		unsigned int child = 2 * at + 1;

		if (child >= merge->lanes)
			break;
		if (child + 1 < merge->lanes &&
		    earlier(&merge->heap[child + 1], &merge->heap[child]))
			child++;
		if (!earlier(&merge->heap[child], &lane))
			break;
		merge->heap[at] = merge->heap[child];
		at = child;
	}
	merge->heap[at] = lane;
}

static void set_bound(struct evtlog_cpu_merge *merge)
{
	uint64_t bound = UINT64_MAX;

	for (unsigned int i = 1; i < 3 && i < merge->lanes; i++)
		if (merge->heap[i].event->time_ns < bound)
			bound = merge->heap[i].event->time_ns;
	merge->bound_ns = bound;
}

int evtlog_cpu_merge_new(struct evtlog_file *file, struct evtlog_cpu_merge **mergep)
{
	struct evtlog_cpu_merge *merge = calloc(1, sizeof(*merge));
	int result = -ENOMEM;

	*mergep = NULL;
	if (!merge)
		return -ENOMEM;
	merge->heap = calloc(file->part_count + 1, sizeof(*merge->heap));
	merge->streams = calloc(file->part_count + 1, sizeof(*merge->streams));
	if (!merge->heap || !merge->streams)
		goto fail;
	for (unsigned int slot = 0; slot < file->part_count; slot++) {
		struct lane *lane = &merge->heap[merge->lanes];

		result = evtlog_stream_new(file, slot, &merge->streams[slot]);
		if (result)
			goto fail;
		merge->stream_count++;
		lane->stream = merge->streams[slot];
		lane->slot = slot;
		result = evtlog_stream_next(lane->stream, &lane->event);
		if (result < 0)
			goto fail;
		merge->lanes += result;
	}
	for (unsigned int i = merge->lanes / 2; i--;)
		sift_down(merge, i);
	set_bound(merge);
	*mergep = merge;
	return 0;
fail:
	evtlog_cpu_merge_free(merge);
	return result;
}

void evtlog_cpu_merge_free(struct evtlog_cpu_merge *merge)
{
	if (!merge)
		return;
	for (unsigned int i = 0; i < merge->stream_count; i++)
		evtlog_stream_free(merge->streams[i]);
	free(merge->streams);
	free(merge->heap);
	free(merge);
}

int evtlog_cpu_merge_next(struct evtlog_cpu_merge *merge,
			  const struct evtlog_event **eventp)
{
	struct lane *first = merge->heap;
	int result;

	if (merge->given) {
		result = evtlog_stream_next(first->stream, &first->event);
		if (result < 0)
			return result;
		if (!result)
			*first = merge->heap[--merge->lanes];
		if (!result || first->event->time_ns >= merge->bound_ns) {
			if (merge->lanes)
				sift_down(merge, 0);
			set_bound(merge);
		}
	}
	merge->given = merge->lanes;
	if (!merge->lanes)
		return 0;
	*eventp = first->event;
	return 1;
}

const struct evtlog_stream_counts *
evtlog_cpu_merge_counts(const struct evtlog_cpu_merge *merge, unsigned int slot)
{
	return evtlog_stream_counts(merge->streams[slot]);
}

uint64_t evtlog_cpu_merge_position(const struct evtlog_cpu_merge *merge)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < merge->stream_count; i++)
		bytes += evtlog_stream_position(merge->streams[i]);
	return bytes;
}
