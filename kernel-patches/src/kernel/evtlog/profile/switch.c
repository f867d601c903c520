// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switches of tasks: those that come from another CPU, or wait in what they did not wait in last.
 */
#include <linux/bitops.h>

#include "profile/list.h"
#include "profile/switch.h"

static noinline struct evtlog_profile_node *find_wait(struct evtlog_profile *p, unsigned int event,
						      bool is_cpu)
{
	struct evtlog_profile_node *node = NULL, *waited;

	if (!p->skipped)
		node = evtlog_profile_make_node(p, p->top, event);
	if (!node)
		return evtlog_profile_wait_apart(p, event);
	waited = is_cpu ? node : evtlog_profile_make_node(p, p->top, EVTLOG_PROFILE_RUNQUEUE);
	if (!waited)
		return node;
	if (!is_cpu)
		node->child = waited;
	p->waits[is_cpu] = node;
	return node;
}

/*
 * A wait that is over, within the node on top.  A task most often blocks, and then waits for a CPU,
 * where it did last: @is_cpu chooses of which the last was.
 */
static void charge_wait(struct evtlog_profile *p, unsigned int event, u64 ticks, bool is_cpu)
{
	struct evtlog_profile_node *node = p->waits[is_cpu];

	if (!evtlog_profile_is_wait_of(node, p->top, event))
		node = find_wait(p, event, is_cpu);
	evtlog_profile_add_wait(node, ticks);
}

/* NULL: what the task has is no CPU's, or has been added to its CPUs'. */
static struct evtlog_profile_sums *slots_of(const struct evtlog_profile *p)
{
	return evtlog_profile_is_cpu(p->cpu) ? evtlog_profile_slots[p->cpu] : NULL;
}

/* The node is looked for when it is entered next. */
static __always_inline void forget_place(struct evtlog_profile *p, struct evtlog_profile_node *node)
{
	unsigned int i = node->key % EVTLOG_PROFILE_CALLS;

	if (node->parent)
		node->parent->child = &p->nodes[EVTLOG_PROFILE_WAITING_NODE];
	if (p->calls[i] == node)
		evtlog_profile_forget_call(p, i);
}

/*
 * What has changed on a CPU is its own, and is looked for when it is entered next; @open alone, by
 * index, has changed from now on.
 */
static __always_inline void end_changes(struct evtlog_profile *p, struct evtlog_profile_sums *slots,
					const u64 *open)
{
	struct evtlog_profile_node *node;
	unsigned int i;
	u64 bits;

	for (i = 0; i * 64 < p->nr_nodes; i++) {
		bits = p->changed[i] & ~open[i];
		p->changed[i] = open[i];
		for (; bits; bits &= bits - 1) {
			node = evtlog_profile_node(p, i * 64 + __ffs64(bits));
			evtlog_profile_slot_move(slots, NULL, node->slot, &node->sums);
			forget_place(p, node);
		}
	}
}

/**
 * evtlog_profile_leave_cpu() - what a task has is its CPU's, from now on for good
 * @p:		its profile; it does not run, and nobody else changes @cpu
 */
void evtlog_profile_leave_cpu(struct evtlog_profile *p)
{
	static const u64 none[EVTLOG_PROFILE_CHANGED];

	if (!evtlog_profile_is_cpu(p->cpu) || p->epoch != evtlog_profile_epoch)
		return;
	end_changes(p, slots_of(p), none);
	WRITE_ONCE(p->cpu, EVTLOG_PROFILE_LEFT);
}

/*
 * What it had when it came is not this CPU's.  What it is in has changed where it was, for it
 * had come there or was entered there, and changes here.
 */
static noinline void come_to_cpu(struct evtlog_profile *p, unsigned int cpu)
{
	struct evtlog_profile_sums *from, *to = evtlog_profile_slots[cpu];
	struct evtlog_profile_list *list = NULL;
	u64 open[EVTLOG_PROFILE_CHANGED] = {};
	struct evtlog_profile_node *node;

	/* Whoever reads a CPU that it has sums on does so before they are that CPU's, or after. */
	if (evtlog_profile_lists_are_kept())
		list = evtlog_profile_list_hold(p);
	from = slots_of(p);
	for (node = p->top; node; node = node->parent) {
		open[node->index / 64] |= 1ULL << node->index % 64;
		evtlog_profile_slot_move(from, to, node->slot, &node->sums);
		evtlog_profile_forget_largest(node);
	}
	end_changes(p, from, open);
	WRITE_ONCE(p->cpu, cpu);
	if (list)
		evtlog_profile_list_move(p, list, cpu);
}

