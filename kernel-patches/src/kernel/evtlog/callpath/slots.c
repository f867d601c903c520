// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of slots: which event has which.
 *
 * A slot is given by compare-and-swap, until profiles are started again.
 */
#include <linux/string.h>

#include "callpath/event.h"
#include "callpath/slots.h"

struct evtlog_profile_sums **evtlog_profile_slots;

/* By slot: its event; 0: free.  Slot 0 is of all that found no other. */
static u32 events[EVTLOG_PROFILE_SLOTS];

/**
 * evtlog_profile_slot() - the slot of an event; it gets one if it has none
 * @event:	EVTLOG_PROFILE_EVENT()
 *
 * Context: any but NMI.
 * Return: below EVTLOG_PROFILE_SLOTS; 0: there is none left.
 */
unsigned int evtlog_profile_slot(unsigned int event)
{
	unsigned int first = event * 0x9e3779b1U >> (32 - EVTLOG_PROFILE_SLOT_BITS);
	unsigned int i, slot;
	u32 found;

	for (i = 0; i < EVTLOG_PROFILE_SLOTS; i++) {
		slot = (first + i) % EVTLOG_PROFILE_SLOTS;
		if (!slot)
			continue;
		found = READ_ONCE(events[slot]);
		if (!found)
			found = cmpxchg(&events[slot], 0, event);
		if (!found || found == event)
			return slot;
	}
	return 0;
}

/**
 * evtlog_profile_slots_reset() - no event has a slot
 *
 * Context: no profile counts; all are made empty before one does, for they know slots.
 */
void evtlog_profile_slots_reset(void)
{
	memset(events, 0, sizeof(events));
}

/**
 * evtlog_profile_slot_event() - which event has a slot
 * @slot:	below EVTLOG_PROFILE_SLOTS
 *
 * Return: the event; 0: the slot is free.
 */
unsigned int evtlog_profile_slot_event(unsigned int slot)
{
	return slot ? READ_ONCE(events[slot]) : EVTLOG_PROFILE_REST;
}
