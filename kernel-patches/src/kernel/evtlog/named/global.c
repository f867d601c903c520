// SPDX-License-Identifier: GPL-2.0-only
/*
 * Global named buffers: one ring that all CPUs write, in the order of the records.
 *
 *	CPU 0 --+
 *	CPU 1 --+-- ring_lock --> ON_CPU  record  record  ON_CPU  record ...
 *	CPU n --+	(cpu, pid) where they differ from the previous record's
 *
 * The lock is held from before the clock is read until the record is committed, interrupts off.  So
 * the records are in the order of the clock, and no reader sees half a record.  Reserving space by
 * compare-and-swap would avoid the wait for another CPU's copy, but not for its cache line, and
 * records could be out of order unless the reservation included the clock.  If the CPUs' counters
 * differ, time does not advance until the slower one has caught up.
 *
 * The lock is the innermost one: tasks, softirqs and hard interrupts take it, also under the
 * run-queue lock.  @is_within marks a CPU that runs the filter, waits for the lock, or holds it.
 * Its events are counted as lost meanwhile, as are events in NMIs, which never take the lock.  If a
 * panic or a debugger has stopped the holder, a record that waits too long is counted as lost, too.
 *
 * For the cost, see tests/bench; the CPUs write one after the other.
 */
#include <linux/atomic.h>
#include <linux/panic.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/smp.h>
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
#include <asm/msr.h>
#define HAS_ORDERED_TICKS
#endif

#include "clock.h"
#include "named/named.h"
#include "named/record.h"

#define ON_CPU_WORDS	2
#define TIME_WORDS	2
/* Some milliseconds: longer than the wait if 256 CPUs write all the time */
#define LOCK_TRIES	(1U << 18)

static struct evtlog_named *named_of(struct evtlog_event_route *route)
{
	return container_of(route, struct evtlog_named, route);
}

/* Called on any CPU, also in an NMI: the ring's writer only reads the counter. */
static void count_lost(struct evtlog_named *n, unsigned int cause)
{
	atomic64_inc((atomic64_t *)&n->shared->ring.lost[cause]);
}

/* Interrupts are off until leave(). */
static void enter(struct evtlog_named *n)
{
	this_cpu_write(n->cpus->is_within, true);
	barrier();
}

static void leave(struct evtlog_named *n)
{
	barrier();
	this_cpu_write(n->cpus->is_within, false);
}

static void ring_lock(struct evtlog_named *n)
{
	enter(n);
	arch_spin_lock(&n->ring_lock);
}

static void ring_unlock(struct evtlog_named *n)
{
	arch_spin_unlock(&n->ring_lock);
	leave(n);
}

/* Returns false if the lock stays taken: the CPU that holds it may be stopped. */
static bool ring_trylock(struct evtlog_named *n)
{
	unsigned int i;

	for (i = 0; i < LOCK_TRIES; i++) {
		if (likely(arch_spin_trylock(&n->ring_lock)))
			return true;
		if (atomic_read(&panic_cpu) != PANIC_CPU_INVALID)
			return false;
		cpu_relax();
	}
	return false;
}

/* Reads the clock after the lock is taken, not earlier. */
static u64 ordered_ticks(void)
{
#ifdef HAS_ORDERED_TICKS
	return rdtsc_ordered();
#else
	return evtlog_ticks64();
#endif
}

static u64 not_before_last(struct evtlog_named *n, u64 ticks)
{
	if (likely(ticks > n->last_ticks))
		n->last_ticks = ticks;
	return n->last_ticks;
}

static void read_clock(struct evtlog_named *n, struct evtlog_clock_set *clock)
{
	evtlog_clock_set_read(clock);
	clock->ticks = not_before_last(n, clock->ticks);
}

