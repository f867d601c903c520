/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The streams of a log's CPUs, taken in the order of time.
 *
 * evtlog_cpu_merge, the iterator and the attribution of jitter take events from it.  It
 * knows one log only and leaves out nothing.  The library and the commands each have a copy
 * of it.
 *
 * A CPU mostly has many events before another has one, so the earliest stream is followed
 * until it passes the second earliest; only then the heap is touched.
 */
#ifndef EVTLOG_LIB_STREAM_LANES_H
#define EVTLOG_LIB_STREAM_LANES_H

#include <stdbool.h>

#include <evtlog/evtlog.h>

struct lane {
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	unsigned int slot;
};

/*
 * @heap:	lanes with an event, the earliest first; of two at the same ns the lower CPU's
 * @bound_ns:	the earliest lane stays that while its time is below
 * @given:	its event was taken
 * @holes_known: @hole_ns holds for the events of now
 * @streams:	all, for freeing
 */
struct lanes {
	struct lane *heap;
	unsigned int count;
	uint64_t bound_ns;
	bool given;
	bool holes_known;
	uint64_t hole_ns;
	struct evtlog_stream **streams;
	unsigned int stream_count;
};

/**
 * lanes_open() - before the first event
 * @lanes: all zero
 * @from_ns: 0: all events; else those of the buffers from that time on
 *
 * Return: 0 or -errno; lanes_close() in both cases.
 */
int lanes_open(struct lanes *lanes, struct evtlog_file *file, uint64_t from_ns);
void lanes_close(struct lanes *lanes);

/* Puts the heap in order after its first lane has gone on, or @ended. */
void lanes_settle(struct lanes *lanes, bool ended);

/* No more of the CPU whose event was given last. */
void lanes_drop(struct lanes *lanes);

/**
 * lanes_hole_ns() - since when events are missing of some CPU whose next one is not given
 *
 * On a CPU that is offline there are none.
 *
 * Return: a time; 0: since the CPU began; UINT64_MAX: none are missing.
 */
uint64_t lanes_hole_ns(struct lanes *lanes);

/* Bytes that were read of all streams. */
uint64_t lanes_position(const struct lanes *lanes);

/* As evtlog_stream_next(). */
static inline int lanes_next(struct lanes *lanes, const struct evtlog_event **eventp)
{
	struct lane *first = lanes->heap;

	if (lanes->given) {
		bool special = first->event->kind != EVTLOG_EVENT_RECORD;
		int result = evtlog_stream_next(first->stream, &first->event);

		if (result < 0)
			return result;
		if (special || !result || first->event->kind != EVTLOG_EVENT_RECORD)
			lanes->holes_known = false;
		if (!result || first->event->time_ns >= lanes->bound_ns)
			lanes_settle(lanes, !result);
	}
	lanes->given = lanes->count;
	if (!lanes->count)
		return 0;
	*eventp = first->event;
	return 1;
}

#endif /* EVTLOG_LIB_STREAM_LANES_H */
