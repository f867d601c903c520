// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The streams of a log's CPUs, taken in the order of time: what is not done for each event.
 *
 * Below evtlog_cpu_merge, the iterator and the attribution of jitter.
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
	lanes->count += result;
	return 0;
}

int lanes_open(struct lanes *lanes, struct evtlog_file *file, uint64_t from_ns)
{
	unsigned int count = evtlog_cpu_count(file);
	int error = 0;

	lanes->heap = calloc(count + 1, sizeof(*lanes->heap));
	lanes->streams = calloc(count + 1, sizeof(*lanes->streams));
	if (!lanes->heap || !lanes->streams)
		return -ENOMEM;
	for (unsigned int slot = 0; slot < count && !error; slot++)
		error = open_lane(lanes, file, slot, from_ns);
	if (error)
		return error;
	for (unsigned int i = lanes->count / 2; i--;)
		sift_down(lanes, i);
	set_bound(lanes);
	return 0;
}

void lanes_close(struct lanes *lanes)
{
	for (unsigned int i = 0; i < lanes->stream_count; i++)
		evtlog_stream_free(lanes->streams[i]);
	free(lanes->streams);
	free(lanes->heap);
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
	lanes->holes_known = false;
	lanes->given = false;
	lanes_settle(lanes, true);
}

static uint64_t hole_before(const struct evtlog_event *event)
{
	if (!event->lost && !event->lost_buffers)
		return UINT64_MAX;
	if (event->kind == EVTLOG_EVENT_GAP)
		return event->from_ns;
	return event->kind == EVTLOG_EVENT_BEGIN ? 0 : UINT64_MAX;
}

uint64_t lanes_hole_ns(struct lanes *lanes)
{
	if (lanes->holes_known)
		return lanes->hole_ns;
	lanes->holes_known = true;
	lanes->hole_ns = UINT64_MAX;
	for (unsigned int i = 0; i < lanes->count; i++) {
		uint64_t since_ns = hole_before(lanes->heap[i].event);

		if (since_ns < lanes->hole_ns)
			lanes->hole_ns = since_ns;
	}
	return lanes->hole_ns;
}

uint64_t lanes_position(const struct lanes *lanes)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < lanes->stream_count; i++)
		bytes += evtlog_stream_position(lanes->streams[i]);
	return bytes;
}
