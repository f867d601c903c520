// SPDX-License-Identifier: GPL-2.0-only
/*
 * How each CPU joins a run and leaves it, by itself.
 *
 * publish.c stores in evtlog_epoch what all CPUs are to do; here each CPU's ring follows.
 *
 *	publish.c		a CPU, at an event		ring's epoch
 *	start: epoch = RECORDING	opens its buffer, records	old -> RECORDING
 *				counters, records the event
 *	stop: epoch = 0, then	takes the slow path, records	RECORDING -> | LEAVING
 *	NULL to each @end	counters, closes its buffer	-> the stop's
 *	later, for CPUs that	(has no event)			old -> | CLAIMED
 *	are idle or away				-> the stop's
 *
 * Each arrow from an old epoch is a compare-and-swap, done by the CPU itself or by another CPU for
 * it.  The CPU that loses leaves the ring alone.  A start does not interrupt CPUs or wait for them:
 * a CPU without events has nothing to record.  A stop waits until all CPUs have left, and
 * interrupts CPUs that cannot leave, and cannot be completed by another CPU: see
 * evtlog_join_wait_for_leaving().
 *
 * A softirq is counted some instructions before its hook, with interrupts on.  So is a received
 * ICMP message, with softirqs off.  An interrupt in between cannot detect this.  So while softirqs
 * are off, these counters are recorded, and a CPU leaves, only at the next event that is not in an
 * interrupt.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "clock.h"
#include "context.h"
#include "counters.h"
#include "publish.h"
#include "ring.h"

/* Returns true if an interrupt may be between the count of a softirq or message and its hook. */
static bool softirqs_are_unsure(u32 tag)
{
	u32 type = tag & EVTLOG_TYPE_MAX;

	return evtlog_context_softirqs_are_off() && type != EVTLOG_SOFTIRQ_ENTRY &&
	       type != EVTLOG_SOFTIRQ_EXIT && type != EVTLOG_ICMP_RX;
}

static void tell_start(struct evtlog_ring *r, u32 tag)
{
	if (!r->softirqs_due || softirqs_are_unsure(tag))
		return;
	evtlog_counters_write(r, false, EVTLOG_COUNTERS_SOFTIRQS, tag);
	r->softirqs_due = false;
}

static void join(struct evtlog_ring *r, u64 run, u32 tag)
{
	/* A CPU that was offline goes on; the start of its counters is recorded already. */
	bool is_new = r->run != run || !r->in_run;

	r->softirqs_due = is_new;
	evtlog_ring_begin(r, run);
	if (!is_new)
		return;
	evtlog_counters_write(r, false, EVTLOG_COUNTERS_OTHERS, tag);
	tell_start(r, tag);
}

/* The CPU's part is complete: from here on the ring belongs to its CPU, as before the run. */
static void is_over(struct evtlog_ring *r, u64 epoch)
{
	r->softirqs_due = false;
	/* The ring's own CPU may read it while another completes the ring: evtlog_ring_slow(). */
	WRITE_ONCE(r->idle_epoch, epoch);
	/* Pairs with the acquire in has_left(): the ring is complete. */
	smp_store_release(&r->epoch, epoch);
}

static void leave(struct evtlog_ring *r, u64 epoch, u32 tag)
{
	if (r->recording) {
		tell_start(r, tag);
		evtlog_counters_write(r, true, EVTLOG_COUNTERS_ALL, tag);
	}
	evtlog_ring_end(r);
	is_over(r, epoch);
}

/* Completes the part of a CPU whose ring the caller has claimed. */
static void end_claimed(struct evtlog_ring *r, u64 epoch, bool has_part,
			const struct evtlog_clock_set *clock)
{
	if (has_part || r->in_run || !r->nr_buffers)
		evtlog_ring_end_at(r, clock);
	else
		evtlog_ring_end_unused(r, epoch >> EVTLOG_EPOCH_RUN_SHIFT, clock);
	is_over(r, epoch);
}

/* The CPU's first event since the start comes after the stop, so what it ran meanwhile is known. */
static void leave_unused(struct evtlog_ring *r, u64 mine, u64 epoch)
{
	struct evtlog_clock_set clock;

	if (cmpxchg(&r->epoch, mine, mine | EVTLOG_EPOCH_CLAIMED) != mine)
		return;
	evtlog_clock_set_read(&clock);
	end_claimed(r, epoch, false, &clock);
}

