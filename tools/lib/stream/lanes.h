/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Merges the streams of a log's CPUs in the order of time.
 *
 * For evtlog_cpu_merge, the iterator and the attribution of jitter.  It reads one log and omits
 * no event.  The library and the commands each contain a copy of it.
 *
 * A CPU usually has many events before another CPU has one.  So the earliest stream is read until
 * it passes the second earliest; only then the heap is changed.
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
 * @heap:	lanes with an event, the earliest first; at the same ns, the lower CPU first
 * @bound_ns:	the first lane is the earliest as long as its time is below
 * @given:	its event was returned
 * @gap_ns:	begin of the first of @gaps
 * @gaps:	next events of CPUs that end a gap, by its begin: each GAP, and each BEGIN after a
 *		loss, with begin 0; lanes_take_gap() removes them
 * @streams:	all, to be freed
 */
struct lanes {
	struct lane *heap;
	unsigned int count;
	uint64_t bound_ns;
	bool given;
	uint64_t gap_ns;
	struct gaps gaps;
	struct evtlog_stream **streams;
	unsigned int stream_count;
};

/**
 * lanes_open() - opens all streams
 * @lanes: all zero
 * @from_ns: 0: returns all events; else the events of buffers from this time on
 *
 * Return: 0 or -errno; call lanes_close() in both cases.
 */
int lanes_open(struct lanes *lanes, struct evtlog_file *file, uint64_t from_ns);
void lanes_close(struct lanes *lanes);

/* Restores the order of the heap after its first lane has advanced, or @ended. */
void lanes_settle(struct lanes *lanes, bool ended);

/* Drops the CPU whose event was returned last. */
void lanes_drop(struct lanes *lanes);

/**
 * lanes_take_gap() - returns the next gap that begins at or before a time
 * @from_ns: result: its begin; 0: since the begin of the log
 *
 * Each gap is returned once, in the order of their begins.  @gap_ns of @lanes is the begin of the
 * next gap.
 *
 * Return: the CPU's next event; NULL if there is no such gap.
 */
const struct evtlog_event *lanes_take_gap(struct lanes *lanes, uint64_t until_ns,
					  uint64_t *from_ns);

/* For a GAP or BEGIN: returns true if events are missing before it; else the CPU was offline. */
static inline bool lanes_is_loss(const struct evtlog_event *event)
{
	return event->lost || event->lost_buffers;
}

/* Updates the gaps for the next event of the first lane; not needed between two records. */
void lanes_note_next(struct lanes *lanes, bool ended);

/* Returns the number of bytes that were read from all streams. */
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
