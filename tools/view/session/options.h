/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of all commands that look at logs by their indexes.
 */
#ifndef EVTLOG_VIEW_session_option_table_H
#define EVTLOG_VIEW_session_option_table_H

#include "input/event-filter.h"
#include "session.h"

enum { SESSION_HOSTS = 0x2000, SESSION_INDEX_DIR, SESSION_NO_INDEX, SESSION_ASSUME_NTP };

/* --host, --cpu, --from, --to, --index-dir, --no-index, --assume-ntp */
extern const struct option_desc session_option_table[];

/*
 * Takes one of session_option_table.
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

#endif /* EVTLOG_VIEW_session_option_table_H */
