/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all exports do in the same order: open the logs, read their events, write, and say what was
 * lost.
 *
 * Stage: between the library's iterator and what writes a format.
 */
#ifndef EVTLOG_EXPORT_RUN_H
#define EVTLOG_EXPORT_RUN_H

#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "common/error.h"
#include "lib/merge/iterator.h"
#include "sources.h"

/* ---- SIGINT, SIGTERM and SIGHUP while an export is written ---- */

/* It takes away what it has made, and then ends by the signal. */

/* The signal that came, or 0. */
extern volatile sig_atomic_t interrupted;

/* ---- The order of an export ---- */

/*
 * export_run() - opens the logs, writes, and closes them
 * @sources: opened while @write runs
 * @write: an exit status, after saying what is wrong; EXIT_EVENTS_LOST: what is beside the logs
 *	lacks some.  A signal is in @interrupted meanwhile
 *
 * Return: an exit status; if a signal made @write fail the process ends by it.
 */
int export_run(struct sources *sources, const struct sources_options *opts, char **paths,
	       size_t count, int (*write)(void *context), void *context);

/*
 * export_hosts() - one host after the other, of those that are wanted
 * @host: of the file @number: 0; -errno of reading; or an exit status, after saying what is wrong
 * @what: lacks what switches and wake-ups tell, if the log does not have them: "trace"
 *
 * Return: an exit status, after saying what is wrong.
 */
int export_hosts(const struct sources *sources, int (*host)(void *context, size_t number),
		 void *context, const char *what);

/* ---- What an export leaves out of the logs, or changes ---- */

/* The same sentences are in its metadata. */

/* Prints each of @lines, with @path in front. */
void notes_say(const char *lines, const char *path);

/* Prints the @texts whose bit is set in @notes, with @path in front. */
void notes_say_some(const char *const *texts, uint32_t notes, const char *path);

/* ---- The events of a host while its log is exported ---- */

/* With what shows how far it is. */

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

/* ---- How many files may be open ---- */

/* Formats with a file for each CPU need more than a shell allows. */

/* Up to what the process may have without asking. */
void files_limit_raise(void);

#endif /* EVTLOG_EXPORT_RUN_H */
