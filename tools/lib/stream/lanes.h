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

#include "gaps.h"

struct lane {
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	unsigned int slot;
};

/*
 * @heap:	lanes with an event, the earliest first; of two at the same ns the lower CPU's
 * @bound_ns:	the earliest lane stays that while its time is below
 * @given:	its event was taken
 * @gap_ns:	the first of @gaps begins then
 * @gaps:	next events before which a CPU has none, from the gap's begin, that lanes_take_gap() has
 *		not given: each GAP, and each BEGIN behind a loss, which has 0
 * @losses:	those of them, given or not, where events are missing
 * @streams:	all, for freeing
 */
struct lanes {
	struct lane *heap;
	unsigned int count;
	uint64_t bound_ns;
	bool given;
	uint64_t gap_ns;
	struct gaps gaps;
	struct gaps losses;
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
 * lanes_take_gap() - the next gap that begins up to a time
 * @from_ns: its begin; 0: since the log's
 *
 * Each is given once, the one that begins first before others.  @gap_ns is its begin.
 *
 * Return: the CPU's next event; NULL: there is none.
 */
const struct evtlog_event *lanes_take_gap(struct lanes *lanes, uint64_t until_ns,
					  uint64_t *from_ns);

/* Of a GAP or BEGIN: whether events are missing before it; else the CPU was offline. */
static inline bool lanes_is_loss(const struct evtlog_event *event)
{
	return event->lost || event->lost_buffers;
}

/**
 * lanes_hole_ns() - since when events are missing of some CPU whose next one is not given
 *
 * On a CPU that is offline there are none.
 *
 * Return: a time; 0: since the CPU began; UINT64_MAX: none are missing.
 */
static inline uint64_t lanes_hole_ns(const struct lanes *lanes)
{
	return gaps_first_ns(&lanes->losses);
}

/* Notes what the next event of the first lane is: not two records in sequence. */
void lanes_note_next(struct lanes *lanes, bool ended);

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
			lanes_note_next(lanes, !result);
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
