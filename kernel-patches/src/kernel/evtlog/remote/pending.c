// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pending commands, from reception to answer, in memory that is allocated in advance.
 *
 * They pass from the receive softirq to the thread (remote/execute.c).  Nothing is executed here.
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "remote/pending.h"

static const unsigned int pool_sizes[EVTLOG_REMOTE_POOLS] = {
	[EVTLOG_REMOTE_POOL_COMMON] = EVTLOG_PENDING_COMMON,
	[EVTLOG_REMOTE_POOL_RUN] = EVTLOG_PENDING_RUN,
	[EVTLOG_REMOTE_POOL_BOOST] = EVTLOG_PENDING_BOOST,
};

/* Guards the lists, in any context.  A command on no list belongs to the caller that took it. */
static DEFINE_SPINLOCK(pending_lock);
static struct list_head pools[EVTLOG_REMOTE_POOLS];
static LIST_HEAD(due);
/* Commands that other code executes */
static LIST_HEAD(aside);
static struct evtlog_pending *all;

static struct evtlog_pending *take_first(struct list_head *from)
{
	struct evtlog_pending *pending;
	unsigned long flags;

	spin_lock_irqsave(&pending_lock, flags);
	pending = list_first_entry_or_null(from, struct evtlog_pending, list);
	if (pending)
		list_del(&pending->list);
	spin_unlock_irqrestore(&pending_lock, flags);
	return pending;
}

static void append(struct evtlog_pending *pending, struct list_head *to)
{
	unsigned long flags;

	spin_lock_irqsave(&pending_lock, flags);
	list_add_tail(&pending->list, to);
	spin_unlock_irqrestore(&pending_lock, flags);
}

/**
 * evtlog_pending_open() - allocate memory for all commands that can be pending
 *
 * Context: task context; not while open.
 * Return: 0 or -ENOMEM.
 */
int evtlog_pending_open(void)
{
	struct evtlog_pending *pending;
	unsigned int pool, i, count = 0;

	for (pool = 0; pool < EVTLOG_REMOTE_POOLS; pool++)
		count += pool_sizes[pool];
	all = kcalloc(count, sizeof(*all), GFP_KERNEL);
	if (!all)
		return -ENOMEM;
	pending = all;
	for (pool = 0; pool < EVTLOG_REMOTE_POOLS; pool++) {
		INIT_LIST_HEAD(&pools[pool]);
		for (i = 0; i < pool_sizes[pool]; i++, pending++) {
			pending->pool = pool;
			list_add_tail(&pending->list, &pools[pool]);
		}
	}
	return 0;
}

/**
 * evtlog_pending_close() - free the memory
 *
 * Context: task context; every pending command was given back.
 */
void evtlog_pending_close(void)
{
	kfree(all);
}

/**
 * evtlog_pending_get() - keep a command until it is answered
 * @command:	the message; copied
 * @pool:	pool to use if the common pool is empty
 *
 * Context: any but NMI.
 * Return: a pending command of the caller, with only @command set; NULL: too many wait already.
 */
struct evtlog_pending *evtlog_pending_get(const struct evtlog_command *command,
					  enum evtlog_remote_pool pool)
{
	struct evtlog_pending *pending = take_first(&pools[EVTLOG_REMOTE_POOL_COMMON]);

	if (!pending && pool != EVTLOG_REMOTE_POOL_COMMON)
		pending = take_first(&pools[pool]);
	if (!pending)
		return NULL;
	pending->command = *command;
	pending->is_done = false;
	pending->is_published = false;
	pending->waits = false;
	memset(&pending->outcome, 0, sizeof(pending->outcome));
	return pending;
}

/**
 * evtlog_pending_put() - give back a command that was answered
 * @pending:	belongs to the caller until now
 *
 * Context: any but NMI.
 */
void evtlog_pending_put(struct evtlog_pending *pending)
{
	append(pending, &pools[pending->pool]);
}

/**
 * evtlog_pending_queue() - queue a command for the thread, which the caller wakes
 * @pending:	belongs to the caller until now
 *
 * Context: any but NMI.
 */
void evtlog_pending_queue(struct evtlog_pending *pending)
{
	append(pending, &due);
}

/**
 * evtlog_pending_next() - take the command that has waited longest for the thread
 *
 * Context: any but NMI.
 * Return: the command, which belongs to the caller now; NULL: the queue is empty.
 */
struct evtlog_pending *evtlog_pending_next(void)
{
	return take_first(&due);
}

/**
 * evtlog_pending_set_aside() - keep a command until evtlog_pending_fetch()
 * @pending:	belongs to the caller until now
 *
 * Context: any but NMI.
 */
void evtlog_pending_set_aside(struct evtlog_pending *pending)
{
	append(pending, &aside);
}

/**
 * evtlog_pending_fetch() - find the command that was set aside with a number
 * @request:	its number
 *
 * Return: the command, which belongs to the caller now; NULL: there is none.
 */
struct evtlog_pending *evtlog_pending_fetch(u32 request)
{
	struct evtlog_pending *pending, *found = NULL;
	unsigned long flags;

	spin_lock_irqsave(&pending_lock, flags);
	list_for_each_entry(pending, &aside, list) {
		if (pending->command.request == request) {
			found = pending;
			list_del(&found->list);
			break;
		}
	}
	spin_unlock_irqrestore(&pending_lock, flags);
	return found;
}
