// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does what control messages ask for, one after the other, and answers them.
 *
 * Stage: between the receive path, which may not sleep, and run.c, which stops the
 * machine for an instant.  All memory is there before the first message: a thread
 * of real-time priority takes receipts from a queue.  It judges no message: what comes
 * here was right.
 */
#include <linux/err.h>
#include <linux/evtlog.h>
#include <linux/icmp.h>
#include <linux/in.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/net.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uio.h>
#include <net/inet_common.h>
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <uapi/linux/sched/types.h>

#include "boost.h"
#include "notify.h"
#include "receipt.h"
#include "remote.h"
#include "ring.h"
#include "run.h"

#define ORDERS	32

/*
 * struct order - a message on its way
 * @is_done:	only to be answered
 * @is_published: a start or stop that the receive path has carried out; what remains needs
 *		a thread
 * @result:	what became of it, as -errno or 0, where that is known
 * @tasks, @throttled: of a boost
 */
struct order {
	struct list_head list;
	struct evtlog_receipt receipt;
	bool is_done;
	bool is_published;
	bool throttled;
	int result;
	unsigned int tasks;
};

/* Guards the lists, in any context; an order that is on none is its taker's. */
static DEFINE_SPINLOCK(orders_lock);
static LIST_HEAD(orders_free);
static LIST_HEAD(orders_due);
/* Boosts under way, until evtlog_boost_request.done. */
static LIST_HEAD(orders_boosting);
static struct order *orders;

static struct task_struct *actor;
static struct sock *reply_sock;

static atomic_t obeyed;
static u64 replied;

/* Behind a socket of the kernel's own, which receives nothing. */
static void reply_send(struct evtlog_remote_signed *message,
		       const struct evtlog_receipt *receipt)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = receipt->sender,
	};
	struct {
		struct cmsghdr head;
		struct in_pktinfo info;
	} from = {
		.head = {
			.cmsg_len = CMSG_LEN(sizeof(from.info)),
			.cmsg_level = SOL_IP,
			.cmsg_type = IP_PKTINFO,
		},
		.info.ipi_spec_dst.s_addr = receipt->to,
	};
	struct msghdr header = {
		.msg_name = &to,
		.msg_namelen = sizeof(to),
		.msg_control = &from,
		.msg_controllen = sizeof(from),
		.msg_flags = MSG_DONTWAIT,
	};
	struct kvec body = {
		.iov_base = &message->reply,
		.iov_len = sizeof(message->reply),
	};

	BUILD_BUG_ON(offsetof(typeof(from), info) != CMSG_LEN(0));
	if (kernel_sendmsg(reply_sock->sk_socket, &header, &body, 1,
			   body.iov_len) == body.iov_len)
		WRITE_ONCE(replied, replied + 1);
}

static void reply_fill(struct evtlog_remote_reply *reply, const struct order *order)
{
	const struct evtlog_receipt *receipt = &order->receipt;

	reply->head.type = EVTLOG_REMOTE_ICMP_TYPE;
	reply->head.magic = cpu_to_be16(EVTLOG_REMOTE_MAGIC);
	reply->head.version = EVTLOG_REMOTE_VERSION;
	reply->head.operation = receipt->operation | EVTLOG_REMOTE_REPLY;
	reply->head.key_id = cpu_to_be32(receipt->key_id);
	reply->head.nonce = cpu_to_be64(receipt->nonce);
	reply->result = cpu_to_be32(-order->result);
	reply->cpus = cpu_to_be32(num_online_cpus());
	reply->arrival_real_ns = cpu_to_be64(receipt->arrival_real_ns);
	reply->arrival_raw_ns = cpu_to_be64(receipt->arrival_raw_ns);
	reply->tasks = cpu_to_be64(order->tasks);
	if (order->throttled)
		reply->notes |= EVTLOG_REMOTE_THROTTLED;
	if (evtlog_logger_pid())
		reply->state |= EVTLOG_REMOTE_LOGGER;
	memcpy(reply->boot_id, evtlog_boot_id, sizeof(reply->boot_id));

	rt_mutex_lock(&evtlog_run_lock);
	reply->run = cpu_to_be64(evtlog_run.run);
	reply->lost = cpu_to_be64(evtlog_run_lost());
	if (evtlog_run.recording)
		reply->state |= EVTLOG_REMOTE_RECORDING;
	memcpy(reply->run_name, evtlog_run_label.name, sizeof(reply->run_name));
	rt_mutex_unlock(&evtlog_run_lock);
}

static void answer(const struct order *order)
{
	const struct evtlog_receipt *receipt = &order->receipt;
	struct evtlog_remote_signed message = {
		.saddr = receipt->to,
		.daddr = receipt->sender,
	};
	const struct evtlog_remote_key *key;
	u64 tag = 0;

	BUILD_BUG_ON(sizeof(message.reply) > sizeof(message.bytes));
	reply_fill(&message.reply, order);
	rcu_read_lock();
	key = evtlog_remote_key_find(receipt->key_id);
	if (key)
		tag = evtlog_remote_tag(key, &message, sizeof(message.reply));
	rcu_read_unlock();
	/* Removed in the meantime: there is nothing to prove us by. */
	if (!key)
		return;
	message.head.tag = cpu_to_be64(tag);
	message.head.checksum = (__force __be16)
		ip_compute_csum(&message.reply, sizeof(message.reply));
	reply_send(&message, receipt);
}

