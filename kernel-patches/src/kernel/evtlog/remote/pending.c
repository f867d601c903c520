// SPDX-License-Identifier: GPL-2.0-only
/*
 * Orders: control messages from their receipt to their answer, in memory that is there before.
 *
 * Stage: between the receive softirq and the thread (remote/execute.c).  It carries out nothing.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "remote/pending.h"

static const unsigned int pool_sizes[EVTLOG_REMOTE_POOLS] = {
	[EVTLOG_REMOTE_POOL_COMMON] = EVTLOG_REMOTE_ORDERS_COMMON,
	[EVTLOG_REMOTE_POOL_RUN] = EVTLOG_REMOTE_ORDERS_RUN,
	[EVTLOG_REMOTE_POOL_BOOST] = EVTLOG_REMOTE_ORDERS_BOOST,
};

/* Guards the lists, in any context; an order that is on none is its taker's. */
static DEFINE_SPINLOCK(orders_lock);
static struct list_head pools[EVTLOG_REMOTE_POOLS];
static LIST_HEAD(orders_due);
/* Those that others carry out. */
static LIST_HEAD(orders_aside);
static struct evtlog_remote_order *orders;

static struct evtlog_remote_order *take_first(struct list_head *from)
{
	struct evtlog_remote_order *order;
	unsigned long flags;

	spin_lock_irqsave(&orders_lock, flags);
	order = list_first_entry_or_null(from, struct evtlog_remote_order, list);
	if (order)
		list_del(&order->list);
	spin_unlock_irqrestore(&orders_lock, flags);
	return order;
}

static void append(struct evtlog_remote_order *order, struct list_head *to)
{
	unsigned long flags;

	spin_lock_irqsave(&orders_lock, flags);
	list_add_tail(&order->list, to);
	spin_unlock_irqrestore(&orders_lock, flags);
}

/**
 * evtlog_remote_orders_open() - memory for all orders that there can be
 *
 * Context: task context; not while open.
 * Return: 0 or -ENOMEM.
 */
int evtlog_remote_orders_open(void)
{
	struct evtlog_remote_order *order;
	unsigned int pool, i, count = 0;

	for (pool = 0; pool < EVTLOG_REMOTE_POOLS; pool++)
		count += pool_sizes[pool];
	orders = kcalloc(count, sizeof(*orders), GFP_KERNEL);
	if (!orders)
		return -ENOMEM;
	order = orders;
	for (pool = 0; pool < EVTLOG_REMOTE_POOLS; pool++) {
		INIT_LIST_HEAD(&pools[pool]);
		for (i = 0; i < pool_sizes[pool]; i++, order++) {
			order->pool = pool;
			list_add_tail(&order->list, &pools[pool]);
		}
	}
	return 0;
}

/** evtlog_remote_orders_close() - give the memory back; every order was, too */
void evtlog_remote_orders_close(void)
{
	kfree(orders);
}

/**
 * evtlog_remote_order_get() - an order for a message
 * @receipt:	the message; copied
 * @pool:	what it may use where nothing common is left
 *
 * Context: any but NMI.
 * Return: the caller's, only @receipt is set; NULL: too many wait already.
 */
struct evtlog_remote_order *evtlog_remote_order_get(const struct evtlog_receipt *receipt,
						    enum evtlog_remote_pool pool)
{
	struct evtlog_remote_order *order = take_first(&pools[EVTLOG_REMOTE_POOL_COMMON]);

	if (!order && pool != EVTLOG_REMOTE_POOL_COMMON)
		order = take_first(&pools[pool]);
	if (!order)
		return NULL;
	order->receipt = *receipt;
	order->is_done = false;
	order->is_published = false;
	order->waits = false;
	memset(&order->outcome, 0, sizeof(order->outcome));
	return order;
}

/** evtlog_remote_order_put() - it is answered; any context but NMI */
void evtlog_remote_order_put(struct evtlog_remote_order *order)
{
	append(order, &pools[order->pool]);
}

/** evtlog_remote_order_queue() - for the thread, which is to be woken; any context but NMI */
void evtlog_remote_order_queue(struct evtlog_remote_order *order)
{
	append(order, &orders_due);
}

/** evtlog_remote_order_next() - what has waited longest for the thread, or NULL */
struct evtlog_remote_order *evtlog_remote_order_next(void)
{
	return take_first(&orders_due);
}

/** evtlog_remote_order_set_aside() - until evtlog_remote_order_fetch(); any context but NMI */
void evtlog_remote_order_set_aside(struct evtlog_remote_order *order)
{
	append(order, &orders_aside);
}

/**
 * evtlog_remote_order_fetch() - the order of this number that was set aside
 * Return: it, now the caller's; NULL: there is none.
 */
struct evtlog_remote_order *evtlog_remote_order_fetch(u32 request)
{
	struct evtlog_remote_order *order, *found = NULL;
	unsigned long flags;

	spin_lock_irqsave(&orders_lock, flags);
	list_for_each_entry(order, &orders_aside, list) {
		if (order->receipt.request == request) {
			found = order;
			list_del(&found->list);
			break;
		}
	}
	spin_unlock_irqrestore(&orders_lock, flags);
	return found;
}
