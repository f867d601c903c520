// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU's profile, of one moment: read on that CPU, interrupts off.
 *
 * Nothing that the CPU's tasks have changes meanwhile but by their going to another CPU, which
 * counts its moves (slots.c): then it is read anew.  If tasks go without end all CPUs are stopped.
 * The list of all profiles is gone through with interrupts off.
 */
#include <linux/cpu.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/stop_machine.h>
#include <linux/string.h>

#include "clock.h"
#include "profile/profile.h"
#include "profile/row.h"

/* On the CPU itself, before all are stopped. */
#define TRIES	16

/* What a task has there; it may be going to another CPU, and is then read for nothing. */
static void add_profile(struct evtlog_profile *p, void *data)
{
	struct evtlog_profile_row *row = data;
	unsigned int count = READ_ONCE(p->nr_nodes), i;

	if (READ_ONCE(p->cpu) != row->number || p->epoch != evtlog_profile_epoch)
		return;
	if (!READ_ONCE(p->more))
		count = min_t(unsigned int, count, EVTLOG_PROFILE_NODES);
	for (i = 0; i < count; i++) {
		const struct evtlog_profile_node *node = evtlog_profile_node(p, i);
		struct evtlog_profile_sums *sums;

		if (evtlog_profile_is_wait(node))
			continue;
		sums = &row->sums[evtlog_profile_slot(node->key & 0xffff)];
		sums->count += node->sums.count;
		sums->inclusive += node->sums.inclusive;
		sums->exclusive += node->sums.exclusive;
		sums->largest = max(sums->largest, node->sums.largest);
	}
}

/* On the CPU, or it is offline and stays so; interrupts off. */
static void read_row(void *data)
{
	struct evtlog_profile_row *row = data;
	const struct evtlog_profile_cpu *cpu = per_cpu_ptr(&evtlog_profile_cpu, row->number);
	u64 moves = evtlog_profile_moves_ended(row->number);

	memcpy(row->sums, evtlog_profile_slots[row->number], sizeof(row->sums));
	evtlog_profile_list_for_all(add_profile, row);
	/* In no list: tasks without a profile are in it. */
	add_profile(cpu->spare, row);
	row->until = cpu->end;
	if (cpu->counts) {
		row->until = evtlog_ticks64();
		row->sums[evtlog_profile_slot(cpu->top->key & 0xffff)].exclusive += row->until;
	}
	row->is_whole = evtlog_profile_moves_begun(row->number) == moves;
}

static int read_row_stopped(void *row)
{
	read_row(row);
	return 0;
}

static void read_row_anywhere(struct evtlog_profile_row *row)
{
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		if (cpu_online(row->number)) {
			smp_call_function_single(row->number, read_row, row, 1);
		} else {
			local_irq_save(flags);
			read_row(row);
			local_irq_restore(flags);
		}
		if (row->is_whole)
			return;
	}
	stop_machine_cpuslocked(read_row_stopped, row, cpu_online(row->number) ?
				cpumask_of(row->number) : NULL);
}

/**
 * evtlog_profile_row_show() - a CPU's profile
 * @m:		written to
 * @number:	which
 * @row:	written: room for it
 *
 * Its exclusive ticks are those from its begin to its end.
 *
 * Context: task context, may sleep; the lock of CPU hotplug is held.
 */
void evtlog_profile_row_show(struct seq_file *m, unsigned int number,
			     struct evtlog_profile_row *row)
{
	const struct evtlog_profile_cpu *cpu = per_cpu_ptr(&evtlog_profile_cpu, number);
	unsigned int i;

	if (!cpu->begin)
		return;
	row->number = number;
	read_row_anywhere(row);
	seq_printf(m, "cpu %u %llu %llu\n", number, cpu->begin, row->until);
	for (i = 0; i < EVTLOG_PROFILE_SLOTS; i++) {
		const struct evtlog_profile_sums *sums = &row->sums[i];

		if (!sums->count && !sums->exclusive)
			continue;
		seq_puts(m, "  ");
		evtlog_profile_show_event(m, evtlog_profile_slot_event(i));
		seq_printf(m, " %llu %llu %llu %llu\n", sums->count, sums->inclusive,
			   sums->exclusive, sums->largest);
	}
	evtlog_profile_values_of_cpu(number, &row->values);
	evtlog_profile_values_show(m, &row->values);
}
