// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does what control messages ask for, one after the other, and has them answered.
 *
 * Stage: between the receive path, which may not sleep, and run.c, which waits
 * for locks and for CPUs.  All memory is there before the first message: a thread
 * of real-time priority takes receipts from a queue.  It judges no message: what comes
 * here was right.
 */
#include <linux/err.h>
#include <linux/evtlog.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <uapi/linux/sched/types.h>

#include "boost.h"
#include "receipt.h"
#include "remote.h"
#include "run.h"

#define ORDERS	32

/*
 * struct order - a message on its way
 * @is_done:	only to be answered
 * @waits:	one of @waiting_turns
 * @is_published: a start or stop that the receive path has carried out; what remains needs
 *		a thread
 * @outcome:	what became of it, where that is known
 */
struct order {
	struct list_head list;
	struct evtlog_receipt receipt;
	bool is_done;
	bool is_published;
	bool waits;
	struct evtlog_remote_outcome outcome;
};

/* Guards the lists, in any context; an order that is on none is its taker's. */
static DEFINE_SPINLOCK(orders_lock);
static LIST_HEAD(orders_free);
static LIST_HEAD(orders_due);
/* Boosts under way, until evtlog_boost_request.done. */
static LIST_HEAD(orders_boosting);
static struct order *orders;

static struct task_struct *actor;

static atomic_t obeyed;

/* A run was started or stopped, and there was no order to tell the thread of it. */
static bool snapshot_is_due;
static bool completion_is_due;

/*
 * Starts and stops that wait for the thread.  While there are any, others wait behind them:
 * what came first is done first.
 */
static atomic_t waiting_turns;

static bool is_turn(const struct evtlog_receipt *receipt)
{
	return receipt->operation == EVTLOG_REMOTE_START ||
	       receipt->operation == EVTLOG_REMOTE_STOP;
}

static bool name_is_right(const char *name, size_t bytes)
{
	return strlen(name) == bytes && (!bytes || evtlog_run_name_is_valid(name));
}

static int start(const struct evtlog_receipt *receipt)
{
	const struct evtlog_run_order order = {
		.name = receipt->name,
		.reference_ticks = receipt->arrival,
		.receipt = receipt,
	};

	if (!name_is_right(receipt->name, receipt->name_bytes))
		return -EINVAL;
	return evtlog_run_start(&order);
}

/**
 * evtlog_remote_publish_start() - start a run in the receive path, if that is a mere store
 * @name:	the run's, as the message has it, with a NUL behind
 * @name_bytes:	its length there
 * @arrival:	of the message
 *
 * Before all else is done that a message entails: each instruction here is one that the
 * start comes later.
 *
 * Context: softirq.
 * Return: whether it was started; evtlog_remote_act() is still to be called.
 */
bool evtlog_remote_publish_start(const char *name, size_t name_bytes, u64 arrival)
{
	const struct evtlog_run_order order = {
		.name = name,
		.reference_ticks = arrival,
	};

	return !atomic_read(&waiting_turns) && name_is_right(name, name_bytes) &&
	       !evtlog_run_publish_start(&order);
}

static bool publish_stop(const struct evtlog_receipt *receipt)
{
	if (atomic_read(&waiting_turns) || !READ_ONCE(evtlog_run.recording))
		return false;
	evtlog_receipt_write(receipt);
	return !evtlog_run_publish_stop();
}

/* What remains of a start or stop that was published. */
static int complete_published(const struct evtlog_receipt *receipt)
{
	int error;

	if (receipt->operation == EVTLOG_REMOTE_START) {
		evtlog_snapshot();
		return 0;
	}
	error = evtlog_run_complete_stop();
	/* Somebody else has completed it. */
	return error == -EALREADY ? 0 : error;
}

static int act(const struct evtlog_receipt *receipt)
{
	switch (receipt->operation) {
	case EVTLOG_REMOTE_STATUS:
		return 0;
	case EVTLOG_REMOTE_START:
		return start(receipt);
	case EVTLOG_REMOTE_STOP:
		return evtlog_run_stop(receipt);
	case EVTLOG_REMOTE_ARM:
		return evtlog_run_arm();
	case EVTLOG_REMOTE_DISARM:
		return evtlog_run_disarm();
	default:
		return -EINVAL;
	}
}

