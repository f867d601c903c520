/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps that all exports share: open the logs, read their events, write, and report losses.
 *
 * Stage: between the library's iterator and the writer of a format.
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

/* After a signal, an export removes its output and ends by the signal. */

/* The received signal, or 0. */
extern volatile sig_atomic_t interrupted;

/* ---- The order of an export ---- */

/*
 * export_run() - open the logs, call @write, and close the logs
 * @sources: open while @write runs
 * @write: returns an exit status, after an error message; EXIT_EVENTS_LOST if events are missing in
 *	inputs other than the logs.  While it runs, signals only set @interrupted
 *
 * Return: an exit status.  If a signal came and @write failed, the process ends by the signal.
 */
int export_run(struct sources *sources, const struct sources_options *opts, char **paths,
	       size_t count, int (*write)(void *context), void *context);

/*
 * export_hosts() - call @host for each wanted host
 * @host: exports file @number.  Returns 0; -errno of reading; or an exit status, after an error
 *	message
 * @what: name of the output, for the warning if a log has no context switches or wake-ups: "trace"
 *
 * Return: an exit status, after an error message.
 */
int export_hosts(const struct sources *sources, int (*host)(void *context, size_t number),
		 void *context, const char *what);

/* ---- What an export leaves out of the logs, or changes ---- */

/* The metadata of the export contains the same sentences. */

/* Prints each of @lines, with @path in front. */
void notes_say(const char *lines, const char *path);

/* Prints the @texts whose bit is set in @notes, with @path in front. */
void notes_say_some(const char *const *texts, uint32_t notes, const char *path);

/* ---- The events of a host while its log is exported ---- */

/*
 * @span:	wanted part; events before it are read too, as they contain names of tasks
 * @count:	events since the last update of the progress; wraps at 65536
 */
struct reading {
	struct iterator iterator;
	struct span span;
	struct progress progress;
	uint16_t count;
};

/*
 * reading_begin() - start to read at the buffers in which the span begins
 * @name: name of the host, for the progress; must outlive @reading
 *
 * Return: 0; -ENOMEM, -errno of read().  Call reading_end() in all cases.
 */
int reading_begin(struct reading *reading, struct evtlog_file *file, const char *name,
		  struct span span);
void reading_end(struct reading *reading);

/**
 * reading_next() - the next event before the end of the span
 *
 * Return: 1 and an event; 0 at the end; -EINTR after a signal; -errno of read().
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

/* Raises the soft limit to the hard limit: formats with one file per CPU need many files. */
void files_limit_raise(void);

#endif /* EVTLOG_EXPORT_RUN_H */