/*
 * Ticks from @begin, which another CPU may have read, to @end.  If its counter was ahead: 0, and
 * the difference is added to @ahead, so that sums are exact.
 */
static u64 ticks_between(struct evtlog_profile *p, u64 begin, u64 end)
{
	struct evtlog_profile_node *node;

	if ((s64)(end - begin) >= 0)
		return end - begin;
	p->ahead += begin - end;
	/* What is open lasts as long as what is within it. */
	for (node = p->top; node; node = node->parent)
		node->start -= begin - end;
	return 0;
}

/* It was off its CPU from @off on, as @off_event says, and runs again. */
static void charge_off(struct evtlog_profile *p, u64 off, u64 now)
{
	u64 woken;

	if (p->off_event <= EVTLOG_PROFILE_PREEMPTED) {
		charge_wait(p, p->off_event, ticks_between(p, off, now), true);
		return;
	}
	/* Made runnable before it had left its CPU: it did not block. */
	woken = READ_ONCE(p->woken);
	if ((s64)(woken - off) < 0)
		woken = off;
	charge_wait(p, p->off_event, woken - off, false);
	charge_wait(p, EVTLOG_PROFILE_RUNQUEUE, ticks_between(p, woken, now), true);
}

/**
 * evtlog_profile_run() - a CPU's clock begins, and this is what runs there
 * @p:		its profile
 * @cpu:	this CPU, or one that is about to be brought up
 * @now:	in ticks
 *
 * If it began before, by a fork or on a CPU whose clock began earlier, the time since @off
 * counts as a wait, although it may have run on this CPU: no time is lost.
 *
 * Context: interrupts off.
 */
void evtlog_profile_run(struct evtlog_profile *p, unsigned int cpu, u64 now)
{
	u64 off = p->off;
	bool born = p->born;

	if (!born)
		evtlog_profile_begin(p, now);
	WRITE_ONCE(p->off, 0);
	smp_wmb();
	come_to_cpu(p, cpu);
	if (born)
		charge_off(p, off, now);
	evtlog_profile_resume(p->top, now);
}

/**
 * evtlog_profile_come_slowly() - another task comes to the CPU
 * @next:	its profile
 * @now:	in ticks; the task before has left then
 *
 * Context: as for evtlog_profile_switch(); the clock runs.
 */
noinline void evtlog_profile_come_slowly(struct evtlog_profile *next, u64 now)
{
	unsigned int cpu = this_cpu_read(evtlog_profile_cpu.number);
	u64 off = next->off;

	/* Not asleep for readers: pairs with copy_sleeping(). */
	WRITE_ONCE(next->off, 0);
	if (!next->born)
		WRITE_ONCE(next->born, now);
	smp_wmb();
	if (READ_ONCE(next->cpu) != cpu)
		come_to_cpu(next, cpu);
	if (!off)
		next->top->start = now;
	else
		charge_off(next, off, now);
	evtlog_profile_task_on(next, next->top, now);
}

/**
 * evtlog_profile_switch_slowly() - as evtlog_profile_switch(), of a task that comes from another CPU
 * @next:	its profile; NULL: it has none
 * @off_event:	how the current task leaves
 * @now:	in ticks
 *
 * While the clock stands nothing is charged.
 */
noinline void evtlog_profile_switch_slowly(struct evtlog_profile *next, unsigned int off_event,
					   u64 now)
{
	if (this_cpu_read(evtlog_profile_cpu.number) == EVTLOG_PROFILE_NO_CLOCK)
		return;
	if (!next)
		next = this_cpu_read(evtlog_profile_cpu.spare);
	evtlog_profile_task_off(off_event, now);
	evtlog_profile_come_slowly(next, now);
}

/**
 * evtlog_profile_adopt() - the current task has another profile from now on
 * @p:		not begun
 * @cpu:	this CPU
 * @now:	in ticks
 *
 * Its last one is complete then, as if the task had left the CPU.
 *
 * Context: interrupts off.
 */
void evtlog_profile_adopt(struct evtlog_profile *p, unsigned int cpu, u64 now)
{
	struct evtlog_profile *last = this_cpu_read(evtlog_profile_cpu.current_profile);

	last->top = this_cpu_read(evtlog_profile_cpu.top);
	evtlog_profile_charge(last->top, now);
	last->off = now;
	evtlog_profile_begin(p, now);
	p->off = 0;
	come_to_cpu(p, cpu);
	evtlog_profile_resume(p->top, now);
	this_cpu_write(evtlog_profile_cpu.current_profile, p);
	this_cpu_write(evtlog_profile_cpu.top, p->top);
}
