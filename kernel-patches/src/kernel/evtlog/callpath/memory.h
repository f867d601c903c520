/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that profiles get while tasks run (tasks.c), and counts of what profiles lack */
#ifndef EVTLOG_CALLPATH_MEMORY_H
#define EVTLOG_CALLPATH_MEMORY_H

#include <linux/atomic.h>
#include <linux/types.h>

/*
 * struct evtlog_profile_counts - counts of all profiles, shown in the file "control"
 * @memory:	bytes that tasks' profiles point to
 * @exits_not_recorded: profiles of ended tasks that were not recorded: no room, or no run
 * @tasks_without: tasks created without a profile for lack of memory; this and the next two are
 *		since the start of profiles
 * @ended_not_kept: ended threads that are partly missing in their process's sum for lack of memory
 * @values_not_kept: values that are missing in their task's profile for lack of memory
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
