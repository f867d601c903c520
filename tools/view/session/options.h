/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of all commands that show logs by their indexes.
 */
#ifndef EVTLOG_VIEW_session_option_table_H
#define EVTLOG_VIEW_session_option_table_H

#include "input/event-filter.h"
#include "session.h"

enum { SESSION_HOSTS = 0x2000, SESSION_INDEX_DIR, SESSION_NO_INDEX, SESSION_ASSUME_NTP };

/* --host, --cpu, --from, --to, --index-dir, --no-index, --assume-ntp */
extern const struct option_desc session_option_table[];

/*
 * Applies one option of session_option_table.
 * @filter:	receives the times and the CPUs, to which @options points
 * 0; -EINVAL, also for other options; -ENOMEM; EXIT_MISUSE, after a message.
 */
int session_option(struct session_options *options, struct filter *filter,
		   int option, const char *text);

/*
 * Lists the named files and the files in named directories.  Refuses standard input, which has no
 * index.  @done: a participle for the message, such as "viewed".
 * EXIT_OK, and the caller frees @paths with paths_free(); else an exit status, after a message.
 */
int session_paths(const char *command, const char *done, char **args, int count,
		  char ***paths, size_t *paths_count);

/* EXIT_OK if the span overlaps the run; else EXIT_MISUSE, after a message. */
int session_check_span(const struct session *session, const char *command, uint64_t from_ns,
		       uint64_t to_ns);

#endif /* EVTLOG_VIEW_session_option_table_H */
