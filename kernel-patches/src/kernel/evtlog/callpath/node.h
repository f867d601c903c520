/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A call path of a task, and what it adds up to.
 */
#ifndef EVTLOG_CALLPATH_NODE_H
#define EVTLOG_CALLPATH_NODE_H

#include <linux/types.h>

/**
 * struct evtlog_profile_sums - what an event adds up to
 * @count:	how often it ended
 * @inclusive:	ticks from its begin to its end, all within it included
 * @exclusive:	ticks in it and in nothing within
 * @largest:	the longest of @inclusive
 */
struct evtlog_profile_sums {
	u64 count;
	u64 inclusive;
	u64 exclusive;
	u64 largest;
};

/**
 * struct evtlog_profile_node - a call path
 * @key:	the parent's index << 16 | the event
 * @index:	its own
 * @ends_quickly: its parent is the root, and the task has no page (self.c)
 * @slot:	the event's in the profiles of CPUs (slots.h); that of a wait is not used
 * @parent:	what it is within; NULL: it is the root
 * @child:	the child that was entered last, or any other node; of the last block (@waits), the
 *		wait for a CPU in the same @parent
 * @start:	in ticks: since when the task is in it
 * @largest_before: of @sums, on CPUs before this one
 * @sums:	what it adds up to
 */
struct evtlog_profile_node {
	u32 key;
	u8 index;
	u8 ends_quickly;
	u16 slot;
	struct evtlog_profile_node *parent;
	struct evtlog_profile_node *child;
	u64 start;
	u64 largest_before;
	struct evtlog_profile_sums sums;
};

#endif /* EVTLOG_CALLPATH_NODE_H */
