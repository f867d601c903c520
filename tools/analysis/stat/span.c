// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the part of a log that is to be summed up, and learns how tasks were called
 * before it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "span.h"

/* ---- Events of all CPUs in the order of time, from a time on ---- */

struct lane {
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
};

/*
 * @current:	whose event was given last; @count: none
 * @hidden_ns:	some CPU's events are missing from then on, up to its next one
 * @until_ns:	so far its events come before those of all others
 */
struct stat_span {
	struct lane *lanes;
	unsigned int count;
	unsigned int current;
	uint64_t until_ns;
	uint64_t hidden_ns;
};

static int advance(struct lane *lane)
{
	int result = evtlog_stream_next(lane->stream, &lane->event);

	if (result <= 0)
		lane->event = NULL;
	return result < 0 ? result : 0;
}

/* Since when events before a lane's next one are missing: on a CPU that is offline there are none. */
static uint64_t hidden_since(const struct lane *lane)
{
	const struct evtlog_event *event = lane->event;

	if (!event || !(event->lost || event->lost_buffers))
		return UINT64_MAX;
	if (event->kind == EVTLOG_EVENT_GAP)
		return event->from_ns;
	return event->kind == EVTLOG_EVENT_BEGIN ? 0 : UINT64_MAX;
}

static void look_ahead(struct stat_span *span)
{
	span->hidden_ns = UINT64_MAX;
	for (unsigned int i = 0; i < span->count; i++) {
		uint64_t since_ns = hidden_since(&span->lanes[i]);

		if (since_ns < span->hidden_ns)
			span->hidden_ns = since_ns;
	}
}

int stat_span_new(struct evtlog_file *file, uint64_t from_ns, struct stat_span **spanp)
{
	struct stat_span *span = calloc(1, sizeof(*span));
	int error = -ENOMEM;

	*spanp = NULL;
	if (!span)
		return error;
	span->count = evtlog_cpu_count(file);
	span->current = span->count;
	span->lanes = calloc(span->count + 1, sizeof(*span->lanes));
	if (!span->lanes)
		goto fail;
	for (unsigned int i = 0; i < span->count; i++) {
		error = evtlog_stream_new(file, i, &span->lanes[i].stream);
		if (!error && from_ns)
			error = evtlog_stream_seek(span->lanes[i].stream, from_ns);
		if (!error)
			error = advance(&span->lanes[i]);
		if (error)
			goto fail;
	}
	look_ahead(span);
	*spanp = span;
	return 0;
fail:
	stat_span_free(span);
	return error;
}

void stat_span_free(struct stat_span *span)
{
	if (!span)
		return;
	for (unsigned int i = 0; span->lanes && i < span->count; i++)
		evtlog_stream_free(span->lanes[i].stream);
	free(span->lanes);
	free(span);
}

void stat_span_close(struct stat_span *span, unsigned int slot)
{
	evtlog_stream_free(span->lanes[slot].stream);
	span->lanes[slot] = (struct lane) { 0 };
	look_ahead(span);
}

/* The lane that is first, the lower one of two; and how long it will be. */
static void choose(struct stat_span *span)
{
	unsigned int first = span->count;
	uint64_t first_ns = UINT64_MAX, second_ns = UINT64_MAX;

	for (unsigned int i = 0; i < span->count; i++) {
		uint64_t ns;

		if (!span->lanes[i].event)
			continue;
		ns = span->lanes[i].event->time_ns;
		if (first == span->count || ns < first_ns) {
			second_ns = first == span->count ? UINT64_MAX : first_ns;
			first_ns = ns;
			first = i;
		} else if (ns < second_ns) {
			second_ns = ns;
		}
	}
	span->current = first;
	span->until_ns = second_ns;
}

bool stat_span_hides(const struct stat_span *span, uint64_t now_ns)
{
	return span->hidden_ns < now_ns;
}

int stat_span_next(struct stat_span *span, const struct evtlog_event **eventp)
{
	struct lane *lane;

	if (span->current < span->count && span->lanes[span->current].stream) {
		bool was_hole = hidden_since(&span->lanes[span->current]) != UINT64_MAX;
		int error = advance(&span->lanes[span->current]);

		if (error)
			return error;
		lane = &span->lanes[span->current];
		if (was_hole || hidden_since(lane) != UINT64_MAX)
			look_ahead(span);
		if (lane->event && lane->event->time_ns < span->until_ns) {
			*eventp = lane->event;
			return 1;
		}
	}
	choose(span);
	if (span->current == span->count)
		return 0;
	*eventp = span->lanes[span->current].event;
	return 1;
}

