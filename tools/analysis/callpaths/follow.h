/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task that is followed: the paths that are open, and how its time is spent.
 */
#ifndef EVTLOG_ANALYSIS_CALLPATHS_FOLLOW_H
#define EVTLOG_ANALYSIS_CALLPATHS_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/callpaths/callpaths.h"

#define FOLLOW_DEPTH_MAX	32

/* A path that is open, and how much of its time in the span was waits. */
struct frame {
	uint32_t path;
	int64_t since_ns;
	uint64_t waited_ns;
};

/*
 * @public:	what the caller sees
 * @frames:	the first is the tree's first path
 * @skipped:	events within the last frame for which there is no room
 * @unknown_ns: exclusive time that CALLPATH_UNKNOWN got since it was last entered
 * @round:	of a gap before: what is open is not known any more
 * @off_ns:	since when it has no CPU, as @off_state tells; @is_off
 * @woken_ns:	when it was made runnable; @is_woken
 * @ended:	its pid may be that of another task
 */
struct followed {
	struct callpath_task public;
	struct frame frames[FOLLOW_DEPTH_MAX];
	unsigned int depth, skipped;
	uint64_t unknown_ns;
	uint32_t round;
	int64_t off_ns, woken_ns;
	enum callpath_state off_state;
	bool is_off, is_woken, ended;
};

/* The task enters an event within what it is in.  0 or -ENOMEM, as all here. */
int follow_push(struct followed *task, unsigned int class, unsigned int number, int64_t time_ns);

/* It leaves what is on top.  @counted: that has ended; else it is only not known any more. */
void follow_pop(const struct callpath_span *span, struct followed *task, int64_t time_ns,
		bool counted);
/* The same until @depth are left. */
void follow_pop_to(const struct callpath_span *span, struct followed *task, unsigned int depth,
		   int64_t time_ns, bool counted);

/* What it is in is not known; the kernel's own tasks are never in anything else. */
int follow_unknown(struct followed *task, int64_t time_ns);
bool follow_is_unknown(struct followed *task);

/* Behind a gap, what was open ends where it was last seen. */
int follow_forget(const struct callpath_span *span, struct followed *task, uint32_t round,
		  int64_t time_ns);

/* Time from @from_ns to @to_ns was that of what is on top. */
void follow_charge(const struct callpath_span *span, struct followed *task, int64_t from_ns,
		   int64_t to_ns);
/* The time since it lost its CPU was that of a wait, or of two.  @ended: it has a CPU again. */
int follow_charge_off(const struct callpath_span *span, struct followed *task, int64_t time_ns,
		      bool ended);

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
