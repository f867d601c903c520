// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Goes through the events that are shown.
 *
 * Between the iterator and `dump`, `merge` and merged files.  It shows none itself.
 */
#include <unistd.h>

#include "common/error.h"
#include "events.h"

/* Adding up the positions of a thousand hosts' CPUs takes a while. */
#define PROGRESS_EVENTS	(1u << 18)

int events_show_all(struct iterator *iterator, const struct around *around, const char *label,
		    events_take *take, void *context)
{
	const struct iterator_event *at;
	struct progress progress;
	uint32_t events = 0;
	int result = 0;

	/* On a terminal the lines are progress enough. */
	progress_begin(&progress, label, isatty(STDOUT_FILENO) ? 0 : iterator->all_bytes);
	while (!around_is_done(around) && !ferror(stdout) &&
	       (result = iterator_next(iterator, &at)) > 0) {
		result = take(context, at);
		if (result < 0)
			break;
		if (!(++events % PROGRESS_EVENTS))
			progress_update(&progress, iterator_position(iterator));
	}
	progress_end(&progress);
	return result < 0 ? result : 0;
}
