/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One iterator over events: of a log, of many hosts' logs, or of a merged file.
 *
 *	a log		lanes, in the log's own time
 *	hosts' logs	evtlog_host_merge, on their common timeline
 *	a merged file	evtlog_merged, as it was written
 *
 * For commands that read events in the order of time.  It ends at the end of the window.  It also
 * returns events outside the window, because they contain names; iterator_wants() selects.  The
 * window has time, CPUs and hosts; all other filters are in input/event-filter.c.
 */
#ifndef EVTLOG_LIB_MERGE_ITERATOR_H
#define EVTLOG_LIB_MERGE_ITERATOR_H

#include <evtlog/evtlog.h>

#include "lib/stream/lanes.h"

/**
 * struct iterator_event - an event, its time and its source
 * @time_ns: never steps back from one event to the next
 * @from_ns: begin of a GAP, on the same time axis
 * @bound_ns: as in struct evtlog_host_event; 0 for other sources
 * @log: number of the log or host; 0 if there is only one
 * @doubtful: for merged files, as in struct evtlog_merged_event
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
 * struct iterator_window - selected events
 * @begin_ns: origin of @from_ns and @to_ns, on the time axis of the events
 * @to_ns: end of the window, excluded; UINT64_MAX: no end
 * @cpus: by number, EVTLOG_CPU_LIMIT of them; NULL: all
 * @logs: by number; NULL: all.  Logs of other hosts are not read.
 *
 * @cpus and @logs must live as long as the iterator.
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
 * @all_bytes:	the position after all events
 * @ended:	all events were read
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
 * iterator_of_log() - starts with the events of one log
 * @window: NULL: all
 * @seek_ns: 0: from the first event; else from the buffers of this time of the log
 *
 * Return: 0; -ENOMEM, -errno of read().  Call iterator_end() in all cases.
 */
int iterator_of_log(struct iterator *iterator, struct evtlog_file *file, uint64_t seek_ns,
		    const struct iterator_window *window);

/**
 * iterator_of_hosts() - starts with the events of hosts' logs, on their common timeline
 * @hosts, @files, @count: as for evtlog_host_merge_new()
 * @memory_bytes: for buffers; 0: EVTLOG_MERGE_MEMORY_BYTES
 *
 * Return: as evtlog_host_merge_new().  Call iterator_end() in all cases.
 */
int iterator_of_hosts(struct iterator *iterator, const struct evtlog_clocksync *hosts,
		      struct evtlog_file *const *files, size_t count, size_t memory_bytes,
		      const struct iterator_window *window);

/** iterator_of_merged() - starts with the next events of a merged file, owned by the caller */
void iterator_of_merged(struct iterator *iterator, struct evtlog_merged *merged,
			const struct iterator_window *window);

/** iterator_end() - frees the iterator's memory; the iterator may be all zero */
void iterator_end(struct iterator *iterator);

/* Returns true if the current event is after the window. */
static inline bool iterator_is_behind(const struct iterator *iterator)
{
	const struct iterator_window *window = &iterator->window;

	return window->to_ns != UINT64_MAX && iterator->at.time_ns >= window->begin_ns &&
	       (uint64_t)iterator->at.time_ns - window->begin_ns >= window->to_ns;
}

/* iterator_next() for hosts' logs and merged files. */
int iterator_next_of_many(struct iterator *iterator, const struct iterator_event **atp);

/**
 * iterator_next() - returns the next event before the window's end, even if it is not selected
 * @atp: valid until the next call
 *
 * Inline, as `evtlog stat` needs less time for an event than for another call.
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

/** iterator_wants() - returns true if an event is within the window */
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

/** iterator_drop_cpu() - drops the CPU of the last event; for one log only */
void iterator_drop_cpu(struct iterator *iterator);

/** iterator_position() - returns the number of bytes that were read, out of @all_bytes */
uint64_t iterator_position(const struct iterator *iterator);

#endif /* EVTLOG_LIB_MERGE_ITERATOR_H */
