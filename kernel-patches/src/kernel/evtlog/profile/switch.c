// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context switches: slow path for tasks from another CPU, or with another wait than last time.
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
 * Charges a wait that is over, within the node on top.  Usually a task blocks, and then waits for a
 * CPU, in the same path as last time: @is_cpu selects the node of the last wait for a CPU or block.
 */
static void charge_wait(struct evtlog_profile *p, unsigned int event, u64 ticks, bool is_cpu)
{
	struct evtlog_profile_node *node = p->waits[is_cpu];

	if (!evtlog_profile_is_wait_of(node, p->top, event))
		node = find_wait(p, event, is_cpu);
	evtlog_profile_add_wait(node, ticks);
}

/* NULL: the task's sums belong to no CPU, or its CPUs' sums include them. */
static struct evtlog_profile_sums *slots_of(const struct evtlog_profile *p)
{
	return evtlog_profile_is_cpu(p->cpu) ? evtlog_profile_slots[p->cpu] : NULL;
}

/* Forces a search for the node at its next entry. */
static __always_inline void forget_place(struct evtlog_profile *p, struct evtlog_profile_node *node)
{
	unsigned int i = node->key % EVTLOG_PROFILE_CALLS;

	if (node->parent)
		node->parent->child = &p->nodes[EVTLOG_PROFILE_WAITING_NODE];
	if (p->calls[i] == node)
		evtlog_profile_forget_call(p, i);
}

/*
 * Nodes that have changed on a CPU are added to its sums, and are looked up at their next entry.
 * From now on, only the nodes in @open, by index, have changed.
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
 * evtlog_profile_leave_cpu() - add a task's changes to its CPU's sums, for good
 * @p:		profile of a task that does not run; nothing else changes @cpu
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
 * Sums from before the task came are not this CPU's.  The open nodes have changed on the old CPU,
 * because the task came there with them or entered them there, and change here.
 */
static noinline void come_to_cpu(struct evtlog_profile *p, unsigned int cpu)
{
	struct evtlog_profile_sums *from, *to = evtlog_profile_slots[cpu];
	struct evtlog_profile_list *list = NULL;
	u64 open[EVTLOG_PROFILE_CHANGED] = {};
	struct evtlog_profile_node *node;

	/* A CPU that has the task's sums is read either before they become its own, or after. */
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
	/* Open nodes last as long as the nodes within them. */
	for (node = p->top; node; node = node->parent)
		node->start -= begin - end;
	return 0;
}

/* Charges the time since @off, as a wait of the kind @off_event: the task runs again. */
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
 * evtlog_profile_run() - begin a CPU's clock with the task that runs there
 * @p:		its profile
 * @cpu:	this CPU, or a CPU that is about to be brought up
 * @now:	in ticks
 *
 * If the profile began before, by a fork or on a CPU whose clock began earlier, the time since @off
 * counts as a wait, although the task may have run on this CPU: no time is lost.
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
 * @now:	in ticks; the previous task left at this time
 *
 * Context: as for evtlog_profile_switch(); the clock runs.
 */
noinline void evtlog_profile_come_slowly(struct evtlog_profile *next, u64 now)
{
	unsigned int cpu = this_cpu_read(evtlog_profile_cpu.number);
	u64 off = next->off;

	/* For readers, the task is not asleep any more: pairs with copy_sleeping(). */
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
 * evtlog_profile_switch_slowly() - evtlog_profile_switch() for a task from another CPU
 * @next:	its profile; NULL: it has none
 * @off_event:	how the current task leaves
 * @now:	in ticks
 *
 * While the clock is stopped, nothing is charged.
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
 * evtlog_profile_adopt() - give the current task another profile
 * @p:		profile that has not begun
 * @cpu:	this CPU
 * @now:	in ticks
 *
 * The old profile is then complete, as if the task had left the CPU.
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
