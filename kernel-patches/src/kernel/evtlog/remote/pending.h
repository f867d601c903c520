/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Orders: control messages from their receipt to their answer, in memory that is there before.
 *
 * Stage: between the receive softirq, which takes an order for each message that it lets in, and
 * the thread, which answers it (remote/execute.c).
 */
#ifndef EVTLOG_REMOTE_ORDER_H
#define EVTLOG_REMOTE_ORDER_H

#include <linux/list.h>
#include <linux/types.h>

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

#define EVTLOG_REMOTE_ORDERS_COMMON	32
#define EVTLOG_REMOTE_ORDERS_RUN	4
#define EVTLOG_REMOTE_ORDERS_BOOST	4

/*
 * struct evtlog_remote_order - a message on its way
 * @pool:	where it goes back to
 * @is_done:	only to be answered
 * @is_published: a start or stop that the receive path has carried out; what remains needs
 *		a thread
 * @waits:	a start or stop that waits for the thread
 * @outcome:	what became of it, where that is known
 */
struct evtlog_remote_order {
	struct list_head list;
	enum evtlog_remote_pool pool;
	struct evtlog_receipt receipt;
	bool is_done;
	bool is_published;
	bool waits;
	struct evtlog_remote_outcome outcome;
};

int evtlog_remote_orders_open(void);
void evtlog_remote_orders_close(void);
struct evtlog_remote_order *evtlog_remote_order_get(const struct evtlog_receipt *receipt,
						    enum evtlog_remote_pool pool);
void evtlog_remote_order_put(struct evtlog_remote_order *order);
void evtlog_remote_order_queue(struct evtlog_remote_order *order);
struct evtlog_remote_order *evtlog_remote_order_next(void);
void evtlog_remote_order_set_aside(struct evtlog_remote_order *order);
struct evtlog_remote_order *evtlog_remote_order_fetch(u32 request);

#endif /* EVTLOG_REMOTE_ORDER_H */
