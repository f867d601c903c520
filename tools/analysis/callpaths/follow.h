/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task that is followed: its open paths, and how its time is charged.
 */
#ifndef EVTLOG_ANALYSIS_CALLPATHS_FOLLOW_H
#define EVTLOG_ANALYSIS_CALLPATHS_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/callpaths/callpaths.h"

#define FOLLOW_DEPTH_MAX	32

/* An open path. @waited_ns: its waits so far, in the span */
struct frame {
	uint32_t path;
	int64_t since_ns;
	uint64_t waited_ns;
};

/*
 * @public:	the part for callers
 * @frames:	open paths; the first is the tree's first path
 * @skipped:	number of open events within the last frame that have no frame
 * @unknown_ns:	exclusive time that CALLPATH_UNKNOWN got since it was last entered
 * @depth:	number of open paths; 0: they are unknown
 * @forked_ns:	time of its fork, if it has not run since; else FOLLOW_NEVER
 */
struct followed {
	struct callpath_task public;
	struct frame frames[FOLLOW_DEPTH_MAX];
	unsigned int depth, skipped;
	uint64_t unknown_ns;
	int64_t forked_ns;
};

#define FOLLOW_NEVER	INT64_MIN

/* The task enters an event, within its innermost path. Returns 0 or -ENOMEM, as all here. */
int follow_push(struct followed *task, unsigned int class, unsigned int number, int64_t time_ns);

/* The task leaves its innermost path. @counted: this path has ended; else it becomes unknown. */
void follow_pop(const struct callpath_span *span, struct followed *task, int64_t time_ns,
		bool counted);
/* The same, until @depth paths are left */
void follow_pop_to(const struct callpath_span *span, struct followed *task, unsigned int depth,
		   int64_t time_ns, bool counted);

/* Makes the task's context unknown; not for kernel threads, which never leave the kernel. */
int follow_unknown(struct followed *task, int64_t time_ns);
bool follow_is_unknown(struct followed *task);

/* Its open paths become unknown: they end at the last time that is known of the task. */
void follow_lose(const struct callpath_span *span, struct followed *task);
/* If they are unknown, the task is in its first path, and in an unknown path, from now on. */
int follow_resume(struct followed *task, int64_t time_ns);

/* Charges the time from @from_ns to @to_ns to the innermost path. */
void follow_charge(const struct callpath_span *span, struct followed *task, int64_t from_ns,
		   int64_t to_ns);
/* Charges a wait, which is within the innermost path and contains no other paths. */
int follow_wait(const struct callpath_span *span, struct followed *task,
		enum callpath_state state, int64_t from_ns, int64_t to_ns, bool ended);

struct callpath *follow_top(struct followed *task);

/* ns of [@from_ns, @to_ns) that are in the span */
static inline uint64_t follow_within(const struct callpath_span *span, int64_t from_ns,
				     int64_t to_ns)
{
	if (from_ns < span->from_ns)
		from_ns = span->from_ns;
	if (to_ns > span->to_ns)
		to_ns = span->to_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

#endif /* EVTLOG_ANALYSIS_CALLPATHS_FOLLOW_H */
