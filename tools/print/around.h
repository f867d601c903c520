/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows the events that match, and those around them: --before, --after, --around.
 *
 * It does not decide which events match.
 */
#ifndef EVTLOG_PRINT_AROUND_H
#define EVTLOG_PRINT_AROUND_H

#include "common/options.h"
#include "event.h"
#include "lib/merge/iterator.h"

/* How far from a match: so many events, or within a time. */
struct around_reach {
	bool is_time;
	uint64_t number;
};

/*
 * @limit:	matches still to be shown; UINT64_MAX: no limit
 * @kept:	a ring of @room texts, the last @count events that may come before a match;
 *		@first is the oldest
 * @memory:	where events are written to be kept, as @text and @bytes
 * @more:	events behind the last match that are still shown
 * @until_ns:	and up to which time
 * @printed:	something was
 * @skipped:	what was not shown since
 * @is_full:	more came within --before's time than are kept
 */
struct around {
	struct around_reach before;
	struct around_reach after;
	uint64_t limit;

	struct around_kept *kept;
	size_t capacity;
	size_t first;
	size_t count;
	FILE *memory;
	char *text;
	size_t bytes;
	uint64_t more;
	int64_t until_ns;
	bool matched;
	bool printed;
	bool skipped;
	bool is_full;
};

/* --before, --after and --around */
extern const struct option_desc around_options[];

void around_init(struct around *around);
void around_free(struct around *around);

/* Takes one of around_options: 0; -EINVAL, also if it is another. */
int around_option(struct around *around, int option, const char *text);

static inline bool around_is_wanted(const struct around *around)
{
	return around->before.number || around->after.number;
}

/* Whether nothing more is to be shown, however many events come. */
bool around_is_done(const struct around *around);

/**
 * around_show() - take an event, shown or not, in the order of time
 * @matches:	it is one that is wanted; else it is shown if it is near one
 *
 * Returns 0 or -ENOMEM.
 */
int around_show(struct around *around, struct show *show, const struct show_host *host,
		const struct evtlog_event *event, const struct show_moment *moment,
		bool matches);

/* ---- Goes through the events that are shown; shows none itself ---- */

/* Takes an event, wanted or not: 0 or -errno, which ends it. */
typedef int events_take(void *context, const struct iterator_event *at);

/**
 * events_show_all() - give all events to @take, until the window's end, or that of what
 * @around wants or stdout takes
 * @label:	of the progress that is shown on a terminal
 *
 * Returns 0 or -errno.
 */
int events_show_all(struct iterator *iterator, const struct around *around, const char *label,
		    events_take *take, void *context);

#endif /* EVTLOG_PRINT_AROUND_H */
