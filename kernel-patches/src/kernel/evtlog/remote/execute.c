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
#include <linux/sched.h>
#include <linux/string.h>
#include <uapi/linux/sched/types.h>

#include "boost/boost.h"
#include "remote/command.h"
#include "remote/pending.h"
#include "remote/remote.h"
#include "run.h"

static struct task_struct *actor;

static atomic_t obeyed;

/* A run was started or stopped, and there was no order by which the thread completes it. */
static bool start_is_due;
static bool stop_is_due;

/*
 * Starts and stops that wait for the thread.  While there are any, others wait behind them:
 * what came first is done first.
 */
static atomic_t waiting_turns;

static enum evtlog_remote_pool pool_of(u8 operation)
{
	switch (operation) {
	case EVTLOG_REMOTE_START:
	case EVTLOG_REMOTE_STOP:
		return EVTLOG_REMOTE_POOL_RUN;
	case EVTLOG_REMOTE_SCHED:
	case EVTLOG_REMOTE_CANCEL:
		return EVTLOG_REMOTE_POOL_BOOST;
	default:
		return EVTLOG_REMOTE_POOL_COMMON;
	}
}

static u32 next_request(void)
{
	return atomic_inc_return(&obeyed);
}

static bool name_is_right(const char *name, size_t bytes)
{
	return strlen(name) == bytes && (!bytes || evtlog_run_name_is_valid(name));
}

/* A run that a message asks for, whose record is among the run's first. */
struct start {
	struct evtlog_run_request run;
	const struct evtlog_receipt *receipt;
};

static void start_is_published(const struct evtlog_run_request *run)
{
	evtlog_receipt_write(container_of(run, struct start, run)->receipt);
}

static int start(const struct evtlog_receipt *receipt)
{
	const struct start start = {
		.run = {
			.name = receipt->name,
			.reference_ticks = receipt->arrival,
			.published = start_is_published,
		},
		.receipt = receipt,
	};

	if (!name_is_right(receipt->name, receipt->name_bytes))
		return -EINVAL;
	return evtlog_run_start(&start.run);
}

static int stop(const struct evtlog_receipt *receipt)
{
	/* Before any lock: whoever holds one, nothing is recorded any more. */
	if (READ_ONCE(evtlog_run.recording))
		evtlog_receipt_write(receipt);
	return evtlog_run_stop();
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
	const struct evtlog_run_request request = {
		.name = name,
		.reference_ticks = arrival,
	};

	return !atomic_read(&waiting_turns) && name_is_right(name, name_bytes) &&
	       !evtlog_run_publish_start(&request);
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
		evtlog_run_complete_start();
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
		return stop(receipt);
	case EVTLOG_REMOTE_ARM:
		return evtlog_run_arm();
	case EVTLOG_REMOTE_DISARM:
		return evtlog_run_disarm();
	default:
		return -EINVAL;
	}
}

static void carry_out(struct evtlog_remote_order *order)
{
	if (!order->is_done)
		order->outcome.result = order->is_published ?
			complete_published(&order->receipt) : act(&order->receipt);
	if (order->waits)
		atomic_dec(&waiting_turns);
	if (order->receipt.wants_reply)
		evtlog_remote_reply(&order->receipt, &order->outcome);
	evtlog_remote_audit(&order->receipt, order->outcome.result);
	evtlog_remote_order_put(order);
}

