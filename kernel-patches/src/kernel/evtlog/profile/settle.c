// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks settle with a CPU, a few at a time: see settle.h.  row.c reads the CPU then.
 *
 * It is done on that CPU with interrupts off, so that no task begins to run there meanwhile; or
 * the CPU is offline.  But another CPU may take a task at any time, and change what it has: whoever
 * changes @cpu of its profile from this one's number is the one that adds its sums to the slots.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/minmax.h>

#include "profile/settle.h"

struct evtlog_profile_settling evtlog_profile_settling = { .cpu = EVTLOG_PROFILE_NO_CPU };

/**
 * evtlog_profile_note_came() - one more came while a CPU's tasks settle
 * @p:		its profile
 *
 * Context: on that CPU, interrupts off.
 */
void evtlog_profile_note_came(struct evtlog_profile *p)
{
	struct evtlog_profile_settling *s = &evtlog_profile_settling;

	WRITE_ONCE(s->came[s->nr % EVTLOG_PROFILE_CAME], p);
	s->nr++;
}

static void copy_sums(struct evtlog_profile_sums *to, const struct evtlog_profile_sums *from)
{
	to->count = READ_ONCE(from->count);
	to->inclusive = READ_ONCE(from->inclusive);
	to->exclusive = READ_ONCE(from->exclusive);
	to->largest = READ_ONCE(from->largest);
}

/**
 * evtlog_profile_settle() - what a task has on a CPU is the CPU's
 * @p:		its profile; nothing is written to it but @cpu
 * @cpu:	which; if it is another's, nothing is done
 *
 * Context: on that CPU, or it is offline; interrupts off; the task does not run there.  One at a
 * time; the list is locked.
 */
void evtlog_profile_settle(struct evtlog_profile *p, unsigned int cpu)
{
	struct evtlog_profile_sums *copy = evtlog_profile_settling.copy;
	unsigned int count = READ_ONCE(p->nr_nodes), capacity, i;
	u64 changed[EVTLOG_PROFILE_CHANGED];
	struct evtlog_callpath_more *block;

	if (READ_ONCE(p->cpu) != cpu || p->epoch != evtlog_profile_epoch)
		return;
	/* Pairs with evtlog_callpath_more_add(). */
	capacity = evtlog_callpath_more_capacity(smp_load_acquire(&p->more));
	count = min(count, EVTLOG_PROFILE_NODES + capacity);
	for (i = 0; i < EVTLOG_PROFILE_CHANGED; i++)
		changed[i] = READ_ONCE(p->changed[i]);
	for (i = 0; i < count; i++) {
		const struct evtlog_profile_node *node = evtlog_profile_node_in_turn(p, i, &block);

		if (evtlog_profile_has_changed(changed, i))
			copy_sums(&copy[i], &node->sums);
	}
	/*
	 * Pairs with that of come_to_cpu() (switch.c): all was read before the task runs
	 * elsewhere, or is not used.
	 */
	if (cmpxchg(&p->cpu, cpu, EVTLOG_PROFILE_LEFT) != cpu)
		return;
	for (i = 0; i < count; i++) {
		const struct evtlog_profile_node *node = evtlog_profile_node_in_turn(p, i, &block);

		if (evtlog_profile_has_changed(changed, i))
			evtlog_profile_slot_add(cpu, node->slot, &copy[i], 1);
	}
}

/**
 * evtlog_profile_settle_begin() - what comes to a CPU is noted from now on
 * @cpu:	which
 *
 * Context: as for evtlog_profile_settle().
 */
void evtlog_profile_settle_begin(unsigned int cpu)
{
	evtlog_profile_settling.nr = 0;
	evtlog_profile_settling.done = 0;
	WRITE_ONCE(evtlog_profile_settling.cpu, cpu);
}

/**
 * evtlog_profile_settle_end() - nothing is noted any more
 *
 * Context: as for evtlog_profile_settle().
 */
void evtlog_profile_settle_end(void)
{
	WRITE_ONCE(evtlog_profile_settling.cpu, EVTLOG_PROFILE_NO_CPU);
}

/**
 * evtlog_profile_settle_some() - those that came settle, but for the one that runs
 * @cpu:	which
 * @current_profile: what runs there: it is noted again
 * @most:	how many
 *
 * Context: as for evtlog_profile_settle().
 * Return: false: there are more, or it is not known which came.
 */
bool evtlog_profile_settle_some(unsigned int cpu, const struct evtlog_profile *current_profile,
				unsigned int most)
{
	struct evtlog_profile_settling *s = &evtlog_profile_settling;
	unsigned int end = s->nr;

	if (end - s->done > EVTLOG_PROFILE_CAME)
		return false;
	for (; s->done != end && most; most--) {
		struct evtlog_profile *p = READ_ONCE(s->came[s->done++ % EVTLOG_PROFILE_CAME]);

		if (p && p == current_profile)
			evtlog_profile_note_came(p);
		else if (p)
			evtlog_profile_settle(p, cpu);
	}
	return s->done == end;
}

/**
 * evtlog_profile_settle_forget() - a profile is about to be freed
 * @p:		which; no task runs by it any more
 *
 * Context: the list is locked.
 */
void evtlog_profile_settle_forget(const struct evtlog_profile *p)
{
	struct evtlog_profile_settling *s = &evtlog_profile_settling;
	unsigned int i;

	if (READ_ONCE(s->cpu) == EVTLOG_PROFILE_NO_CPU)
		return;
	for (i = 0; i < EVTLOG_PROFILE_CAME; i++) {
		if (READ_ONCE(s->came[i]) == p)
			WRITE_ONCE(s->came[i], NULL);
	}
}
