/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a selection can fit a log, and what the log has if nothing did.
 */
#ifndef EVTLOG_INPUT_SELECTION_H
#define EVTLOG_INPUT_SELECTION_H

#include "event-filter.h"

#define MATCHES_WHY_BYTES	512

/*
 * One of the logs that are read together.
 * @seen:	bits of types that occurred
 */
struct matches_log {
	const struct evtlog_file *file;
	const struct evtlog_tasks *tasks;
	uint64_t seen;
};

/*
 * @path:	for messages
 * @length_ns:	of the run
 * @cpus:	that there are, of @cpu_limit; a merged file's show only as they are read
 * @knows_cpus:	all of them
 * @count:	events that matched
 */
struct matches {
	const char *path;
	const struct filter *filter;
	uint64_t length_ns;
	struct matches_log *logs;
	size_t log_count;
	bool *cpus;
	bool knows_cpus;
	uint64_t count;
};

/* Returns 0 or -ENOMEM; matches_free() it in any case. */
int matches_init(struct matches *matches, const char *path,
		 const struct filter *filter, size_t log_count);
void matches_free(struct matches *matches);

/* Takes a log; its CPUs are those of @file if @has_cpus. */
void matches_add(struct matches *matches, size_t number, const struct evtlog_file *file,
		 const struct evtlog_tasks *tasks, bool has_cpus);

/**
 * matches_can() - whether a selection can have anything in this log
 * @why:	MATCHES_WHY_BYTES: what the log has instead
 *
 * Before the events are read, so that nobody waits for nothing.
 */
bool matches_can(const struct matches *matches, char *why);

/*
 * The same, after saying so.  EXIT_OK; EXIT_MISUSE: a time or a CPU that the log has not is no
 * error in how the command is used, of which alone its help tells more.
 */
int matches_check(const struct matches *matches, const char *command);

/* An event is read; @matches_it: it is selected. */
static inline void matches_see(struct matches *matches, size_t number,
			       const struct evtlog_event *event, bool matches_it)
{
	if (event->kind != EVTLOG_EVENT_RECORD)
		return;
	matches->logs[number].seen |= UINT64_C(1) << event->number;
	if (event->cpu < EVTLOG_CPU_LIMIT)
		matches->cpus[event->cpu] = true;
	matches->count += matches_it;
}

/* All is read: if nothing matched, says so, and what there is. */
void matches_tell(const struct matches *matches);

/* The same of tasks alone, for a command that has none to show. */
void matches_tell_tasks(const struct matches *matches);

/**
 * matches_refuse_type() - say which types there are instead of @name
 * @path:	of @file; NULL: it is one of several, none of which has it
 *
 * Returns EXIT_MISUSE.
 */
int matches_refuse_type(const char *command, const char *name, const char *path,
			const struct evtlog_file *file);

#endif /* EVTLOG_INPUT_SELECTION_H */