/* Called by the ring, see ring.h. */
bool evtlog_ring_follow(struct evtlog_ring *r, u64 epoch, u32 tag)
{
	u64 mine = READ_ONCE(r->epoch);

	if (mine & EVTLOG_EPOCH_CLAIMED)
		return false;
	/* Delayed after it read the epoch: the run is over, this CPU's part is recorded. */
	if (!(mine & EVTLOG_EPOCH_RECORDING) &&
	    mine >> EVTLOG_EPOCH_RUN_SHIFT >= epoch >> EVTLOG_EPOCH_RUN_SHIFT)
		return false;
	if (epoch & EVTLOG_EPOCH_RECORDING) {
		if (cmpxchg(&r->epoch, mine, epoch) != mine)
			return false;
		/* Pairs with the release in evtlog_buffers_alloc(). */
		if (smp_load_acquire(&r->nr_buffers)) {
			join(r, epoch >> EVTLOG_EPOCH_RUN_SHIFT, tag);
			return true;
		}
		WRITE_ONCE(r->idle_epoch, epoch);
		return false;
	}
	if (!(mine & EVTLOG_EPOCH_RECORDING)) {
		leave_unused(r, mine, epoch);
		return false;
	}
	if (!(mine & EVTLOG_EPOCH_LEAVING) &&
	    cmpxchg(&r->epoch, mine, mine | EVTLOG_EPOCH_LEAVING) != mine)
		return false;
	/* User mode has no events: record the exit from it first, then the counters. */
	if (softirqs_are_unsure(tag) || (tag & EVTLOG_TYPE_MAX) == EVTLOG_USER_EXIT) {
		WRITE_ONCE(r->end, NULL);
		return true;
	}
	leave(r, epoch, tag);
	return false;
}

/* Records the start values of softirqs and ICMP at the first event where they are exact: ring.h. */
void evtlog_ring_apply_epoch(struct evtlog_ring *r, u32 tag)
{
	tell_start(r, tag);
}

static bool has_left(const struct evtlog_ring *r)
{
	/* Pairs with the release in is_over(). */
	return smp_load_acquire(&r->epoch) == READ_ONCE(evtlog_epoch);
}

/*
 * Records the counters of a claimed ring.  If the softirqs' start values are still due, the CPU
 * joined with softirqs off, after the last hook.  None came since: start and end values are equal.
 */
static void tell_for(struct evtlog_ring *r, const struct evtlog_clock_set *clock)
{
	if (r->softirqs_due)
		evtlog_counters_write_other(r, false, EVTLOG_COUNTERS_SOFTIRQS, clock);
	evtlog_counters_write_other(r, true, EVTLOG_COUNTERS_ALL, clock);
}

/*
 * Completes the ring of a CPU that has no events.  Returns true if the CPU is done; false if it is
 * not idle, or is just leaving by itself.
 *
 * Hooks run only where RCU is watching.  If RCU does not watch a CPU after the stop stored NULL to
 * @end, the CPU's next hook sees NULL and competes with this function for the epoch.  The counters,
 * and the time of the end, are read between two checks of RCU.  An event that changed a counter
 * before its hook would have taken the epoch by then, or the second check sees it.
 */
static bool leave_for(struct evtlog_ring *r, unsigned int cpu, bool is_away)
{
	/* Pairs with the release in is_over(): the CPU may have left since the caller looked. */
	u64 epoch = READ_ONCE(evtlog_epoch), mine = smp_load_acquire(&r->epoch);
	bool joined = mine & EVTLOG_EPOCH_RECORDING;
	struct evtlog_clock_set clock;
	unsigned long flags;

	if (mine == epoch)
		return true;
	if (mine & (EVTLOG_EPOCH_LEAVING | EVTLOG_EPOCH_CLAIMED))
		return false;
	if (joined && !is_away) {
		/* If the tick counters may differ, the CPU must read its end itself. */
		if (!evtlog_ticks_trusted() || !rcu_is_idle_cpu(cpu))
			return false;
		evtlog_counters_read_other(cpu);
	}
	local_irq_save(flags);
	evtlog_clock_set_read(&clock);
	if (joined && !is_away && !rcu_is_idle_cpu(cpu))
		goto not_yet;
	if (cmpxchg(&r->epoch, mine, mine | EVTLOG_EPOCH_CLAIMED) != mine)
		goto not_yet;
	if (r->recording && !is_away)
		tell_for(r, &clock);
	end_claimed(r, epoch, joined || is_away, &clock);
	local_irq_restore(flags);
	return true;
not_yet:
	local_irq_restore(flags);
	return false;
}

static void look(void *unused)
{
	evtlog_ring_look(this_cpu_ptr(&evtlog_ring));
}

/* Returns true if the CPU is done. */
static bool see_to_leaving(unsigned int cpu, bool by_force)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	unsigned long flags;

	if (has_left(r))
		return true;
	local_irq_save(flags);
	if (cpu == smp_processor_id())
		look(NULL);
	local_irq_restore(flags);
	if (leave_for(r, cpu, !cpu_online(cpu)))
		return true;
	if (by_force)
		smp_call_function_single(cpu, look, NULL, true);
	return has_left(r);
}

/**
 * evtlog_join_wait_for_leaving() - wait until every CPU has left a stopped run
 *
 * CPUs that have events leave by themselves.  CPUs that RCU does not watch, idle or in user mode
 * under nohz_full, are not interrupted.  Other CPUs are interrupted after some ticks, because a
 * stop must end: a CPU that runs without any event; a CPU that saw the stop in an interrupt after a
 * softirq's last hook; and, where the CPUs' counters differ, each CPU without events.
 *
 * Context: task context; the run's lock and the CPU hotplug lock are held; the stop was published.
 */
void evtlog_join_wait_for_leaving(void)
{
	unsigned int cpu, left, round = 0;

	for (;;) {
		left = 0;
		for_each_possible_cpu(cpu)
			left += !see_to_leaving(cpu, round >= EVTLOG_JOIN_PATIENCE);
		if (!left)
			return;
		round++;
		schedule_timeout_uninterruptible(1);
	}
}
