// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one open file that takes buffers from a ring: cpuN of runs and of named buffers.
 */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/user_namespace.h>

#include "consumer.h"
#include "notify.h"
#include "ring.h"

/**
 * evtlog_consumer_may() - return true if current may take buffers through a file
 * @file:	opened by current
 */
bool evtlog_consumer_may(const struct file *file)
{
	return file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN) || evtlog_logger_is_current();
}

/**
 * evtlog_consumer_become() - make a file the consumer
 * @file:	being read by current
 *
 * Return: 0, also if @file is the consumer already; -EBUSY: another file is the consumer; -EPERM:
 * the file was opened without CAP_SYS_ADMIN, and current is not the announced logger.
 */
int evtlog_consumer_become(struct evtlog_consumer *consumer, const struct file *file)
{
	const struct file *now;

	if (!evtlog_consumer_may(file))
		return -EPERM;
	now = cmpxchg(&consumer->file, NULL, file);
	return now && now != file ? -EBUSY : 0;
}

/**
 * evtlog_consumer_release() - return the oldest full buffer to the writer
 */
void evtlog_consumer_release(struct evtlog_consumer *consumer, struct evtlog_ring *r)
{
	consumer->held = false;
	evtlog_ring_release(r);
}

/**
 * evtlog_consumer_put() - put back the buffer that the consumer got
 * @file:	the file of the request
 *
 * Context: task context, may sleep.
 * Return: 0; -EINVAL: @file is not the consumer, or has no buffer; -EINTR: current is killed.
 */
int evtlog_consumer_put(struct evtlog_consumer *consumer, struct evtlog_ring *r,
			const struct file *file)
{
	int error;

	if (READ_ONCE(consumer->file) != file)
		return -EINVAL;
	error = mutex_lock_killable(&consumer->lock);
	if (error)
		return error;
	if (consumer->held)
		evtlog_consumer_release(consumer, r);
	else
		error = -EINVAL;
	mutex_unlock(&consumer->lock);
	return error;
}

/**
 * evtlog_consumer_close() - a file is closed: if it is the consumer, there is no consumer any more
 * @file:	being released, not used by any other thread
 */
void evtlog_consumer_close(struct evtlog_consumer *consumer, const struct file *file)
{
	if (READ_ONCE(consumer->file) != file)
		return;
	consumer->held = false;
	/* The next consumer sees @held. */
	smp_store_release(&consumer->file, NULL);
}
