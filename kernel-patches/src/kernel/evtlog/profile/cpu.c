// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU's clock: it begins, ends, and goes on while the CPU is offline.
 *
 * Hooks are on before a clock begins and after it has ended.  What they charge then goes to the
 * CPU's spare profile and is discarded.  So no boundary is missed while the clock runs, although
 * the hooks are patched one after another.
 *
 * An offline CPU is in the state EVTLOG_PROFILE_OFFLINE of its idle task, from its death until it
 * is about to be brought up.  The CPU that executes the hotplug callbacks updates its clock.
 */
#include <linux/lockdep.h>

#include "profile/switch.h"

/**
 * evtlog_profile_cpu_begin() - a CPU's clock begins
 * @cpu:	this CPU's, or that of one that is about to be brought up
 * @p:		the profile of the task that runs there; NULL: it has none
 * @number:	which CPU
 * @now:	in ticks
 *
 * Context: interrupts off; the spare profile is there.
 */
void evtlog_profile_cpu_begin(struct evtlog_profile_cpu *cpu, struct evtlog_profile *p,
			      unsigned int number, u64 now)
{
	evtlog_profile_init(cpu->spare, EVTLOG_PROFILE_KERNEL);
	evtlog_profile_begin(cpu->spare, now);
	if (!p)
		p = cpu->spare;
	evtlog_profile_run(p, number, now);
	cpu->current_profile = p;
	cpu->top = p->top;
	cpu->is_off = false;
	cpu->begin = now;
	cpu->number = number;
	cpu->counts = true;
}

/**
 * evtlog_profile_cpu_end() - a CPU's clock ends
 * @cpu:	this CPU's, or that of one that is offline
 * @now:	in ticks
 *
 * Context: interrupts off; of a CPU that is offline, its list is locked.
 */
void evtlog_profile_cpu_end(struct evtlog_profile_cpu *cpu, u64 now)
{
	struct evtlog_profile *p = cpu->current_profile;

	lockdep_assert_irqs_disabled();
	if (!cpu->counts)
		return;
	p->top = cpu->top;
	evtlog_profile_charge(p->top, now);
	evtlog_profile_leave_cpu(p);
	evtlog_profile_leave_cpu(cpu->spare);
	/* Other CPUs' clocks may still run, and it may come there. */
	p->off_event = EVTLOG_PROFILE_RUNQUEUE;
	smp_store_release(&p->off, now);
	cpu->current_profile = cpu->spare;
	cpu->top = cpu->spare->top;
	cpu->end = now;
	cpu->number = EVTLOG_PROFILE_NO_CLOCK;
	cpu->counts = false;
}

/**
 * evtlog_profile_cpu_offline() - a CPU is dead
 * @cpu:	its clock; nobody else uses it
 * @now:	in ticks, of this CPU
 */
void evtlog_profile_cpu_offline(struct evtlog_profile_cpu *cpu, u64 now)
{
	struct evtlog_profile *p = cpu->current_profile;
	struct evtlog_profile_node *node;

	if (!cpu->counts || cpu->is_off)
		return;
	node = evtlog_profile_make_node(p, cpu->top, EVTLOG_PROFILE_OFFLINE);
	if (!node)
		return;
	evtlog_profile_changes(p, node);
	evtlog_profile_charge(cpu->top, now);
	node->start = now;
	evtlog_profile_resume(node, now);
	cpu->top = node;
	cpu->is_off = true;
}

/**
 * evtlog_profile_cpu_online() - a CPU is about to be brought up
 * @cpu:	its clock; nobody else uses it
 * @now:	in ticks, of this CPU
 */
void evtlog_profile_cpu_online(struct evtlog_profile_cpu *cpu, u64 now)
{
	if (!cpu->counts || !cpu->is_off)
		return;
	evtlog_profile_charge(cpu->top, now);
	evtlog_profile_add(&cpu->top->sums, now - cpu->top->start);
	cpu->top = cpu->top->parent;
	evtlog_profile_resume(cpu->top, now);
	cpu->is_off = false;
}
