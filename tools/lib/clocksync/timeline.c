// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Converts times of hosts to the common timeline.
 *
 * Stage: between an event's own time and the merged one.
 *
 * A piece ends where the next begins and its rate is rounded down, so times never step back.
 * Before the first and after the last node, the rate of the nearest piece continues.
 */
#include <string.h>

#include "clocksync.h"
#include "lib/file/tick-clock.h"

/* Before the first node: the first piece is extended backwards. */
#define PIECE_BEFORE	SIZE_MAX

typedef unsigned __int128 u128;
typedef __int128 s128;

static int64_t clamp(s128 value)
{
	if (value > INT64_MAX)
		return INT64_MAX;
	return value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

static uint64_t clamp_bound(u128 value)
{
	return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

/* @member: offset of an int64_t in a node, which ascends. */
static size_t find(const struct timeline *timeline, size_t member, int64_t ns)
{
	size_t low = 0, high = timeline->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		int64_t at;

		memcpy(&at, (const char *)&timeline->nodes[middle] + member, sizeof(at));
		if (at <= ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

size_t timeline_find_raw(const struct timeline *timeline, int64_t ns)
{
	return find(timeline, offsetof(struct timeline_node, raw_ns), ns);
}

size_t timeline_find_time(const struct timeline *timeline, int64_t ns)
{
	return find(timeline, offsetof(struct timeline_node, time_ns), ns);
}

static void set_rate(struct evtlog_host_cursor *cursor,
		     const struct timeline_node *node)
{
	clock_rate(node[1].time_ns - node[0].time_ns,
		   node[1].raw_ns - node[0].raw_ns, &cursor->mult,
		   &cursor->shift);
}

static void move(struct evtlog_host_cursor *cursor, int64_t raw_ns)
{
	const struct timeline *timeline = cursor->timeline;
	size_t at = timeline_find_raw(timeline, raw_ns);
	const struct timeline_node *node = &timeline->nodes[at];

	cursor->piece = at;
	cursor->begin_ns = node->raw_ns;
	cursor->time_ns = node->time_ns;
	cursor->bound_ns = node->bound_ns;
	cursor->end_bound_ns = node->bound_ns;
	if (at + 1 < timeline->count) {
		set_rate(cursor, node);
		cursor->length_ns = node[1].raw_ns - node[0].raw_ns;
		cursor->end_bound_ns = node[1].bound_ns;
	} else {
		clock_rate(1, 1, &cursor->mult, &cursor->shift);
		if (at)
			set_rate(cursor, node - 1);
		cursor->length_ns = INT64_MAX - node->raw_ns;
	}
	if (raw_ns < node->raw_ns)
		cursor->piece = PIECE_BEFORE;
}

static void seek(struct evtlog_host_cursor *cursor, uint64_t raw_ns)
{
	if (cursor->piece == PIECE_BEFORE ||
	    raw_ns - cursor->begin_ns >= cursor->length_ns)
		move(cursor, raw_ns);
}

void timeline_cursor(struct evtlog_host_cursor *cursor, const struct timeline *timeline)
{
	*cursor = (struct evtlog_host_cursor) {
		.timeline = timeline,
		.piece = PIECE_BEFORE,
	};
}

int64_t evtlog_host_cursor_time(struct evtlog_host_cursor *cursor,
				uint64_t raw_ns)
{
	u128 since;

	if (raw_ns > INT64_MAX)
		raw_ns = INT64_MAX;
	seek(cursor, raw_ns);
	if (cursor->piece == PIECE_BEFORE) {
		since = (u128)(cursor->begin_ns - raw_ns) * cursor->mult;
		return clamp(cursor->time_ns - (s128)(since >> cursor->shift) -
			     1);
	}
	since = (u128)(raw_ns - cursor->begin_ns) * cursor->mult;
	return clamp(cursor->time_ns + (s128)(since >> cursor->shift));
}

/*
 * Interpolates in the piece, then searches: as rates are rounded, times are not exactly linear,
 * but they never step back.
 */
uint64_t timeline_raw(const struct timeline *timeline, int64_t time_ns)
{
	const struct timeline_node *node = &timeline->nodes[timeline_find_time(timeline, time_ns)];
	struct evtlog_host_cursor cursor;
	uint64_t low, high, step = 2;
	s128 guess = (s128)node->raw_ns + ((s128)time_ns - node->time_ns);

	timeline_cursor(&cursor, timeline);
	if (node + 1 < timeline->nodes + timeline->count && node[1].time_ns > node->time_ns &&
	    time_ns > node->time_ns)
		guess = node->raw_ns + ((s128)time_ns - node->time_ns) *
			(node[1].raw_ns - node->raw_ns) /
			(node[1].time_ns - node->time_ns);
	if (guess < 0)
		guess = 0;
	low = high = clamp(guess);
	/* Widen until @low is before @time_ns, or 0, and @high is not before it. */
	while (low && evtlog_host_cursor_time(&cursor, low) >= time_ns) {
		low -= low < step ? low : step;
		step *= 2;
	}
	if (!low && evtlog_host_cursor_time(&cursor, 0) >= time_ns)
		return 0;
	step = 2;
	while (evtlog_host_cursor_time(&cursor, high) < time_ns) {
		if (high == INT64_MAX)
			return high;
		high += INT64_MAX - high < step ? INT64_MAX - high : step;
		if (step < UINT64_MAX / 2)
			step *= 2;
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (evtlog_host_cursor_time(&cursor, middle) < time_ns)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static uint64_t grown(const struct timeline *timeline, uint64_t bound_ns,
		      uint64_t beyond_ns)
{
	return clamp_bound(bound_ns + ((u128)beyond_ns * timeline->growth_ppb +
				       999999999) / 1000000000);
}

uint64_t evtlog_host_cursor_bound(struct evtlog_host_cursor *cursor,
				  uint64_t raw_ns)
{
	const struct timeline *timeline = cursor->timeline;
	uint64_t a, b, since;

	if (raw_ns > INT64_MAX)
		raw_ns = INT64_MAX;
	seek(cursor, raw_ns);
	a = cursor->bound_ns;
	b = cursor->end_bound_ns;
	since = raw_ns - cursor->begin_ns;
	if (cursor->piece == PIECE_BEFORE)
		return grown(timeline, a, cursor->begin_ns - raw_ns);
	if (cursor->piece + 1 == timeline->count)
		return grown(timeline, a, since);
	/* Rounded up. */
	if (a < b)
		return b - (uint64_t)((u128)(b - a) *
				      (cursor->length_ns - since) /
				      cursor->length_ns);
	return a - (uint64_t)((u128)(a - b) * since / cursor->length_ns);
}

/* ---- Results ---- */

size_t evtlog_clocksync_reference(const struct evtlog_clocksync *hosts)
{
	return hosts->hosts[hosts->reference].first;
}

size_t evtlog_clocksync_order(const struct evtlog_clocksync *hosts, size_t number)
{
	return number < hosts->file_count ? hosts->order[number] : SIZE_MAX;
}

uint64_t evtlog_clocksync_ntp_disproved(const struct evtlog_clocksync *hosts)
{
	return hosts->ntp_disproved_ns;
}

static const struct host *host_of(const struct evtlog_clocksync *hosts, size_t file)
{
	return &hosts->hosts[hosts->host_of[file]];
}

const struct evtlog_host_clock *
evtlog_clocksync_clock(const struct evtlog_clocksync *hosts, size_t file)
{
	return file < hosts->file_count ? &host_of(hosts, file)->clock : NULL;
}

const char *evtlog_clock_method_name(enum evtlog_clock_method method)
{
	static const char *const names[] = {
		[EVTLOG_CLOCK_NONE] = "none",
		[EVTLOG_CLOCK_REFERENCE] = "reference",
		[EVTLOG_CLOCK_PACKETS] = "packets",
		[EVTLOG_CLOCK_NTP] = "ntp",
	};

	return (size_t)method < sizeof(names) / sizeof(names[0]) ?
	       names[method] : "?";
}

int64_t evtlog_clocksync_time(const struct evtlog_clocksync *hosts, size_t file,
			      uint64_t raw_ns)
{
	return timeline_time(&host_of(hosts, file)->timeline, raw_ns);
}

uint64_t evtlog_clocksync_raw(const struct evtlog_clocksync *hosts, size_t file,
			      int64_t time_ns)
{
	return timeline_raw(&host_of(hosts, file)->timeline, time_ns);
}

uint64_t evtlog_clocksync_bound(const struct evtlog_clocksync *hosts, size_t file,
				uint64_t raw_ns)
{
	return timeline_bound(&host_of(hosts, file)->timeline, raw_ns);
}

void evtlog_host_cursor_start(struct evtlog_host_cursor *cursor,
			      const struct evtlog_clocksync *hosts, size_t file)
{
	timeline_cursor(cursor, &host_of(hosts, file)->timeline);
}
