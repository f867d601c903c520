/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a host while its log is exported, with what shows how far it is.
 *
 * Stage: between the library's iterator and what writes a format.
 */
#ifndef EVTLOG_EXPORT_READING_H
#define EVTLOG_EXPORT_READING_H

#include <errno.h>

#include "common/error.h"
#include "interrupt.h"
#include "lib/merge/iterator.h"
#include "sources.h"

/*
 * @span:	events before it are given too: names of tasks come with them
 * @count:	events since the progress was shown
 */
struct reading {
	struct iterator iterator;
	struct span span;
	struct progress progress;
	uint16_t count;
};

/*
 * reading_begin() - from the buffers on in which the span begins
 * @name: of the host, for the progress; must live as long
 *
 * Return: 0; -ENOMEM, -errno of read().  reading_end() in all cases.
 */
int reading_begin(struct reading *reading, struct evtlog_file *file, const char *name,
		  struct span span);
void reading_end(struct reading *reading);

/**
 * reading_next() - the next event before the end of the span
 *
 * Return: 1 and an event; 0 at the end; -EINTR the user interrupted it; -errno of read().
 */
static inline int reading_next(struct reading *reading, const struct evtlog_event **eventp)
{
	const struct iterator_event *at;
	int result = iterator_next(&reading->iterator, &at);

	if (__builtin_expect(result <= 0, 0))
		return result;
	if (__builtin_expect(at->event->time_ns >= reading->span.to_ns, 0))
		return 0;
	if (__builtin_expect(!++reading->count, 0)) {
		if (interrupted)
			return -EINTR;
		progress_update(&reading->progress, iterator_position(&reading->iterator));
	}
	*eventp = at->event;
	return 1;
}

#endif /* EVTLOG_EXPORT_READING_H */
