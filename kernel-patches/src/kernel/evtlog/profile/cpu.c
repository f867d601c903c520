// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU's clock: it begins, ends, and keeps running while the CPU is offline.
 *
 * Hooks are on before a clock begins and after it has ended.  Their charges then go to the CPU's
 * spare profile and are discarded.  No boundary is therefore missed while the clock runs, although
 * the hooks are patched one after another.
 *
 * An offline CPU is in the state EVTLOG_PROFILE_OFFLINE of its idle task, from its death until it
 * is about to be brought up.  The CPU that executes the hotplug callbacks updates its clock.
 */
#include <linux/lockdep.h>

#include "profile/switch.h"

/**
 * evtlog_profile_cpu_begin() - begin a CPU's clock
 * @cpu:	clock of this CPU, or of a CPU that is about to be brought up
 * @p:		profile of the task that runs there; NULL: it has none
 * @number:	number of the CPU
 * @now:	in ticks
 *
 * Context: interrupts off; the spare profile exists.
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
 * evtlog_profile_cpu_end() - end a CPU's clock
 * @cpu:	clock of this CPU, or of an offline CPU
 * @now:	in ticks
 *
 * Context: interrupts off; the list of an offline CPU is locked.
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
	/* The task may come to a CPU whose clock still runs. */
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
 * @cpu:	its clock, which is used only here now
 * @now:	in ticks of the calling CPU
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
 * @cpu:	its clock, which is used only here now
 * @now:	in ticks of the calling CPU
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
