/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the sums of each event are in every CPU's profile.
 *
 * An event gets a slot, the same on all CPUs until the next start, when a path of it is first
 * made.  A CPU's slots are what tasks that have left it did there, less what those that
 * are here had of each node when it first changed here: with all that these nodes have now they
 * are the CPU's profile.
 */
#ifndef EVTLOG_PROFILE_SLOTS_H
#define EVTLOG_PROFILE_SLOTS_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include "callpath/node.h"

#define EVTLOG_PROFILE_SLOT_BITS	9
#define EVTLOG_PROFILE_SLOTS	(1U << EVTLOG_PROFILE_SLOT_BITS)

/* By CPU: EVTLOG_PROFILE_SLOTS of them; allocated when profiles are first started. */
extern struct evtlog_profile_sums **evtlog_profile_slots;

unsigned int evtlog_profile_slot(unsigned int event);
unsigned int evtlog_profile_slot_event(unsigned int slot);
void evtlog_profile_slots_reset(void);

/**
 * evtlog_profile_slot_add() - a task leaves a CPU, or a node of it first changes there
 * @cpu:	which
 * @number:	the slot of an event that the task has
 * @sums:	what it has of it; of @largest, since it came
 * @sign:	1: it leaves; -1: it has this until now
 *
 * Context: any; several CPUs may be at it.
 */
static __always_inline void
evtlog_profile_slot_add(unsigned int cpu, unsigned int number,
			const struct evtlog_profile_sums *sums, int sign)
{
	struct evtlog_profile_sums *slot = &evtlog_profile_slots[cpu][number];
	u64 largest;

	atomic64_add(sign * sums->count, (atomic64_t *)&slot->count);
	atomic64_add(sign * sums->inclusive, (atomic64_t *)&slot->inclusive);
	atomic64_add(sign * sums->exclusive, (atomic64_t *)&slot->exclusive);
	if (sign < 0)
		return;
	while ((largest = READ_ONCE(slot->largest)) < sums->largest)
		cmpxchg(&slot->largest, largest, sums->largest);
}

#endif /* EVTLOG_PROFILE_SLOTS_H */
