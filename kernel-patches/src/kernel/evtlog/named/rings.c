// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rings of a named buffer: prepares them, allocates their buffers, and ends them.
 *
 * Called by table.c.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "named/named.h"

/* Wait queues of readers for each slot: see named.h. */
struct queues {
	struct wait_queue_head of_slot[EVTLOG_NAMED_MAX];
};

static struct queues __percpu *queues;
/* NULL until the slot is used for the first time */
static struct evtlog_named_cpu __percpu *parts[EVTLOG_NAMED_MAX];

/* Called once, while the kernel boots or the module is loaded.  Returns 0 or -ENOMEM. */
int evtlog_named_init_queues(void)
{
	unsigned int cpu, i;

	queues = alloc_percpu(struct queues);
	if (!queues)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		for (i = 0; i < EVTLOG_NAMED_MAX; i++)
			init_waitqueue_head(&per_cpu_ptr(queues, cpu)->of_slot[i]);
	}
	return 0;
}

/**
 * evtlog_named_make_parts() - allocate each CPU's part, empty
 * @n:		has its slot
 *
 * Context: task context; nothing else uses the slot.
 * Return: 0, and n->cpus is set; -ENOMEM.
 */
int evtlog_named_make_parts(struct evtlog_named *n)
{
	unsigned int cpu;

	if (!parts[n->slot])
		parts[n->slot] = alloc_percpu(struct evtlog_named_cpu);
	if (!parts[n->slot])
		return -ENOMEM;
	n->cpus = parts[n->slot];
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(n->cpus, cpu), 0, sizeof(*n->cpus));
	return 0;
}

#ifdef MODULE
/* Takes the lock, so that a waiter that has left the queue has also unlocked it. */
static bool is_waited_for(struct wait_queue_head *queue)
{
	bool is_waited;

	spin_lock_irq(&queue->lock);
	is_waited = waitqueue_active(queue);
	spin_unlock_irq(&queue->lock);
	return is_waited;
}

/*
 * Frees each CPU's parts; there is no named buffer any more.  A file of a deleted buffer does not
 * hold the module, but epoll keeps it in a queue until it is closed: then the queues stay allocated.
 */
void evtlog_named_free_all_parts(void)
{
	bool is_waited = false;
	unsigned int cpu, i;

	for (i = 0; i < EVTLOG_NAMED_MAX; i++) {
		free_percpu(parts[i]);
		for_each_possible_cpu(cpu)
			is_waited |= queues && is_waited_for(&per_cpu_ptr(queues, cpu)->of_slot[i]);
	}
	if (!is_waited)
		free_percpu(queues);
}
#endif

/**
 * evtlog_named_open_parts() - let probes' machine code write, or stop it
 * @number:	of its route; 0: stop, which is complete when all CPUs have had interrupts on
 */
void evtlog_named_open_parts(struct evtlog_named *n, u32 number)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(n->cpus, cpu)->open, number);
}

/**
 * evtlog_named_init_cpu() - initialize a CPU's part, before it gets buffers
 * @n:		has its slot and number
 */
void evtlog_named_init_cpu(struct evtlog_named *n, unsigned int cpu)
{
	struct evtlog_named_cpu *c = per_cpu_ptr(n->cpus, cpu);
	unsigned int cause;

	c->owner = n;
	c->cpu = cpu;
	c->mark_bytes = U32_MAX;
	c->mark_records = U32_MAX;
	mutex_init(&c->consumer.lock);
	init_irq_work(&c->work, evtlog_named_wake_work);
	c->queue = &per_cpu_ptr(queues, cpu)->of_slot[n->slot];
	c->ring.cpu = cpu;
	c->ring.owner = &n->ring_owner;
	c->ring.run = n->serial;
	/* As evtlog_lost_none(), for the run of this ring */
	for (cause = 0; cause < EVTLOG_LOST_CAUSES; cause++) {
		if (cause == EVTLOG_LOST_FULL)
			continue;
		c->ring.lost[cause] = n->serial << EVTLOG_LOST_RUN_SHIFT;
		c->ring.told[cause] = c->ring.lost[cause];
	}
}

/**
 * evtlog_named_give_buffers() - allocate a CPU's buffers
 * @n:		the named buffer; if it is global, only the ring of all CPUs gets buffers
 * @cpu:	the CPU, which may have buffers already
 *
 * A CPU without buffers counts its events as lost.
 *
 * Return: 0 or -ENOMEM.
 */
int evtlog_named_give_buffers(struct evtlog_named *n, unsigned int cpu)
{
	struct evtlog_ring *r = &per_cpu_ptr(n->cpus, cpu)->ring;

	if (r->nr_buffers || (n->shared && r != &n->shared->ring))
		return 0;
	if (evtlog_buffers_alloc_ring(r, cpu, &n->geometry))
		return -ENOMEM;
	evtlog_ring_arm(r, n->serial);
	return 0;
}

/**
 * evtlog_named_owe_formats() - let the formats of all events precede a CPU's next record
 * @n:		the named buffer
 * @cpu:	about to come up; or this CPU, which has come up: events may have been added meanwhile
 *
 * Each CPU's file can be read by itself.  Nothing is done if no event was added since the last call.
 *
 * Context: task context, may sleep.
 */
void evtlog_named_owe_formats(struct evtlog_named *n, unsigned int cpu)
{
	struct evtlog_named_cpu *c = per_cpu_ptr(n->cpus, cpu);
	size_t words;
	u64 *formats;

	if (n->shared || !c->ring.nr_buffers)
		return;
	formats = evtlog_event_route_formats(&n->route, SIZE_MAX, &words);
	if (formats && (words != c->formats_words ||
			memcmp(formats, c->formats, words * sizeof(*formats)))) {
		local_irq_disable();
		swap(c->formats, formats);
		c->formats_words = words;
		c->formats_due = true;
		/* The next record takes the slow path. */
		WRITE_ONCE(c->ring.end, NULL);
		local_irq_enable();
	}
	kvfree(formats);
}

static void end_here(void *data)
{
	evtlog_ring_end(data);
}

/**
 * evtlog_named_end_cpu() - end recording on a CPU
 * @n:		the named buffer, which is not written any more
 * @cpu:	the CPU, whose clock is used
 *
 * Context: task context, may sleep.
 */
void evtlog_named_end_cpu(struct evtlog_named *n, unsigned int cpu)
{
	struct evtlog_ring *r = &per_cpu_ptr(n->cpus, cpu)->ring;

	if (n->shared) {
		if (r == &n->shared->ring)
			evtlog_named_global_end(n);
	} else if (smp_call_function_single(cpu, end_here, r, true)) {
		local_irq_disable();
		evtlog_ring_end(r);
		local_irq_enable();
	}
	mutex_lock(&n->finish_lock);
	evtlog_ring_finish(r, n->cpus_in_run);
	mutex_unlock(&n->finish_lock);
}
