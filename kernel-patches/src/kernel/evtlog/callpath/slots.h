/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the sums of each event are in every CPU's profile.
 *
 * An event gets a slot, the same on all CPUs until the next start, when a path of it is first
 * made.  A CPU's slots are what tasks that have left it did there, less what those that
 * are here had when they came: with all that these have now they are the CPU's profile.
 */
#ifndef EVTLOG_PROFILE_SLOTS_H
#define EVTLOG_PROFILE_SLOTS_H

#include <linux/types.h>

#include "callpath/node.h"

#define EVTLOG_PROFILE_SLOT_BITS	9
#define EVTLOG_PROFILE_SLOTS	(1U << EVTLOG_PROFILE_SLOT_BITS)

/* By CPU: EVTLOG_PROFILE_SLOTS of them; allocated when profiles are first started. */
extern struct evtlog_profile_sums **evtlog_profile_slots;

unsigned int evtlog_profile_slot(unsigned int event);
unsigned int evtlog_profile_slot_event(unsigned int slot);
void evtlog_profile_slots_reset(void);
void evtlog_profile_slot_add(unsigned int cpu, unsigned int number,
			     const struct evtlog_profile_sums *sums, int sign);

void evtlog_profile_move_begins(unsigned int cpu);
void evtlog_profile_move_ends(unsigned int cpu);
u64 evtlog_profile_moves_begun(unsigned int cpu);
u64 evtlog_profile_moves_ended(unsigned int cpu);

#endif /* EVTLOG_PROFILE_SLOTS_H */