static struct order *order_take(struct list_head *from)
{
	struct order *order;
	unsigned long flags;

	spin_lock_irqsave(&orders_lock, flags);
	order = list_first_entry_or_null(from, struct order, list);
	if (order)
		list_del(&order->list);
	spin_unlock_irqrestore(&orders_lock, flags);
	return order;
}

static void order_put(struct order *order, struct list_head *to)
{
	unsigned long flags;

	spin_lock_irqsave(&orders_lock, flags);
	list_add_tail(&order->list, to);
	spin_unlock_irqrestore(&orders_lock, flags);
}

/* What was queued is done before the thread ends. */
static int actor_runs(void *unused)
{
	struct order *order;

	for (;;) {
		set_current_state(TASK_IDLE);
		order = order_take(&orders_due);
		if (xchg(&snapshot_is_due, false))
			evtlog_snapshot();
		if (xchg(&completion_is_due, false))
			evtlog_run_complete_stop();
		if (!order) {
			if (kthread_should_stop())
				break;
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		if (!order->is_done)
			order->outcome.result = order->is_published ?
					complete_published(&order->receipt) : act(&order->receipt);
		if (order->waits)
			atomic_dec(&waiting_turns);
		if (order->receipt.wants_reply)
			evtlog_remote_reply(&order->receipt, &order->outcome);
		evtlog_remote_audit(&order->receipt, order->outcome.result);
		order_put(order, &orders_free);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/* The order of this number among the boosts under way, taken from there, or NULL. */
static struct order *boosting_take(u32 request)
{
	struct order *order, *found = NULL;
	unsigned long flags;

	spin_lock_irqsave(&orders_lock, flags);
	list_for_each_entry(order, &orders_boosting, list) {
		if (order->receipt.request == request) {
			found = order;
			list_del(&found->list);
			break;
		}
	}
	spin_unlock_irqrestore(&orders_lock, flags);
	return found;
}

static void boost_is_done(u32 request, int error, unsigned int tasks, bool throttled)
{
	struct order *order = boosting_take(request);

	if (!order)
		return;
	order->is_done = true;
	order->outcome.result = error;
	order->outcome.tasks = tasks;
	order->outcome.throttled = throttled;
	order_put(order, &orders_due);
	wake_up_process(actor);
}

/* Not by the thread: what the group gains is counted from the message's arrival. */
static void boost(struct order *order)
{
	const struct evtlog_receipt *receipt = &order->receipt;
	struct evtlog_boost_request request = {
		.request = receipt->request,
		.group_kind = receipt->group_kind,
		.group = receipt->group,
		.duration_ns = receipt->duration_ns,
		.done = boost_is_done,
	};
	int error = -EINVAL;

	evtlog_receipt_write(receipt);
	/* It may be done before this returns. */
	order_put(order, &orders_boosting);
	if (strlen(receipt->name) == receipt->name_bytes) {
		strscpy(request.name, receipt->name, sizeof(request.name));
		error = evtlog_boost_submit(&request);
	}
	if (error)
		boost_is_done(request.request, error, 0, false);
}

/* At once, too; by the thread it is only answered. */
static void cancel_boost(struct order *order)
{
	evtlog_receipt_write(&order->receipt);
	order->outcome.result = evtlog_boost_cancel();
	order->is_done = true;
}

/* All wait already: it is not answered, but what ends something is done all the same. */
static int act_without_order(const struct evtlog_receipt *receipt, bool is_published)
{
	if (is_published)
		WRITE_ONCE(snapshot_is_due, true);
	else if (receipt->operation == EVTLOG_REMOTE_STOP && publish_stop(receipt))
		WRITE_ONCE(completion_is_due, true);
	else if (receipt->operation == EVTLOG_REMOTE_CANCEL)
		evtlog_boost_cancel();
	wake_up_process(actor);
	return -EBUSY;
}

/**
 * evtlog_remote_act() - do what a message asks for, soon
 * @receipt:	the message; copied, and its @request set
 * @is_published: it was carried out by evtlog_remote_publish_start()
 *
 * A stop is carried out here, too, where something records.
 *
 * Context: softirq, between evtlog_remote_act_open() and evtlog_remote_act_close().
 * Return: 0; -EBUSY too many wait already.
 */
int evtlog_remote_act(struct evtlog_receipt *receipt, bool is_published)
{
	struct order *order = order_take(&orders_free);

	if (!order)
		return act_without_order(receipt, is_published);
	receipt->request = atomic_inc_return(&obeyed);
	if (is_published)
		evtlog_receipt_write(receipt);
	order->receipt = *receipt;
	order->is_done = false;
	order->is_published = is_published ||
		(receipt->operation == EVTLOG_REMOTE_STOP && publish_stop(receipt));
	order->waits = is_turn(receipt) && !order->is_published;
	if (order->waits)
		atomic_inc(&waiting_turns);
	memset(&order->outcome, 0, sizeof(order->outcome));
	if (receipt->operation == EVTLOG_REMOTE_SCHED) {
		boost(order);
		return 0;
	}
	if (receipt->operation == EVTLOG_REMOTE_CANCEL)
		cancel_boost(order);
	order_put(order, &orders_due);
	wake_up_process(actor);
	return 0;
}

/**
 * evtlog_remote_forbid() - answer a message that its key is not for, soon
 * @receipt:	the message; copied
 *
 * It has no number, as those that are obeyed.
 *
 * Context: as evtlog_remote_act().
 */
void evtlog_remote_forbid(const struct evtlog_receipt *receipt)
{
	struct order *order = order_take(&orders_free);

	if (!order)
		return;
	order->receipt = *receipt;
	order->is_done = true;
	order->waits = false;
	memset(&order->outcome, 0, sizeof(order->outcome));
	order->outcome.result = -EPERM;
	order_put(order, &orders_due);
	wake_up_process(actor);
}

/**
 * evtlog_remote_act_open() - get ready for messages
 *
 * Context: task context.
 * Return: 0 or a negative error.
 */
int evtlog_remote_act_open(void)
{
	const struct sched_param param = {
		.sched_priority = EVTLOG_BOOST_THREAD_PRIORITY
	};
	struct task_struct *task;
	unsigned int i;
	int error;

	atomic_set(&waiting_turns, 0);
	orders = kcalloc(ORDERS, sizeof(*orders), GFP_KERNEL);
	if (!orders)
		return -ENOMEM;
	error = evtlog_remote_reply_open();
	if (error)
		goto free_orders;
	error = evtlog_boost_open();
	if (error)
		goto close_reply;
	task = kthread_create(actor_runs, NULL, "evtlog_remote");
	if (IS_ERR(task)) {
		error = PTR_ERR(task);
		goto close_boost;
	}
	for (i = 0; i < ORDERS; i++)
		list_add_tail(&orders[i].list, &orders_free);
	actor = task;
	/* Or a boosted group that fills all CPUs could not even be stopped. */
	sched_setscheduler_nocheck(actor, SCHED_FIFO, &param);
	wake_up_process(actor);
	return 0;
close_boost:
	evtlog_boost_close();
close_reply:
	evtlog_remote_reply_close();
free_orders:
	kfree(orders);
	return error;
}

/**
 * evtlog_remote_act_close() - end after all that was taken is done
 *
 * Context: task context; no message comes in any more.
 */
void evtlog_remote_act_close(void)
{
	/* Tells the orders under way that they are cancelled. */
	evtlog_boost_close();
	kthread_stop(actor);
	evtlog_remote_reply_close();
	INIT_LIST_HEAD(&orders_free);
	INIT_LIST_HEAD(&orders_due);
	INIT_LIST_HEAD(&orders_boosting);
	kfree(orders);
}

/** evtlog_remote_obeyed() - messages obeyed since boot */
u64 evtlog_remote_obeyed(void)
{
	return (u32)atomic_read(&obeyed);
}
