/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all exports do in the same order: open the logs, write, and say what was lost.
 */
#ifndef EVTLOG_EXPORT_RUN_H
#define EVTLOG_EXPORT_RUN_H

#include "sources.h"

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

#endif /* EVTLOG_EXPORT_RUN_H */
