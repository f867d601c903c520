// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One iterator over events: of a log, of many hosts' logs, or of a merged file.
 *
 * Stage: between the library and the commands that read events.
 */
#include <string.h>

#include "iterator.h"

static void begin(struct iterator *iterator, enum iterator_source source,
		  const struct iterator_window *window)
{
	memset(iterator, 0, sizeof(*iterator));
	iterator->source = source;
	iterator->window = window ? *window : (struct iterator_window) {
		.begin_ns = INT64_MIN,
		.to_ns = UINT64_MAX,
	};
}

static uint64_t raw_bytes(struct evtlog_file *file)
{
	struct evtlog_summary summary;

	evtlog_summarize(file, &summary);
	return summary.raw_bytes;
}

int iterator_of_log(struct iterator *iterator, struct evtlog_file *file, uint64_t seek_ns,
		    const struct iterator_window *window)
{
	begin(iterator, ITERATOR_LOG, window);
	iterator->all_bytes = raw_bytes(file);
	return lanes_open(&iterator->lanes, file, seek_ns);
}

int iterator_of_hosts(struct iterator *iterator, const struct evtlog_clocksync *hosts,
		      struct evtlog_file *const *files, size_t count, size_t memory_bytes,
		      const struct iterator_window *window)
{
	const struct evtlog_host_merge_options options = {
		.memory_bytes = memory_bytes,
		.wanted = window ? window->logs : NULL,
	};

	begin(iterator, ITERATOR_HOSTS, window);
	for (size_t i = 0; i < count; i++)
		if (!options.wanted || options.wanted[i])
			iterator->all_bytes += raw_bytes(files[i]);
	return evtlog_host_merge_new(hosts, files, count, &options, &iterator->hosts);
}

void iterator_of_merged(struct iterator *iterator, struct evtlog_merged *merged,
			const struct iterator_window *window)
{
	begin(iterator, ITERATOR_MERGED, window);
	iterator->merged = merged;
	iterator->all_bytes = evtlog_merged_size_bytes(merged);
}

void iterator_end(struct iterator *iterator)
{
	lanes_close(&iterator->lanes);
	evtlog_host_merge_free(iterator->hosts);
	memset(iterator, 0, sizeof(*iterator));
}

/* ---- Sources ---- */

static int next_of_hosts(struct iterator *iterator)
{
	struct iterator_event *at = &iterator->at;
	const struct evtlog_host_event *event;
	int result = evtlog_host_merge_next(iterator->hosts, &event);

	if (result > 0) {
		at->event = event->event;
		at->time_ns = event->time_ns;
		at->from_ns = event->from_ns;
		at->bound_ns = event->bound_ns;
		at->log = event->file;
	}
	return result;
}

static int next_of_merged(struct iterator *iterator)
{
	struct iterator_event *at = &iterator->at;
	const struct evtlog_merged_event *event;
	int result = evtlog_merged_next(iterator->merged, &event);

	if (result > 0) {
		at->event = event->event;
		at->time_ns = event->time_ns;
		at->from_ns = event->from_ns;
		at->log = event->host;
		at->doubtful = event->doubtful;
	}
	return result;
}

/* ---- Events ---- */

int iterator_next_of_many(struct iterator *iterator, const struct iterator_event **atp)
{
	int result = iterator->source == ITERATOR_HOSTS ? next_of_hosts(iterator) :
							  next_of_merged(iterator);

	if (result <= 0) {
		iterator->ended = !result;
		return result;
	}
	*atp = &iterator->at;
	return !iterator_is_behind(iterator);
}

void iterator_drop_cpu(struct iterator *iterator)
{
	lanes_drop(&iterator->lanes);
}

uint64_t iterator_position(const struct iterator *iterator)
{
	switch (iterator->source) {
	case ITERATOR_LOG:
		return lanes_position(&iterator->lanes);
	case ITERATOR_HOSTS:
		return evtlog_host_merge_position(iterator->hosts);
	default:
		return evtlog_merged_position(iterator->merged);
	}
}
