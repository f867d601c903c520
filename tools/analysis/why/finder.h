/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of a search for waits, for find.c, waits.c and worst.c.
 */
#ifndef EVTLOG_ANALYSIS_WHY_FINDER_H
#define EVTLOG_ANALYSIS_WHY_FINDER_H

#include "why.h"

/*
 * @resting:	number of threads with a begin of a wait in @rest
 * @ready:	text "R", the state after a wake-up
 * @utid:	with the time of the task: this thread; UTID_UNKNOWN: scan for the worst waits
 * @run_end:	end of the run after the wait
 * @ran:	with a time: the thread ran then, from @ran_from to @ran_to on @ran_cpu
 */
struct finder {
	const struct why_search *search;
	struct why_found *found;
	struct dictionary *dictionary;
	size_t log;
	size_t resting;
	int64_t ready;
	int64_t utid;
	int64_t run_end;
	bool ran;
	int64_t ran_from;
	int64_t ran_to;
	int64_t ran_cpu;
};

/* ---- waits.c ---- */

/* Makes waits of rows of sched_slice, thread_wait_rest, thread_name and thread. */
int why_take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls);

/* ---- worst.c ---- */

/* Length of a wait, or its time ready to run */
int64_t worst_key(enum why_sort sort, const struct why_wait *wait);

/* Returns true if @a is less bad than @b; among equal waits the later one is. */
bool worst_is_less(enum why_sort sort, const struct why_wait *a, const struct why_wait *b);

/* Keeps the worst waits, as many as are wanted.  Returns 0 or -ENOMEM. */
int worst_add(struct worst *worst, const struct why_search *search, const struct why_wait *wait);

/* Moves all waits of @from to @to.  Returns 0 or -ENOMEM. */
int worst_join(struct worst *to, const struct why_search *search, struct worst *from);

/* Sorts the waits, the worst first; none can be added then. */
void worst_sort(struct worst *worst, enum why_sort sort);

#endif /* EVTLOG_ANALYSIS_WHY_FINDER_H */
