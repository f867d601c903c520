/* SPDX-License-Identifier: GPL-2.0-only */
/* A call path of a task, and its sums */
#ifndef EVTLOG_CALLPATH_NODE_H
#define EVTLOG_CALLPATH_NODE_H

#include <linux/types.h>

/**
 * struct evtlog_profile_sums - the sums of an event
 * @count:	number of times that it ended
 * @inclusive:	ticks from its begin to its end, including events within it
 * @exclusive:	the same without events within it
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
 * @index:	of this node
 * @ends_quickly: its parent is the root, and the task has no page (self.c)
 * @slot:	of the event in the profiles of CPUs (slots.h); not used for waits
 * @parent:	the enclosing path; NULL: this is the root
 * @child:	the child that was entered last, or any other node; in the node of the last block
 *		(@waits), the wait for a CPU in the same @parent
 * @start:	time since when the task is in the path, ticks
 * @largest_before: largest of @sums on previous CPUs
 * @sums:	of the path
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
