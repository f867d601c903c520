/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks whether a selection can match a log, and prints what the log has if nothing matched.
 */
#ifndef EVTLOG_INPUT_SELECTION_H
#define EVTLOG_INPUT_SELECTION_H

#include "event-filter.h"

#define MATCHES_WHY_BYTES	512

/*
 * One of the logs that are read together.
 * @seen:	bit mask of the types that occurred
 */
struct matches_log {
	const struct evtlog_file *file;
	const struct evtlog_tasks *tasks;
	uint64_t seen;
};

/*
 * @path:	for messages
 * @length_ns:	of the run
 * @cpus:	CPUs of the logs, EVTLOG_CPU_LIMIT elements; those of a merged file are found on
 *		reading
 * @knows_cpus:	True: @cpus is complete before reading
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

/* Returns 0 or -ENOMEM.  Call matches_free() in both cases. */
int matches_init(struct matches *matches, const char *path,
		 const struct filter *filter, size_t log_count);
void matches_free(struct matches *matches);

/* Adds a log.  If @has_cpus, the CPUs of @file are its CPUs. */
void matches_add(struct matches *matches, size_t number, const struct evtlog_file *file,
		 const struct evtlog_tasks *tasks, bool has_cpus);

/**
 * matches_can() - returns true if the selection can match events of the logs
 * @why:	error message with what the logs have instead, MATCHES_WHY_BYTES
 *
 * Call it before reading, to avoid a long wait for an empty result.
 */
bool matches_can(const struct matches *matches, char *why);

/*
 * Like matches_can(), but prints the error.  Returns EXIT_OK or EXIT_MISUSE.  The hint to --help
 * is printed only if --from is not before --to: the help does not list a log's times and CPUs.
 */
int matches_check(const struct matches *matches, const char *command);

/* Call for each event read.  @matches_it: the event is selected. */
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

/* Call after reading: if no event matched, prints what the logs have. */
void matches_report(const struct matches *matches);

/* Like matches_report(), but only for tasks: for commands that found no task to show. */
void matches_report_tasks(const struct matches *matches);

/**
 * matches_refuse_type() - print the types that exist instead of @name
 * @path:	of @file; NULL if none of several files has @name
 *
 * Returns EXIT_MISUSE.
 */
int matches_refuse_type(const char *command, const char *name, const char *path,
			const struct evtlog_file *file);

#endif /* EVTLOG_INPUT_SELECTION_H */