/* @publish: begin it here, where no thread is needed; -EAGAIN: it is */
static int start(const struct evtlog_receipt *receipt, bool publish)
{
	const struct evtlog_run_order order = {
		.name = receipt->name,
		.reference_ticks = receipt->arrival,
		.receipt = receipt,
	};

	if (strlen(receipt->name) != receipt->name_bytes ||
	    (receipt->name_bytes && !evtlog_run_name_is_valid(receipt->name)))
		return -EINVAL;
	return publish ? evtlog_run_publish_start(&order) : evtlog_run_start(&order);
}

/*
 * A start or a stop is a store, which needs no thread; only where something of another run
 * is in the way it is left to the thread.  In the receive path.
 */
static bool publish(const struct evtlog_receipt *receipt)
{
	unsigned long flags;

	switch (receipt->operation) {
	case EVTLOG_REMOTE_START:
		return !start(receipt, true);
	case EVTLOG_REMOTE_STOP:
		if (!READ_ONCE(evtlog_run.recording))
			return false;
		raw_local_irq_save(flags);
		evtlog_receipt_write_irqoff(receipt);
		raw_local_irq_restore(flags);
		return !evtlog_run_publish_stop();
	}
	return false;
}

/* What remains of a start or stop that was published. */
static int complete_published(const struct evtlog_receipt *receipt)
{
	int error;

	if (receipt->operation == EVTLOG_REMOTE_START) {
		evtlog_snapshot();
		return 0;
	}
	error = evtlog_run_stop(NULL);
	/* Somebody else has completed it. */
	return error == -EALREADY ? 0 : error;
}

static int act(const struct evtlog_receipt *receipt)
{
	switch (receipt->operation) {
	case EVTLOG_REMOTE_STATUS:
		return 0;
	case EVTLOG_REMOTE_START:
		return start(receipt, false);
	case EVTLOG_REMOTE_STOP:
		return evtlog_run_stop(receipt);
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
		if (!order) {
			if (kthread_should_stop())
				break;
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		if (!order->is_done)
			order->result = order->is_published ?
					complete_published(&order->receipt) : act(&order->receipt);
		if (order->receipt.wants_reply)
			answer(order);
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
	order->result = error;
	order->tasks = tasks;
	order->throttled = throttled;
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
	unsigned long flags;
	int error = -EINVAL;

	raw_local_irq_save(flags);
	evtlog_receipt_write_irqoff(receipt);
	raw_local_irq_restore(flags);

	/* It may be done before this returns. */
	order_put(order, &orders_boosting);
	if (strlen(receipt->name) == receipt->name_bytes) {
		strscpy(request.name, receipt->name, sizeof(request.name));
		error = evtlog_boost_submit(&request);
	}
	if (error)
		boost_is_done(request.request, error, 0, false);
}

/**
 * evtlog_remote_act() - do what a message asks for, soon
 * @receipt:	the message; copied, and its @request set
 *
 * Context: softirq, between evtlog_remote_act_open() and evtlog_remote_act_close().
 * Return: 0; -EBUSY too many wait already.
 */
int evtlog_remote_act(struct evtlog_receipt *receipt)
{
	struct order *order = order_take(&orders_free);

	if (!order)
		return -EBUSY;
	receipt->request = atomic_inc_return(&obeyed);
	order->receipt = *receipt;
	order->is_done = false;
	order->is_published = publish(receipt);
	order->tasks = 0;
	order->throttled = false;
	if (receipt->operation == EVTLOG_REMOTE_SCHED) {
		boost(order);
		return 0;
	}
	order_put(order, &orders_due);
	wake_up_process(actor);
	return 0;
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

	orders = kcalloc(ORDERS, sizeof(*orders), GFP_KERNEL);
	if (!orders)
		return -ENOMEM;
	error = inet_ctl_sock_create(&reply_sock, PF_INET, SOCK_RAW, IPPROTO_ICMP,
				     &init_net);
	if (error)
		goto free_orders;
	error = evtlog_boost_open();
	if (error)
		goto destroy_sock;
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
destroy_sock:
	inet_ctl_sock_destroy(reply_sock);
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
	inet_ctl_sock_destroy(reply_sock);
	INIT_LIST_HEAD(&orders_free);
	INIT_LIST_HEAD(&orders_boosting);
	kfree(orders);
}

/** evtlog_remote_obeyed() - messages obeyed since boot */
u64 evtlog_remote_obeyed(void)
{
	return (u32)atomic_read(&obeyed);
}

/** evtlog_remote_replied() - answers sent since boot */
u64 evtlog_remote_replied(void)
{
	return READ_ONCE(replied);
}
