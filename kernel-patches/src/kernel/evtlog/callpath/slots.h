/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the sums of each event are in every CPU's profile.
 *
 * An event gets a slot when a path of it is first made: the same on all CPUs until the next
 * start.  A CPU's slots have what tasks did there until they left, minus what each node of the
 * tasks that are here had before its first change here.  With the present sums of these nodes
 * added, they are the CPU's profile.
 */
#ifndef EVTLOG_PROFILE_SLOTS_H
#define EVTLOG_PROFILE_SLOTS_H

#include <linux/atomic.h>
#include <linux/compiler.h>

#include "callpath/node.h"

#define EVTLOG_PROFILE_SLOT_BITS	9
#define EVTLOG_PROFILE_SLOTS	(1U << EVTLOG_PROFILE_SLOT_BITS)

/* By CPU: EVTLOG_PROFILE_SLOTS of them; allocated when profiles are first started. */
extern struct evtlog_profile_sums **evtlog_profile_slots;

unsigned int evtlog_profile_slot(unsigned int event);
unsigned int evtlog_profile_slot_event(unsigned int slot);
void evtlog_profile_slots_reset(void);

/**
 * evtlog_profile_slot_move() - what a task has of an event is a CPU's, or is not another CPU's
 * @from:	the slots of the CPU where it did that; NULL: none, or that CPU has it
 * @to:		of the CPU that it has come to; NULL: none
 * @number:	the event's slot
 * @sums:	what it has; of @largest, since it came to @from
 *
 * Context: any; several CPUs may be at it.
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
