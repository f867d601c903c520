// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU's profile, of one moment: read on that CPU, interrupts off.
 *
 * Before, tasks that do not run settle with the CPU (settle.h), a few at a time, interrupts on in
 * between; then those that came to it meanwhile; when few are left, the moment is come.  Nothing
 * that the CPU has changes then but by tasks going to another CPU, which counts its moves
 * (slots.c): then it is read anew.  If tasks come and go without end all CPUs are stopped.
 */
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/stop_machine.h>
#include <linux/string.h>

#include "clock.h"
#include "profile/profile.h"
#include "profile/row.h"
#include "profile/settle.h"

/* How often all are gone through, and how often those that came meanwhile, before all CPUs stop. */
#define SWEEPS	3
#define TRIES	64

/* So many settle with interrupts off. */
#define SOME	16

/* What a task has there that runs there, or what tasks without a profile have. */
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

/* True: it was the CPU's, so that it took long. */
static bool settle(struct evtlog_profile *p, void *data)
{
	struct evtlog_profile_row *row = data;

	if (READ_ONCE(p->cpu) != row->number)
		return false;
	if (p == cpu_of(row)->current_profile)
		evtlog_profile_note_came(p);
	else
		evtlog_profile_settle(p, row->number);
	return true;
}

/* Tasks that are in no list yet will come, or are the one that runs: it was made by now. */
static void settle_begin(void *data)
{
	struct evtlog_profile_row *row = data;
	unsigned long flags = evtlog_profile_list_lock();

	evtlog_profile_list_take();
	evtlog_profile_settle_begin(row->number);
	evtlog_profile_list_unlock(flags);
}

static void settle_end(void *unused)
{
	unsigned long flags = evtlog_profile_list_lock();

	evtlog_profile_settle_end();
	evtlog_profile_list_unlock(flags);
}

static void settle_some(void *data)
{
	struct evtlog_profile_row *row = data;

	row->has_more = evtlog_profile_list_some(settle, row);
}

/* The list is locked: what tasks have that are being freed is theirs or the CPU's. */
static void copy_row(struct evtlog_profile_row *row)
{
	const struct evtlog_profile_cpu *cpu = cpu_of(row);
	u64 moves = evtlog_profile_moves_ended(row->number);

	memcpy(row->sums, evtlog_profile_slots[row->number], sizeof(row->sums));
	/* In no list. */
	add_profile(cpu->spare, row);
	if (cpu->current_profile != cpu->spare)
		add_profile(cpu->current_profile, row);
	row->begin = cpu->begin;
	row->until = cpu->end;
	if (cpu->counts) {
		row->until = evtlog_ticks64();
		row->sums[cpu->top->slot].exclusive += row->until;
	}
	row->is_whole = evtlog_profile_moves_begun(row->number) == moves;
}

/* On the CPU, or it is offline and stays so; interrupts off. */
static void read_row(void *data)
{
	struct evtlog_profile_row *row = data;
	unsigned long flags = evtlog_profile_list_lock();

	if (evtlog_profile_settle_some(row->number, cpu_of(row)->current_profile, SOME))
		copy_row(row);
	if (row->is_whole)
		evtlog_profile_settle_end();
	evtlog_profile_list_unlock(flags);
}

/* Nothing runs anywhere: however many there are. */
static int read_row_stopped(void *data)
{
	struct evtlog_profile_row *row = data;

	settle_begin(row);
	do {
		settle_some(row);
	} while (row->has_more);
	while (!row->is_whole)
		read_row(row);
	return 0;
}

static void do_there(struct evtlog_profile_row *row, void (*act)(void *row))
{
	unsigned long flags;

	if (cpu_online(row->number)) {
		smp_call_function_single(row->number, act, row, 1);
	} else {
		local_irq_save(flags);
		act(row);
		local_irq_restore(flags);
	}
	cond_resched();
}

static void sweep(struct evtlog_profile_row *row)
{
	unsigned int i;

	evtlog_profile_list_begin();
	do_there(row, settle_begin);
	do {
		do_there(row, settle_some);
	} while (row->has_more);
	for (i = 0; i < TRIES && !row->is_whole; i++)
		do_there(row, read_row);
	/* Else its hooks would note what comes beside those of the next CPU that is read. */
	if (!row->is_whole)
		do_there(row, settle_end);
	evtlog_profile_list_end();
}

static void read_row_anywhere(struct evtlog_profile_row *row)
{
	unsigned int i;

	row->is_whole = false;
	for (i = 0; i < SWEEPS && !row->is_whole; i++)
		sweep(row);
	if (row->is_whole)
		return;
	evtlog_profile_list_begin();
	stop_machine_cpuslocked(read_row_stopped, row, cpu_online(row->number) ?
				cpumask_of(row->number) : NULL);
	evtlog_profile_list_end();
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
	unsigned int i;

	row->number = number;
	if (!cpu_of(row)->begin)
		return;
	read_row_anywhere(row);
	seq_printf(m, "cpu %u %llu %llu\n", number, row->begin, row->until);
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
