/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of all commands that look at logs by their indexes.
 */
#ifndef EVTLOG_VIEW_SESSION_OPTIONS_H
#define EVTLOG_VIEW_SESSION_OPTIONS_H

#include "input/event-filter.h"
#include "session.h"

/* Entries for getopt_long(), of which session_option() takes what it gives. */
enum { SESSION_HOSTS = 0x2000, SESSION_INDEX_DIR, SESSION_NO_INDEX, SESSION_ASSUME_NTP };

#define SESSION_OPTIONS \
	{ "hosts", required_argument, NULL, SESSION_HOSTS }, \
	{ "cpus", required_argument, NULL, 'c' }, \
	{ "from", required_argument, NULL, FILTER_FROM }, \
	{ "to", required_argument, NULL, FILTER_TO }, \
	{ "index-dir", required_argument, NULL, SESSION_INDEX_DIR }, \
	{ "no-index", no_argument, NULL, SESSION_NO_INDEX }, \
	{ "assume-ntp", no_argument, NULL, SESSION_ASSUME_NTP }
#define SESSION_LETTERS	"c:"

/* Entries for struct options' values, for the same. */
#define SESSION_VALUES \
	{ 'c', NULL, FILTER_CPUS_LIKE }, \
	FILTER_TIME_VALUES, \
	{ SESSION_INDEX_DIR, NULL, "a directory" }

/*
 * Takes one of SESSION_OPTIONS.
 * @selection:	has the CPUs, which @options only points to, and the times
 * 0; -EINVAL, also if it is another; -ENOMEM; EXIT_MISUSE, after saying what is wrong.
 */
int session_option(struct session_options *options, struct filter *filter,
		   int option, const char *text);

/*
 * The files that are named, and those of named directories; not standard input, of which
 * there is no index. @done: what can't be done with it, as "viewed".
 * EXIT_OK, and paths_free() them; else an exit status, after saying what is wrong.
 */
int session_paths(const char *command, const char *done, char **args, int count,
		  char ***paths, size_t *paths_count);

/* EXIT_OK: the span has a part of the run in it; EXIT_MISUSE, after saying that not. */
int session_check_span(const struct session *session, const char *command, uint64_t from_ns,
		       uint64_t to_ns);

#endif /* EVTLOG_VIEW_SESSION_OPTIONS_H */
