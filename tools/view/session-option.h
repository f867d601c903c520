/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of all commands that look at logs by their indexes.
 *
 * Stage: between argv and session_open().
 */
#ifndef EVTLOG_VIEW_SESSION_OPTION_H
#define EVTLOG_VIEW_SESSION_OPTION_H

#include "select.h"
#include "session.h"

/* Entries for getopt_long(), of which session_option() takes what it gives. */
enum { SESSION_HOSTS = 0x2000, SESSION_INDEX_DIR, SESSION_NO_INDEX, SESSION_ASSUME_NTP };

#define SESSION_OPTIONS \
	{ "hosts", required_argument, NULL, SESSION_HOSTS }, \
	{ "cpus", required_argument, NULL, 'c' }, \
	{ "from", required_argument, NULL, SELECT_FROM }, \
	{ "to", required_argument, NULL, SELECT_TO }, \
	{ "index-dir", required_argument, NULL, SESSION_INDEX_DIR }, \
	{ "no-index", no_argument, NULL, SESSION_NO_INDEX }, \
	{ "assume-ntp", no_argument, NULL, SESSION_ASSUME_NTP }
#define SESSION_LETTERS	"c:"

/*
 * Takes one of SESSION_OPTIONS.
 * @selection:	has the CPUs, which @options only points to, and the times
 * 0; -EINVAL, also if it is another; -ENOMEM; EXIT_MISUSE, after saying what is wrong.
 */
int session_option(struct session_options *options, struct selection *selection,
		   int option, const char *text);

#endif /* EVTLOG_VIEW_SESSION_OPTION_H */
