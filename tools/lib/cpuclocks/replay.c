// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads a log again, with the events in order for given offsets of the CPUs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

struct lane {
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	int64_t ns;
	unsigned int slot;
};

static bool earlier(const struct lane *a, const struct lane *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->slot < b->slot;
}

static void sift_down(struct lane *heap, unsigned int count, unsigned int at)
{
	struct lane lane = heap[at];
	unsigned int child;

	while ((child = 2 * at + 1) < count) {
		if (child + 1 < count && earlier(&heap[child + 1], &heap[child]))
			child++;
		if (!earlier(&heap[child], &lane))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = lane;
}

static int next_of(const struct evtlog_cpu_clocks *clocks, struct lane *lane)
{
	int result = evtlog_stream_next(lane->stream, &lane->event);

	if (result > 0)
		lane->ns = clocks_time(clocks, lane->event, lane->slot);
	return result;
}

int clocks_read_shifted(struct evtlog_file *file, const int64_t *ahead_ns,
			struct evtlog_cpu_clocks **clocksp)
{
	struct evtlog_cpu_clocks *clocks;
	struct lane *heap = NULL;
	unsigned int lanes = 0;
	int result = evtlog_cpu_clocks_new(file, clocksp);

	if (result)
		return result;
	clocks = *clocksp;
	clocks->ahead_ns = calloc(clocks->slots + 1, sizeof(*ahead_ns));
	heap = calloc(clocks->slots + 1, sizeof(*heap));
	result = clocks->ahead_ns && heap ? 0 : -ENOMEM;
	if (!result)
		memcpy(clocks->ahead_ns, ahead_ns, clocks->slots * sizeof(*ahead_ns));
	for (unsigned int slot = 0; !result && slot < clocks->slots; slot++) {
		struct lane *lane = &heap[lanes];

		lane->slot = slot;
		result = evtlog_stream_new(file, slot, &lane->stream);
		if (result)
			break;
		result = next_of(clocks, lane);
		if (result > 0)
			lanes++;
		else
			evtlog_stream_free(lane->stream);
		result = result < 0 ? result : 0;
	}
	for (unsigned int i = lanes / 2; i--;)
		sift_down(heap, lanes, i);
	while (!result && lanes) {
		result = evtlog_cpu_clocks_event(clocks, heap->event);
		if (!result)
			result = next_of(clocks, heap);
		if (!result) {
			evtlog_stream_free(heap->stream);
			*heap = heap[--lanes];
		}
		result = result < 0 ? result : 0;
		if (lanes)
			sift_down(heap, lanes, 0);
	}
	while (lanes)
		evtlog_stream_free(heap[--lanes].stream);
	free(heap);
	return result;
}