/* Writes an ON_CPU in front of the record if CPU or pid changed. */
static u64 *write(struct evtlog_named *n, u32 tag, unsigned int words)
{
	struct evtlog_ring *r = &n->shared->ring;
	u32 cpu = smp_processor_id(), pid = current->pid;
	struct evtlog_clock_set clock;
	bool fits = r->current_header &&
		    r->limit - r->pos >= (long)(ON_CPU_WORDS + TIME_WORDS + words);
	u64 *record;

	/* If there is no place, only the time of the loss is needed. */
	if (likely(fits) || (!r->current_header && !evtlog_ring_has_place(r, words)))
		clock.ticks = not_before_last(n, ordered_ticks());
	else
		read_clock(n, &clock);
	if (fits && cpu == n->last_cpu && pid == n->last_pid)
		return evtlog_ring_write_row(r, tag, words, 1, &clock);
	record = evtlog_ring_write_row(r, EVTLOG_TAG(EVTLOG_ON_CPU, cpu), ON_CPU_WORDS + words, 1,
				       &clock);
	if (!record)
		return NULL;
	record[1] = pid;
	record += ON_CPU_WORDS;
	evtlog_store_word(record, (u32)clock.ticks, tag);
	n->last_cpu = cpu;
	n->last_pid = pid;
	return record;
}

/* The route's @reserve; the lock is held until the record is committed. */
int evtlog_named_global_reserve(struct evtlog_event_route *route, u32 tag, unsigned int bytes,
				bool urgent, u64 **record)
{
	struct evtlog_named *n = named_of(route);
	int error;

	evtlog_assert_alone();
	if (unlikely(this_cpu_read(n->cpus->is_within))) {
		count_lost(n, EVTLOG_LOST_NESTED);
		return -ENOBUFS;
	}
	enter(n);
	error = evtlog_named_refuses(n, tag, bytes);
	if (unlikely(error)) {
		if (error == -EMSGSIZE)
			count_lost(n, EVTLOG_LOST_LARGE);
		leave(n);
		return error;
	}
	if (unlikely(!ring_trylock(n))) {
		count_lost(n, EVTLOG_LOST_NESTED);
		leave(n);
		return -ENOBUFS;
	}
	*record = write(n, tag, 1 + (bytes + 7) / 8);
	if (unlikely(!*record)) {
		ring_unlock(n);
		return -ENOBUFS;
	}
	evtlog_named_note(n->shared, tag, urgent);
	return 0;
}

/* The route's @commit */
void evtlog_named_global_commit(struct evtlog_event_route *route)
{
	struct evtlog_named *n = named_of(route);

	barrier();
	if (unlikely(evtlog_named_should_pass_on(n->shared)))
		evtlog_named_pass_on(n->shared);
	ring_unlock(n);
}

/* The route's @drop */
void evtlog_named_global_drop(struct evtlog_event_route *route, unsigned int cause)
{
	count_lost(named_of(route), cause);
}

/**
 * evtlog_named_global_close() - hand over the current buffer
 * @n:		a global named buffer, its lock held
 */
void evtlog_named_global_close(struct evtlog_named *n)
{
	struct evtlog_clock_set clock;

	read_clock(n, &clock);
	evtlog_ring_pass_on_at(&n->shared->ring, &clock);
}

/**
 * evtlog_named_global_hold() - keep all CPUs from writing
 * @n:		a global named buffer
 *
 * Only for a moment, because events on this CPU are counted as lost meanwhile.
 *
 * Context: interrupts are off until evtlog_named_global_release().
 * Return: flags for evtlog_named_global_release().
 */
unsigned long evtlog_named_global_hold(struct evtlog_named *n)
{
	unsigned long flags;

	local_irq_save(flags);
	ring_lock(n);
	return flags;
}

/* Ends evtlog_named_global_hold(). */
void evtlog_named_global_release(struct evtlog_named *n, unsigned long flags)
{
	ring_unlock(n);
	local_irq_restore(flags);
}

/**
 * evtlog_named_global_pass_on() - hand over the current buffer, if another buffer is free
 * @n:		a global named buffer
 *
 * Context: task context, or a work item.
 */
void evtlog_named_global_pass_on(struct evtlog_named *n)
{
	unsigned long flags = evtlog_named_global_hold(n);

	evtlog_named_pass_on(n->shared);
	evtlog_named_global_release(n, flags);
}

/**
 * evtlog_named_global_end() - as evtlog_ring_end(), for the ring of all CPUs
 * @n:		a global named buffer that gets no more events
 *
 * Context: task context.
 */
void evtlog_named_global_end(struct evtlog_named *n)
{
	unsigned long flags = evtlog_named_global_hold(n);
	struct evtlog_clock_set clock;

	read_clock(n, &clock);
	evtlog_ring_end_at(&n->shared->ring, &clock);
	evtlog_named_global_release(n, flags);
}
