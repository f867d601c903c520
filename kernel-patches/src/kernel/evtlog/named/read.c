// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reading side of a named buffer's CPU: its reader, its wake-ups, and its watermarks.
 *
 * file.c has the interface to user space.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/signal.h>
#include <linux/smp.h>

#include "clock.h"
#include "named/named.h"

/**
 * evtlog_named_wake() - wake the readers of a CPU's buffers
 * @c:		the CPU's part
 *
 * Context: any in which waking is allowed, hard interrupts included.
 */
void evtlog_named_wake(struct evtlog_named_cpu *c)
{
	wake_up_interruptible_poll(c->queue, EPOLLIN | EPOLLRDNORM);
	wake_up_interruptible(&evtlog_named_handed);
	kill_fasync(&c->fasync, SIGIO, POLL_IN);
}

void evtlog_named_wake_work(struct irq_work *work)
{
	evtlog_named_wake(container_of(work, struct evtlog_named_cpu, work));
}

/* On the ring's CPU, in an interrupt: writers turn interrupts off, so none is active here. */
static void pass_on_here(void *data)
{
	struct evtlog_named_cpu *c = data;

	if (c->ring.busy)
		return;
	/* Functions called here may have events that go to this ring. */
	c->ring.busy++;
	barrier();
	evtlog_named_pass_on(c);
	barrier();
	c->ring.busy--;
}

/**
 * evtlog_named_ask() - make a CPU hand over its current buffer
 * @c:		the CPU's part; a CPU that is offline has no current buffer
 *
 * Context: task context, or a work item.
 */
void evtlog_named_ask(struct evtlog_named_cpu *c)
{
	if (c->owner->shared)
		evtlog_named_global_pass_on(c->owner);
	else
		smp_call_function_single(c->cpu, pass_on_here, c, true);
}

/* Called on another CPU; the buffers stay allocated. */
static bool has_old(const struct evtlog_named_cpu *c, u32 ms)
{
	const struct evtlog_buffer_header *h = READ_ONCE(c->ring.current_header);
	u64 hz = evtlog_ticks_hz();

	if (!h)
		return false;
	return !hz || evtlog_ticks64() - READ_ONCE(h->begin_ticks) >= hz / 1000 * ms;
}

static unsigned long aging_period(u32 ms)
{
	return max(msecs_to_jiffies(ms) / 2, 1UL);
}

/* Runs twice within the shortest watermark, and hands over buffers of half this age. */
void evtlog_named_age(struct work_struct *work)
{
	struct evtlog_named *n = container_of(to_delayed_work(work), struct evtlog_named, aging);
	u32 shortest = 0;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct evtlog_named_cpu *c = per_cpu_ptr(n->cpus, cpu);
		u32 ms = READ_ONCE(c->mark_ms);

		if (!ms)
			continue;
		if (has_old(c, ms / 2))
			evtlog_named_ask(c);
		shortest = shortest ? min(shortest, ms) : ms;
	}
	if (shortest)
		schedule_delayed_work(&n->aging, aging_period(shortest));
}

/**
 * evtlog_named_is_readable() - return true if a read would not wait
 * @c:		the CPU's part
 */
bool evtlog_named_is_readable(const struct evtlog_named_cpu *c)
{
	return (evtlog_ring_waiting(&c->ring) && !c->owner->overwrites) ||
	       READ_ONCE(c->owner->has_ended);
}

/**
 * evtlog_named_lock_full() - make a file the consumer, and wait for a buffer
 * @c:		the CPU's part
 * @waits:	wait if there is no buffer
 *
 * Return: 1: there is a buffer, and the lock is held; 0: no more buffers will come; -EBUSY: another
 * file reads this CPU; -EPERM: see evtlog_consumer_become(); -EIO: deleted; -EAGAIN; -ERESTARTSYS.
 */
int evtlog_named_lock_full(struct evtlog_named_cpu *c, const struct file *file, bool waits)
{
	int error = evtlog_consumer_become(&c->consumer, file);

	if (error)
		return error;
	/* As in procfs after the file is removed */
	if (READ_ONCE(c->owner->is_deleted))
		return -EIO;
	for (;;) {
		bool ended;

		if (!waits && !mutex_trylock(&c->consumer.lock))
			return -EAGAIN;
		if (waits && mutex_lock_interruptible(&c->consumer.lock))
			return -ERESTARTSYS;
		/* Before the check.  Pairs with the release in table.c, after the last buffer. */
		ended = smp_load_acquire(&c->owner->has_ended);
		if ((ended || !c->owner->overwrites) && evtlog_ring_waiting(&c->ring))
			return 1;
		mutex_unlock(&c->consumer.lock);
		if (ended && !READ_ONCE(c->ring.final_due))
			return 0;
		if (!waits)
			return -EAGAIN;
		if (wait_event_interruptible(*c->queue, evtlog_named_is_readable(c)))
			return -ERESTARTSYS;
	}
}

/**
 * evtlog_named_returned() - the reader has returned a buffer: do what waited for it
 * @c:		the CPU's part; its lock is not held
 */
void evtlog_named_returned(struct evtlog_named_cpu *c)
{
	/* Pairs with the ones in evtlog_named_pass_on() and evtlog_ring_finish(). */
	smp_mb();
	if (READ_ONCE(c->due))
		evtlog_named_ask(c);
	if (likely(!READ_ONCE(c->ring.final_due)))
		return;
	mutex_lock(&c->owner->finish_lock);
	if (c->ring.final_due)
		evtlog_ring_finish(&c->ring, c->owner->cpus_in_run);
	mutex_unlock(&c->owner->finish_lock);
}

/**
 * evtlog_named_set_mark() - set the watermarks at which a buffer is handed over before it is full
 * @c:		the CPU's part
 * @file:	becomes the consumer
 * @mark:	each 0: never
 *
 * Return: 0; -EBUSY: another file reads this CPU; -EPERM: see evtlog_consumer_become(); -EINVAL.
 */
int evtlog_named_set_mark(struct evtlog_named_cpu *c, const struct file *file,
			  const struct evtlog_watermark *mark)
{
	int error;

	if (mark->reserved || mark->ms > EVTLOG_WATERMARK_MS_MAX)
		return -EINVAL;
	error = evtlog_consumer_become(&c->consumer, file);
	/* The reader of a flight recorder waits for its end. */
	if (error || c->owner->overwrites)
		return error;
	WRITE_ONCE(c->mark_bytes, mark->bytes ?: U32_MAX);
	WRITE_ONCE(c->mark_records, mark->records ?: U32_MAX);
	WRITE_ONCE(c->mark_ms, mark->ms);
	/* After the end, the work item must not be started again. */
	if (mark->ms && !READ_ONCE(c->owner->has_ended))
		mod_delayed_work(system_wq, &c->owner->aging, 1);
	/* The data written before may already be above the watermark. */
	evtlog_named_ask(c);
	return 0;
}

/**
 * evtlog_named_close() - a file is closed
 * @c:		the CPU's part
 */
void evtlog_named_close(struct evtlog_named_cpu *c, struct file *file)
{
	fasync_helper(-1, file, 0, &c->fasync);
	if (READ_ONCE(c->consumer.file) == file) {
		WRITE_ONCE(c->mark_bytes, U32_MAX);
		WRITE_ONCE(c->mark_records, U32_MAX);
		WRITE_ONCE(c->mark_ms, 0);
	}
	evtlog_consumer_close(&c->consumer, file);
}