/* What was queued is done before the thread ends. */
static int actor_runs(void *unused)
{
	struct evtlog_remote_order *order;

	for (;;) {
		set_current_state(TASK_IDLE);
		order = evtlog_remote_order_next();
		if (!order && !READ_ONCE(start_is_due) && !READ_ONCE(stop_is_due)) {
			if (kthread_should_stop())
				break;
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		if (xchg(&start_is_due, false))
			evtlog_run_complete_start();
		if (xchg(&stop_is_due, false))
			evtlog_run_complete_stop();
		if (order)
			carry_out(order);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void boost_is_done(u32 request, int error, unsigned int tasks, bool throttled)
{
	struct evtlog_remote_order *order = evtlog_remote_order_fetch(request);

	if (!order)
		return;
	order->is_done = true;
	order->outcome.result = error;
	order->outcome.tasks = tasks;
	order->outcome.throttled = throttled;
	evtlog_remote_order_queue(order);
	wake_up_process(actor);
}

/* Not by the thread: what the group gains is counted from the message's arrival. */
static void boost(struct evtlog_remote_order *order)
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
	evtlog_remote_order_set_aside(order);
	if (strlen(receipt->name) == receipt->name_bytes) {
		strscpy(request.name, receipt->name, sizeof(request.name));
		error = evtlog_boost_submit(&request);
	}
	if (error)
		boost_is_done(request.request, error, 0, false);
}

/* At once, too; by the thread it is only answered. */
static void cancel_boost(struct evtlog_remote_order *order)
{
	evtlog_receipt_write(&order->receipt);
	order->outcome.result = evtlog_boost_cancel();
	order->is_done = true;
}

/*
 * Too many wait already: it is not answered.  What needs no thread is done all the same, and
 * told to audit from here, for no order has an effect that is not told.
 */
static int act_without_order(struct evtlog_receipt *receipt, bool is_published)
{
	int result = 0;

	if (is_published) {
		receipt->request = next_request();
		evtlog_receipt_write(receipt);
		WRITE_ONCE(start_is_due, true);
	} else if (receipt->operation == EVTLOG_REMOTE_STOP && !atomic_read(&waiting_turns)) {
		receipt->request = next_request();
		if (publish_stop(receipt))
			WRITE_ONCE(stop_is_due, true);
		else
			result = -EALREADY;
	} else if (receipt->operation == EVTLOG_REMOTE_CANCEL) {
		receipt->request = next_request();
		evtlog_receipt_write(receipt);
		result = evtlog_boost_cancel();
	} else {
		return -EBUSY;
	}
	wake_up_process(actor);
	evtlog_remote_audit(receipt, result);
	return 0;
}

/**
 * evtlog_remote_act() - do what a message asks for, soon
 * @receipt:	the message; copied, and its @request set
 * @is_published: it was carried out by evtlog_remote_publish_start()
 *
 * A stop is carried out here, too, where something records.
 *
 * Context: softirq, between evtlog_remote_act_open() and evtlog_remote_act_close().
 * Return: 0; -EBUSY too many wait already, and nothing was done.
 */
int evtlog_remote_act(struct evtlog_receipt *receipt, bool is_published)
{
	enum evtlog_remote_pool pool = pool_of(receipt->operation);
	struct evtlog_remote_order *order = evtlog_remote_order_get(receipt, pool);

	if (!order)
		return act_without_order(receipt, is_published);
	receipt->request = next_request();
	order->receipt.request = receipt->request;
	if (is_published)
		evtlog_receipt_write(receipt);
	order->is_published = is_published ||
		(receipt->operation == EVTLOG_REMOTE_STOP && publish_stop(receipt));
	order->waits = pool == EVTLOG_REMOTE_POOL_RUN && !order->is_published;
	if (order->waits)
		atomic_inc(&waiting_turns);
	if (receipt->operation == EVTLOG_REMOTE_SCHED) {
		boost(order);
		return 0;
	}
	if (receipt->operation == EVTLOG_REMOTE_CANCEL)
		cancel_boost(order);
	evtlog_remote_order_queue(order);
	wake_up_process(actor);
	return 0;
}

/**
 * evtlog_remote_forbid() - answer a message that its key is not for, soon
 * @receipt:	the message; copied
 *
 * It has no number, as those that are obeyed, and uses nothing that is kept for them.
 *
 * Context: as evtlog_remote_act().
 */
void evtlog_remote_forbid(const struct evtlog_receipt *receipt)
{
	struct evtlog_remote_order *order =
		evtlog_remote_order_get(receipt, EVTLOG_REMOTE_POOL_COMMON);

	if (!order)
		return;
	order->is_done = true;
	order->outcome.result = -EPERM;
	evtlog_remote_order_queue(order);
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
	int error;

	atomic_set(&waiting_turns, 0);
	error = evtlog_remote_orders_open();
	if (error)
		return error;
	error = evtlog_remote_reply_open();
	if (error)
		goto close_orders;
	error = evtlog_boost_open();
	if (error)
		goto close_reply;
	task = kthread_create(actor_runs, NULL, "evtlog_remote");
	if (IS_ERR(task)) {
		error = PTR_ERR(task);
		goto close_boost;
	}
	actor = task;
	/* Or a boosted group that fills all CPUs could not even be stopped. */
	sched_setscheduler_nocheck(actor, SCHED_FIFO, &param);
	wake_up_process(actor);
	return 0;
close_boost:
	evtlog_boost_close();
close_reply:
	evtlog_remote_reply_close();
close_orders:
	evtlog_remote_orders_close();
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
	evtlog_remote_orders_close();
}

/** evtlog_remote_obeyed() - messages obeyed since boot */
u64 evtlog_remote_obeyed(void)
{
	return (u32)atomic_read(&obeyed);
}
