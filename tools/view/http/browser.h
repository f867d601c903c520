/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has the desktop open the address: --open.
 *
 * The address is a secret, and what a program is started with is not: so a file
 * is opened that leads there, which nobody else may read.
 */
#ifndef EVTLOG_VIEW_HTTP_BROWSER_H
#define EVTLOG_VIEW_HTTP_BROWSER_H

#include <sys/types.h>

struct browser {
	char *path;
	pid_t pid;
};

/* Says what is wrong; the address was printed in any case. */
void browser_open(struct browser *browser, const char *address);
void browser_close(struct browser *browser);

#endif /* EVTLOG_VIEW_HTTP_BROWSER_H */
