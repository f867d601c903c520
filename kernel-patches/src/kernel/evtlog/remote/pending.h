/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pending commands, from reception to answer, in memory that is allocated in advance.
 *
 * The receive softirq takes one for each accepted message; the thread answers it
 * (remote/execute.c).
 */
#ifndef EVTLOG_PENDING_H
#define EVTLOG_PENDING_H

#include <linux/list.h>

#include "remote/command.h"
#include "remote/remote.h"

/*
 * Reserves of pending commands.  COMMON is for all messages.  If it is empty, starts and stops use
 * RUN, and schedules and cancels use BOOST.  Questions therefore cannot exhaust the reserve of
 * commands, and the two kinds, which may have different keys, cannot exhaust each other's reserve.
 */
enum evtlog_remote_pool {
	EVTLOG_REMOTE_POOL_COMMON,
	EVTLOG_REMOTE_POOL_RUN,
	EVTLOG_REMOTE_POOL_BOOST,
	EVTLOG_REMOTE_POOLS,
};

#define EVTLOG_PENDING_COMMON	32
#define EVTLOG_PENDING_RUN	4
#define EVTLOG_PENDING_BOOST	4

/**
 * struct evtlog_pending - a command in progress
 * @list:	entry in the list of free, due, or set aside commands
 * @pool:	pool that it returns to
 * @command:	a copy
 * @is_done:	True: only the answer remains
 * @is_published: True: a start or stop that the receive path has executed; the thread completes it
 * @waits:	True: a start or stop that waits for the thread
 * @outcome:	result of the command, as far as known
 */
struct evtlog_pending {
	struct list_head list;
	enum evtlog_remote_pool pool;
	struct evtlog_command command;
	bool is_done;
	bool is_published;
	bool waits;
	struct evtlog_remote_outcome outcome;
};

int evtlog_pending_open(void);
void evtlog_pending_close(void);
struct evtlog_pending *evtlog_pending_get(const struct evtlog_command *command,
					  enum evtlog_remote_pool pool);
void evtlog_pending_put(struct evtlog_pending *pending);
void evtlog_pending_queue(struct evtlog_pending *pending);
struct evtlog_pending *evtlog_pending_next(void);
void evtlog_pending_set_aside(struct evtlog_pending *pending);
struct evtlog_pending *evtlog_pending_fetch(u32 request);

#endif /* EVTLOG_PENDING_H */
