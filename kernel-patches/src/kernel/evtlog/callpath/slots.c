// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of slots: assigns a slot to each event.
 *
 * A slot is assigned by compare-and-swap, and kept until profiles are started again.
 */
#include <linux/string.h>

#include "callpath/event.h"
#include "callpath/slots.h"

struct evtlog_profile_sums **evtlog_profile_slots;

/* Event of each slot; 0: free.  Slot 0 is for all events that found no other slot. */
static u32 events[EVTLOG_PROFILE_SLOTS];

/**
 * evtlog_profile_slot() - return the slot of an event, and assign one if it has none
 * @event:	EVTLOG_PROFILE_EVENT()
 *
 * Context: any but NMI.
 * Return: less than EVTLOG_PROFILE_SLOTS; 0: no slot is left.
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
 * evtlog_profile_slots_reset() - take the slots away from all events
 *
 * Context: no profile counts; all must be cleared before they count again: their nodes have slots.
 */
void evtlog_profile_slots_reset(void)
{
	memset(events, 0, sizeof(events));
}

/**
 * evtlog_profile_slot_event() - return the event of a slot
 * @slot:	less than EVTLOG_PROFILE_SLOTS
 *
 * Return: the event; 0: the slot is free.
 */
unsigned int evtlog_profile_slot_event(unsigned int slot)
{
	return slot ? READ_ONCE(events[slot]) : EVTLOG_PROFILE_REST;
}
