// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Merges the streams of a log's CPUs in the order of time: slow path.
 *
 * Used by evtlog_cpu_merge, the iterator and the attribution of jitter.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h"

static bool earlier(const struct lane *a, const struct lane *b)
{
	if (a->event->time_ns != b->event->time_ns)
		return a->event->time_ns < b->event->time_ns;
	return a->slot < b->slot;
}

static void sift_down(struct lanes *lanes, unsigned int at)
{
	struct lane lane = lanes->heap[at];

	for (;;) {
		unsigned int child = 2 * at + 1;

		if (child >= lanes->count)
			break;
		if (child + 1 < lanes->count &&
		    earlier(&lanes->heap[child + 1], &lanes->heap[child]))
			child++;
		if (!earlier(&lanes->heap[child], &lane))
			break;
		lanes->heap[at] = lanes->heap[child];
		at = child;
	}
	lanes->heap[at] = lane;
}

static void set_bound(struct lanes *lanes)
{
	uint64_t bound = UINT64_MAX;

	for (unsigned int i = 1; i < 3 && i < lanes->count; i++)
		if (lanes->heap[i].event->time_ns < bound)
			bound = lanes->heap[i].event->time_ns;
	lanes->bound_ns = bound;
}

static void note_gap(struct lanes *lanes, const struct lane *lane)
{
	const struct evtlog_event *event = lane->event;

	if (event->kind == EVTLOG_EVENT_GAP)
		gaps_add(&lanes->gaps, lane->slot, event->from_ns, event);
	else if (event->kind == EVTLOG_EVENT_BEGIN && lanes_is_loss(event))
		gaps_add(&lanes->gaps, lane->slot, 0, event);
}

static int open_lane(struct lanes *lanes, struct evtlog_file *file, unsigned int slot,
		     uint64_t from_ns)
{
	struct lane *lane = &lanes->heap[lanes->count];
	int result = evtlog_stream_new(file, slot, &lanes->streams[slot]);

	if (result)
		return result;
	lanes->stream_count++;
	lane->stream = lanes->streams[slot];
	lane->slot = slot;
	if (from_ns)
		result = evtlog_stream_seek(lane->stream, from_ns);
	if (!result)
		result = evtlog_stream_next(lane->stream, &lane->event);
	if (result < 0)
		return result;
	if (result)
		note_gap(lanes, lane);
	lanes->count += result;
	return 0;
}

int lanes_open(struct lanes *lanes, struct evtlog_file *file, uint64_t from_ns)
{
	unsigned int count = evtlog_cpu_count(file);
	int error = 0;

	lanes->heap = calloc(count + 1, sizeof(*lanes->heap));
	lanes->streams = calloc(count + 1, sizeof(*lanes->streams));
	if (!lanes->heap || !lanes->streams || gaps_init(&lanes->gaps, count))
		return -ENOMEM;
	for (unsigned int slot = 0; slot < count && !error; slot++)
		error = open_lane(lanes, file, slot, from_ns);
	if (error)
		return error;
	for (unsigned int i = lanes->count / 2; i--;)
		sift_down(lanes, i);
	set_bound(lanes);
	lanes->gap_ns = gaps_first_ns(&lanes->gaps);
	return 0;
}

void lanes_close(struct lanes *lanes)
{
	for (unsigned int i = 0; i < lanes->stream_count; i++)
		evtlog_stream_free(lanes->streams[i]);
	free(lanes->streams);
	free(lanes->heap);
	gaps_free(&lanes->gaps);
	memset(lanes, 0, sizeof(*lanes));
}

void lanes_settle(struct lanes *lanes, bool ended)
{
	if (ended)
		lanes->heap[0] = lanes->heap[--lanes->count];
	if (lanes->count)
		sift_down(lanes, 0);
	set_bound(lanes);
}

void lanes_drop(struct lanes *lanes)
{
	lanes_note_next(lanes, true);
	lanes->given = false;
	lanes_settle(lanes, true);
}

void lanes_note_next(struct lanes *lanes, bool ended)
{
	unsigned int slot = lanes->heap[0].slot;

	gaps_remove(&lanes->gaps, slot);
	if (!ended)
		note_gap(lanes, &lanes->heap[0]);
	lanes->gap_ns = gaps_first_ns(&lanes->gaps);
}

const struct evtlog_event *lanes_take_gap(struct lanes *lanes, uint64_t until_ns,
					  uint64_t *from_ns)
{
	struct gap first;

	if (!lanes->gaps.count || lanes->gap_ns > until_ns)
		return NULL;
	first = lanes->gaps.heap[0];
	gaps_remove(&lanes->gaps, first.slot);
	lanes->gap_ns = gaps_first_ns(&lanes->gaps);
	*from_ns = first.from_ns;
	return first.event;
}

uint64_t lanes_position(const struct lanes *lanes)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < lanes->stream_count; i++)
		bytes += evtlog_stream_position(lanes->streams[i]);
	return bytes;
}
