/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows the events that match and the events around them: --before, --after.
 *
 * It does not decide which events match.
 */
#ifndef EVTLOG_PRINT_AROUND_H
#define EVTLOG_PRINT_AROUND_H

#include "common/options.h"
#include "event.h"
#include "lib/merge/iterator.h"

/* Distance from a match: a number of events, or a time in ns */
struct around_reach {
	bool is_time;
	uint64_t number;
};

/*
 * @limit:	number of matches that may still be shown; UINT64_MAX: no limit
 * @kept:	ring of @capacity texts: the last @count events, which may precede a match; @first
 *		is the oldest
 * @memory:	stream that writes an event to @text, @bytes
 * @more:	number of events after the last match that are still shown
 * @until_ns:	show events up to this time
 * @printed:	an event was printed
 * @skipped:	events were left out since
 * @is_full:	more events were within the time of --before than can be kept
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

/* --before and --after */
enum { AROUND_BEFORE = 0x3000, AROUND_AFTER };
extern const struct option_desc around_options[];

void around_init(struct around *around);
void around_free(struct around *around);

/* Takes one of around_options.  Returns 0; -EINVAL, also for any other option. */
int around_option(struct around *around, int option, const char *text);

static inline bool around_is_wanted(const struct around *around)
{
	return around->before.number || around->after.number;
}

/**
 * around_show() - take each event in the order of time, and show it if needed
 * @matches:	the event is wanted; any other event is shown only if it is near a match
 *
 * Return: 0 or -ENOMEM.
 */
int around_show(struct around *around, struct show *show, const struct show_host *host,
		const struct evtlog_event *event, const struct show_moment *moment,
		bool matches);

/* ---- Reading the events ---- */

/* Takes an event, wanted or not.  Returns 0; -errno stops the reading. */
typedef int events_take(void *context, const struct iterator_event *at);

/**
 * events_show_all() - call @take for all events
 * @label:	label of the progress, which is shown on a terminal
 *
 * It stops at the end of the window, when no later event can be shown, or if stdout has an error.
 *
 * Return: 0 or -errno.
 */
int events_show_all(struct iterator *iterator, const struct around *around, const char *label,
		    events_take *take, void *context);

#endif /* EVTLOG_PRINT_AROUND_H */
