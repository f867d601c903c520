// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cost of the hooks of profiles, measured at boot and at each start of profiles.
 *
 * An event is entered and left many times in a temporary profile.  Its inclusive ticks are the part
 * of the cost that is charged to the event; the remaining part is charged to its parent.  The
 * cheapest of several measurements is shown: a lower bound, since caches are warm.
 */
#define __evtlog_hook	/* see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/init.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "clock.h"
#include "profile/profile.h"
#include "ring.h"

#define GOES		16
#define TIMES		64
#define MILLI		1000

/* In thousandths of ticks */
struct cost {
	u32 inside;
	u32 outside;
};

static struct cost cost_of_syscall, cost_of_other;

/* Eight times, so that the loop itself costs little in comparison. */
#define EIGHT_TIMES(what)						\
do {									\
	what; what; what; what; what; what; what; what;			\
} while (0)

static noinline void measure_syscalls(void)
{
	unsigned int i;

	for (i = 0; i < TIMES / 8; i++)
		EIGHT_TIMES(evtlog_profile_call(0); __evtlog_profile_user_enter());
}

static noinline void measure_vectors(void)
{
	u32 entry = EVTLOG_TAG(EVTLOG_VECTOR_ENTRY, 0), exit = EVTLOG_TAG(EVTLOG_VECTOR_EXIT, 0);
	unsigned int i;

	for (i = 0; i < TIMES / 8; i++)
		EIGHT_TIMES(__evtlog_profile_vector_entry(entry);
			    __evtlog_profile_vector_exit(exit));
}

/* After @measure, the cost is in the node of @event within the root.  Interrupts are off. */
static struct cost measure_once(struct evtlog_profile *p, unsigned int event,
				void (*measure)(void))
{
	u64 begin, all, inside;
	struct evtlog_profile_node *node;

	/* Creates the node before the measurement. */
	evtlog_profile_enter(event, evtlog_ticks64());
	evtlog_profile_exit(event, evtlog_ticks64());
	node = p->nodes[0].child;
	inside = node->sums.inclusive;
	begin = evtlog_ticks64();
	measure();
	all = evtlog_ticks64() - begin;
	inside = node->sums.inclusive - inside;
	/* A hypervisor may have taken the CPU in between. */
	return (struct cost){ inside, inside > all || all > S32_MAX ? U32_MAX : all - inside };
}

/* Measures only if hooks do not check whether to record: they would cost more, and would record. */
static bool go(struct evtlog_profile *p, unsigned int event, void (*measure)(void),
	       struct cost *cost)
{
	struct evtlog_profile_cpu *cpu;
	struct evtlog_profile_node *top;
	struct evtlog_profile *current_profile;
	unsigned long flags;
	bool is_quiet;

	local_irq_save(flags);
	is_quiet = !static_key_enabled(&evtlog_profile_slow_key);
	if (is_quiet) {
		cpu = this_cpu_ptr(&evtlog_profile_cpu);
		top = cpu->top;
		current_profile = cpu->current_profile;
		cpu->current_profile = p;
		cpu->top = p->top;
		*cost = measure_once(p, event, measure);
		cpu->current_profile = current_profile;
		cpu->top = top;
	}
	local_irq_restore(flags);
	return is_quiet;
}

static void measure(struct evtlog_profile *p, unsigned int event, void (*measure)(void),
		    struct cost *cost)
{
	struct cost least = { 0, U32_MAX }, once;
	unsigned int i;

	for (i = 0; i < GOES; i++) {
		if (!go(p, event, measure, &once))
			return;
		if (once.outside != U32_MAX && once.inside + once.outside < least.inside + least.outside)
			least = once;
	}
	if (least.outside == U32_MAX)
		least.outside = 0;
	cost->inside = div_u64((u64)least.inside * MILLI, TIMES);
	cost->outside = div_u64((u64)least.outside * MILLI, TIMES);
}

/**
 * evtlog_profile_cost_measure() - measure the cost of a boundary
 *
 * Keeps the previous result if there is no memory, or while something is recorded.
 *
 * Context: task context, may sleep.  CPUs' clocks may run: nothing is charged to them.
 */
void evtlog_profile_cost_measure(void)
{
	struct evtlog_profile *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return;
	evtlog_profile_init(p, EVTLOG_PROFILE_KERNEL);
	measure(p, EVTLOG_PROFILE_EVENT(EVTLOG_PROFILE_SYSCALL, 0), measure_syscalls,
		&cost_of_syscall);
	measure(p, EVTLOG_PROFILE_EVENT(EVTLOG_PROFILE_VECTOR, 0), measure_vectors,
		&cost_of_other);
	evtlog_profile_free(p);
}

static void show(struct seq_file *m, const char *name, const struct cost *cost)
{
	seq_printf(m, "cost %s %u.%03u %u.%03u\n", name, cost->inside / MILLI, cost->inside % MILLI,
		   cost->outside / MILLI, cost->outside % MILLI);
}

/**
 * evtlog_profile_cost_show() - print the rate of ticks, and the cost of the measurement in ticks
 *
 * "cost CLASS INSIDE OUTSIDE": ticks charged to each event of the class, and to its parent.
 */
void evtlog_profile_cost_show(struct seq_file *m)
{
	seq_printf(m, "ticks_hz %llu\n", evtlog_ticks_hz());
	show(m, "syscall", &cost_of_syscall);
	show(m, "other", &cost_of_other);
}

static int __init cost_init(void)
{
	evtlog_profile_cost_measure();
	return 0;
}
device_initcall(cost_init);
