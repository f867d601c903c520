// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU's profile at one moment.  It is copied on that CPU with interrupts off, so that no task
 * comes, and with the CPU's list locked, so that no task leaves or ends.
 *
 * Before this, tasks that do not run there settle: their changes are added to the CPU's sums, as
 * when they leave the CPU.  A few settle at a time, with interrupts on in between; tasks that come
 * meanwhile are in the list again.  The copy is made when only the running task has not settled.
 */
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "clock.h"
#include "profile/list.h"
#include "profile/profile.h"

/* About this many nodes are added to the CPU's sums with interrupts off. */
#define SOME	192

/* Adds the changes of the running task on its CPU, or of tasks without a profile. */
static void add_profile(struct evtlog_profile *p, struct evtlog_profile_row *row)
{
	unsigned int i;

	if (p->cpu != row->number || p->epoch != evtlog_profile_epoch)
		return;
	for (i = 0; i < p->nr_nodes; i++) {
		const struct evtlog_profile_node *node = evtlog_profile_node(p, i);
		struct evtlog_profile_sums *sums;

		if (!evtlog_profile_has_changed(p->changed, i))
			continue;
		sums = &row->sums[node->slot];
		sums->count += node->sums.count;
		sums->inclusive += node->sums.inclusive;
		sums->exclusive += node->sums.exclusive;
		sums->largest = max(sums->largest, node->sums.largest);
	}
}

static struct evtlog_profile_cpu *cpu_of(const struct evtlog_profile_row *row)
{
	return per_cpu_ptr(&evtlog_profile_cpu, row->number);
}

/* After the list is locked: sums of tasks that are being freed are the task's or the CPU's. */
static void copy_row(struct evtlog_profile_row *row)
{
	const struct evtlog_profile_cpu *cpu = cpu_of(row);

	memcpy(row->sums, evtlog_profile_slots[row->number], sizeof(row->sums));
	/* The spare profile is in no list. */
	add_profile(cpu->spare, row);
	if (cpu->current_profile != cpu->spare)
		add_profile(cpu->current_profile, row);
	row->begin = cpu->begin;
	row->until = cpu->end;
	if (cpu->counts) {
		row->until = evtlog_ticks64();
		row->sums[cpu->top->slot].exclusive += row->until;
	}
}

/* On the CPU, or it is offline and stays so; interrupts off. */
static void read_row(void *data)
{
	struct evtlog_profile_row *row = data;
	unsigned long flags = evtlog_profile_list_lock(row->number);

	/* A copy takes as long as settling @most nodes: copy only if few nodes settled before. */
	row->settled = evtlog_profile_list_settle(row->number, cpu_of(row)->current_profile,
						  row->most, row->few);
	row->is_whole = row->settled >= 0 && row->settled <= row->few;
	if (row->is_whole)
		copy_row(row);
	evtlog_profile_list_unlock(row->number, flags);
}

static void do_there(struct evtlog_profile_row *row)
{
	unsigned long flags;

	if (cpu_online(row->number)) {
		smp_call_function_single(row->number, read_row, row, 1);
	} else {
		local_irq_save(flags);
		read_row(row);
		local_irq_restore(flags);
	}
	cond_resched();
}

/* If more tasks come each time, the last ones settle at once: they ran only in this short time. */
static void read_row_anywhere(struct evtlog_profile_row *row)
{
	unsigned int left;

	mutex_lock(&evtlog_profile_lists_lock);
	left = evtlog_profile_list_length(row->number) + 16;
	row->most = SOME;
	row->few = SOME / 8;
	row->is_whole = false;
	while (!row->is_whole) {
		do_there(row);
		if (row->settled >= 0)
			row->few *= 2;
		else if (left)
			left--;
		else
			row->most = min(row->most * 2, 1 << 20);
	}
	mutex_unlock(&evtlog_profile_lists_lock);
}

/**
 * evtlog_profile_row_show() - show a CPU's profile
 * @row:	buffer for it
 *
 * Its exclusive ticks add up to the time from its begin to its end.
 *
 * Context: task context, may sleep; the lock of CPU hotplug is held, and lists are kept
 * (evtlog_profile_lists_keep()).
 */
void evtlog_profile_row_show(struct seq_file *m, unsigned int number,
			     struct evtlog_profile_row *row)
{
	unsigned int i;

	row->number = number;
	if (!cpu_of(row)->begin)
		return;
	read_row_anywhere(row);
	seq_printf(m, "cpu %u %llu %llu\n", number, row->begin, row->until);
	for (i = 0; i < EVTLOG_PROFILE_SLOTS; i++) {
		const u16 event = evtlog_profile_slot_event(i);

		evtlog_profile_show_path(m, &event, 1, &row->sums[i]);
	}
	evtlog_profile_values_of_cpu(number, &row->values);
	evtlog_profile_values_show(m, &row->values);
}
