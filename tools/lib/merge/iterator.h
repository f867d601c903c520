/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One iterator over events: of a log, of many hosts' logs, or of a merged file.
 *
 *	a log		lanes, by the log's own time
 *	hosts' logs	evtlog_host_merge, on their common timeline
 *	a merged file	evtlog_merged, as it was written
 *
 * Commands that go through events in the order of time use it.  It ends where the window
 * does, and tells of each event whether it is wanted: names are learned from the others.
 * It selects by time, CPU and host only; input/event-filter.c does the rest.
 */
#ifndef EVTLOG_LIB_MERGE_ITERATOR_H
#define EVTLOG_LIB_MERGE_ITERATOR_H

#include <evtlog/evtlog.h>

#include "lib/stream/lanes.h"

/**
 * struct iterator_event - an event, and what it is in its place
 * @time_ns: never steps back from one event to the next
 * @from_ns: of a GAP, on the same axis
 * @bound_ns: as of struct evtlog_host_event; 0 of other sources
 * @log: number of the log or host; 0 if there is one
 * @doubtful: of merged files, as of struct evtlog_merged_event
 */
struct iterator_event {
	const struct evtlog_event *event;
	int64_t time_ns;
	int64_t from_ns;
	uint64_t bound_ns;
	size_t log;
	bool doubtful;
};

/**
 * struct iterator_window - what is wanted
 * @begin_ns: @from_ns and @to_ns count from here, on the axis of the events
 * @to_ns: nothing is read from there on; UINT64_MAX: all
 * @cpus: by number, EVTLOG_CPU_LIMIT of them; NULL: all
 * @logs: by number; NULL: all.  The others of hosts' logs are not read.
 *
 * What it points to must live as long as the iterator.
 */
struct iterator_window {
	int64_t begin_ns;
	uint64_t from_ns;
	uint64_t to_ns;
	const bool *cpus;
	const bool *logs;
};

enum iterator_source {
	ITERATOR_LOG,
	ITERATOR_HOSTS,
	ITERATOR_MERGED
};

/*
 * @all_bytes:	what the position is of when all was read
 * @ended:	all was read
 */
struct iterator {
	enum iterator_source source;
	struct iterator_window window;
	struct lanes lanes;
	struct evtlog_host_merge *hosts;
	struct evtlog_merged *merged;
	uint64_t all_bytes;
	bool ended;
	struct iterator_event at;
};

/**
 * iterator_of_log() - events of one log
 * @window: NULL: all
 * @seek_ns: 0: from the first event on; else from the buffers of that time of the log
 *
 * Return: 0; -ENOMEM, -errno of read().  iterator_end() in all cases.
 */
int iterator_of_log(struct iterator *iterator, struct evtlog_file *file, uint64_t seek_ns,
		    const struct iterator_window *window);

/**
 * iterator_of_hosts() - events of hosts' logs, on their common timeline
 * @hosts, @files, @count: as for evtlog_host_merge_new()
 * @memory_bytes: for buffers; 0: EVTLOG_MERGE_MEMORY_BYTES
 *
 * Return: as evtlog_host_merge_new().  iterator_end() in all cases.
 */
int iterator_of_hosts(struct iterator *iterator, const struct evtlog_clocksync *hosts,
		      struct evtlog_file *const *files, size_t count, size_t memory_bytes,
		      const struct iterator_window *window);

/** iterator_of_merged() - events of a merged file that come now; it stays the caller's */
void iterator_of_merged(struct iterator *iterator, struct evtlog_merged *merged,
			const struct iterator_window *window);

/** iterator_end() - frees what it holds; it may be all zero */
void iterator_end(struct iterator *iterator);

/* Whether the event at hand is behind the window. */
static inline bool iterator_is_behind(const struct iterator *iterator)
{
	const struct iterator_window *window = &iterator->window;

	return window->to_ns != UINT64_MAX && iterator->at.time_ns >= window->begin_ns &&
	       (uint64_t)iterator->at.time_ns - window->begin_ns >= window->to_ns;
}

/* iterator_next() of what is not one log. */
int iterator_next_of_many(struct iterator *iterator, const struct iterator_event **atp);

/**
 * iterator_next() - the next event before the window's end, also of what is not wanted
 * @atp: is valid until the next call
 *
 * Inline, as `evtlog stat` takes less time for an event than a call more would.
 *
 * Return: 1 and an event; 0 at the end; -errno of the source.
 */
static inline int iterator_next(struct iterator *iterator, const struct iterator_event **atp)
{
	struct iterator_event *at = &iterator->at;
	int result;

	if (iterator->source != ITERATOR_LOG)
		return iterator_next_of_many(iterator, atp);
	result = lanes_next(&iterator->lanes, &at->event);
	if (result <= 0) {
		iterator->ended = !result;
		return result;
	}
	at->time_ns = at->event->time_ns;
	if (at->event->kind != EVTLOG_EVENT_RECORD)
		at->from_ns = at->event->from_ns;
	*atp = at;
	return !iterator_is_behind(iterator);
}

/** iterator_wants() - whether an event is within the window */
static inline bool iterator_wants(const struct iterator *iterator,
				  const struct iterator_event *at)
{
	const struct iterator_window *window = &iterator->window;

	return at->time_ns >= window->begin_ns &&
	       (uint64_t)at->time_ns - window->begin_ns >= window->from_ns &&
	       (!window->logs || window->logs[at->log]) &&
	       (!window->cpus || (at->event->cpu < EVTLOG_CPU_LIMIT &&
				  window->cpus[at->event->cpu]));
}

/** iterator_drop_cpu() - no more of the CPU that the last event is of; of one log only */
void iterator_drop_cpu(struct iterator *iterator);

/**
 * iterator_hole_ns() - since when events are missing of some CPU whose next is still to
 * come; of one log only
 *
 * Return: as lanes_hole_ns().
 */
uint64_t iterator_hole_ns(struct iterator *iterator);

/** iterator_position() - bytes that were read, of @all_bytes */
uint64_t iterator_position(const struct iterator *iterator);

#endif /* EVTLOG_LIB_MERGE_ITERATOR_H */
