/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that profiles get while tasks run (tasks.c), and what is missing in them.
 */
#ifndef EVTLOG_CALLPATH_MEMORY_H
#define EVTLOG_CALLPATH_MEMORY_H

#include <linux/atomic.h>
#include <linux/types.h>

/*
 * struct evtlog_profile_counts - of all profiles, as the file control shows them
 * @memory:	bytes that tasks' profiles point to
 * @exits_not_recorded: profiles of ended tasks that found no room, or no run
 * @tasks_without: tasks that have been made without a profile; this and what follows: since
 *		profiles were started, for want of memory
 * @ended_not_kept: ended threads of which something is missing in their process's sum
 * @values_not_kept: values that are missing in their task's
 */
struct evtlog_profile_counts {
	atomic_long_t memory;
	atomic64_t exits_not_recorded;
	atomic_t tasks_without;
	atomic64_t ended_not_kept;
	atomic64_t values_not_kept;
};

extern struct evtlog_profile_counts evtlog_profile_counts;

void *evtlog_profile_alloc(size_t bytes);

#endif /* EVTLOG_CALLPATH_MEMORY_H */