/* ---- Names ---- */

/* So many parts of the time before are looked at. */
#define PARTS		2048

/* An event that named a task. */
struct naming {
	uint64_t time_ns;
	uint64_t words[EVTLOG_RECORD_WORDS_MAX];
	uint32_t order;
	uint16_t slot;
	uint8_t known;
};

struct namings {
	struct naming *at;
	size_t count;
	size_t capacity;
};

/* Words of an event that names a task; 0: it does not. */
static size_t naming_words(const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_SCHED_PROCESS_FORK:
	case EVTLOG_SCHED_PROCESS_EXEC:
	case EVTLOG_TASK_RENAME:
		return evtlog_record_words((uint64_t)event->known << EVTLOG_TYPE_SHIFT);
	default:
		return 0;
	}
}

static int keep(struct namings *namings, unsigned int slot, const struct evtlog_event *event)
{
	struct naming *naming;

	if (array_reserve(&namings->at, &namings->capacity, namings->count, sizeof(*naming)))
		return -ENOMEM;
	naming = &namings->at[namings->count];
	naming->time_ns = event->time_ns;
	memcpy(naming->words, event->words, naming_words(event) * sizeof(*event->words));
	naming->order = namings->count++;
	naming->slot = slot;
	naming->known = event->known;
	return 0;
}

static int compare_namings(const void *x, const void *y)
{
	const struct naming *a = x, *b = y;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static int read_segment(struct evtlog_stream *stream, unsigned int slot, uint64_t from_ns,
			uint64_t to_ns, struct namings *namings)
{
	const struct evtlog_event *event;
	int result = evtlog_stream_seek(stream, from_ns);

	while (!result && (result = evtlog_stream_next(stream, &event)) > 0) {
		result = 0;
		if (event->time_ns >= to_ns)
			break;
		if (event->time_ns >= from_ns && naming_words(event))
			result = keep(namings, slot, event);
	}
	return result < 0 ? result : 0;
}

/* Only where the index tells of such events. */
static int read_some(struct stat *stat, unsigned int slot, struct namings *namings)
{
	struct evtlog_bin *bins = calloc(PARTS, sizeof(*bins));
	uint64_t *edges = calloc(PARTS + 1, sizeof(*edges));
	uint64_t begin_ns = evtlog_begin_ns(stat->file);
	uint64_t length_ns = stat->begin_ns - begin_ns;
	struct evtlog_stream *stream = NULL;
	unsigned int count = length_ns < PARTS ? 1 : PARTS;
	int error = bins && edges ? 0 : -ENOMEM;

	for (unsigned int i = 0; !error && i <= count; i++)
		edges[i] = begin_ns + (unsigned __int128)length_ns * i / count;
	if (!error)
		error = stat->bins(stat->bins_arg, slot, edges, count, bins);
	if (!error)
		error = evtlog_stream_new(stat->file, slot, &stream);
	for (unsigned int i = 0, last; !error && i < count; i = last + 1) {
		last = i;
		if (!(bins[i].kinds & 1 << EVTLOG_KIND_TASK))
			continue;
		while (last + 1 < count && bins[last + 1].kinds & 1 << EVTLOG_KIND_TASK)
			last++;
		error = read_segment(stream, slot, edges[i], edges[last + 1], namings);
	}
	evtlog_stream_free(stream);
	free(edges);
	free(bins);
	return error;
}

int stat_learn_before(struct stat *stat)
{
	struct namings namings = { 0 };
	int error = 0;

	for (unsigned int slot = 0; slot < stat->cpu_count && !error; slot++) {
		struct evtlog_stream *stream;

		if (stat->bins) {
			error = read_some(stat, slot, &namings);
			continue;
		}
		error = evtlog_stream_new(stat->file, slot, &stream);
		if (error)
			break;
		error = read_segment(stream, slot, 0, stat->begin_ns, &namings);
		evtlog_stream_free(stream);
	}
	if (!error && namings.count)
		qsort(namings.at, namings.count, sizeof(*namings.at), compare_namings);
	for (size_t i = 0; i < namings.count && !error; i++) {
		const struct evtlog_event event = {
			.kind = EVTLOG_EVENT_RECORD,
			.known = namings.at[i].known,
			.words = namings.at[i].words,
		};

		error = evtlog_tasks_update(stat->names, &event);
	}
	free(namings.at);
	return error;
}
