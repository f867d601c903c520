/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pending commands, from their reception to their answer, in memory that is reserved before.
 *
 * The receive softirq takes one for each message that it lets in; the thread answers it
 * (remote/execute.c).
 */
#ifndef EVTLOG_PENDING_H
#define EVTLOG_PENDING_H

#include <linux/list.h>

#include "remote/command.h"
#include "remote/remote.h"

/*
 * What is kept for some messages.  COMMON is for all; RUN is for starts and stops alone and
 * BOOST for schedules and cancels alone, where COMMON has none left: questions do not use
 * them up, nor does one of the two kinds, for which another key may be, those of the other.
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
 * struct evtlog_pending - a command that is under way
 * @list:	among the free, those due, or those set aside
 * @pool:	where it goes back to
 * @command:	a copy
 * @is_done:	only to be answered
 * @is_published: a start or stop that the receive path has carried out; what remains needs
 *		a thread
 * @waits:	a start or stop that waits for the thread
 * @outcome:	what became of it, where that is known
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
