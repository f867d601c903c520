/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Position of each event's sums in the profiles of CPUs.
 *
 * An event gets a slot when a path with it is created first: the same on all CPUs until the next
 * start.  A CPU's slots contain what tasks did there until they left, minus what the nodes of tasks
 * that are still there had before their first change on this CPU.  With the present sums of these
 * nodes added, they are the CPU's profile.
 */
#ifndef EVTLOG_PROFILE_SLOTS_H
#define EVTLOG_PROFILE_SLOTS_H

#include <linux/atomic.h>
#include <linux/compiler.h>

#include "callpath/node.h"

#define EVTLOG_PROFILE_SLOT_BITS	9
#define EVTLOG_PROFILE_SLOTS	(1U << EVTLOG_PROFILE_SLOT_BITS)

/* For each CPU: EVTLOG_PROFILE_SLOTS sums; allocated when profiles are started first */
extern struct evtlog_profile_sums **evtlog_profile_slots;

unsigned int evtlog_profile_slot(unsigned int event);
unsigned int evtlog_profile_slot_event(unsigned int slot);
void evtlog_profile_slots_reset(void);

/**
 * evtlog_profile_slot_move() - move a task's sums of an event from one CPU to another
 * @from:	slots of the CPU that gets the sums added; NULL: none, or already done
 * @to:		slots of the CPU to which the task comes, from which they are subtracted; NULL: none
 * @number:	slot of the event
 * @sums:	of the task; @largest is since the task came to @from
 *
 * Context: any; several CPUs may do this at the same time.
 */
static __always_inline void evtlog_profile_slot_move(struct evtlog_profile_sums *from,
						     struct evtlog_profile_sums *to,
						     unsigned int number,
						     const struct evtlog_profile_sums *sums)
{
	u64 count = sums->count, inclusive = sums->inclusive, exclusive = sums->exclusive;
	u64 largest, longest = sums->largest;

	if (from) {
		from += number;
		atomic64_add(count, (atomic64_t *)&from->count);
		atomic64_add(inclusive, (atomic64_t *)&from->inclusive);
		atomic64_add(exclusive, (atomic64_t *)&from->exclusive);
		while ((largest = READ_ONCE(from->largest)) < longest)
			cmpxchg(&from->largest, largest, longest);
	}
	if (to) {
		to += number;
		atomic64_sub(count, (atomic64_t *)&to->count);
		atomic64_sub(inclusive, (atomic64_t *)&to->inclusive);
		atomic64_sub(exclusive, (atomic64_t *)&to->exclusive);
	}
}

#endif /* EVTLOG_PROFILE_SLOTS_H */
