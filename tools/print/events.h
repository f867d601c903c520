/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes through the events that are shown.
 *
 * Between the iterator and `dump`, `merge` and merged files.  It shows none itself.
 */
#ifndef EVTLOG_PRINT_EVENTS_H
#define EVTLOG_PRINT_EVENTS_H

#include "around.h"
#include "lib/merge/iterator.h"

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

#endif /* EVTLOG_PRINT_EVENTS_H */
