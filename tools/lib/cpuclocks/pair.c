// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Guesses by how much one CPU's tick counter is ahead of another's.
 *
 * As long as the offset is unknown, it is unknown which events correspond.  But no task is on two
 * CPUs at once: each two of its slices on both CPUs forbid the offsets at which they would
 * overlap.  Few gaps remain.  The result is the gap in which most slices follow each other closely.
 */
#include <errno.h>
#include <stdlib.h>

#include "compare.h"
#include "lib/base/array.h"

#define SPANS_MAX	(1u << 13)	/* of a CPU */
#define GAPS_MAX	8192u
/* A task that changes CPUs often runs again within this time; the sooner, the more it counts. */
#define CLOSE_NS	100000
#define CLOSE_LEAST_NS	2000

static int add_span(struct spans *spans, uint32_t pid, int64_t from_ns, int64_t to_ns)
{
	if (!pid || pid == EVTLOG_PID_UNKNOWN || spans->count == SPANS_MAX)
		return 0;
	if (array_reserve(&spans->at, &spans->capacity, spans->count, sizeof(*spans->at)))
		return -ENOMEM;
	spans->at[spans->count++] = (struct span) { pid, from_ns, to_ns };
	return 0;
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

int clocks_read_spans(const struct evtlog_cpu_clocks *clocks, unsigned int slot,
		      struct spans *spans)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	int64_t in_ns = 0, ns;
	bool known = false;
	int result;

	if (spans->read)
		return 0;
	spans->read = true;
	result = evtlog_stream_new(clocks->file, slot, &stream);
	if (result)
		return result;
	while (spans->count < SPANS_MAX && (result = evtlog_stream_next(stream, &event)) > 0) {
		if (event->kind != EVTLOG_EVENT_RECORD) {
			known &= event->kind == EVTLOG_EVENT_BUFFER;
			continue;
		}
		ns = clocks_time(clocks, event, slot);
		result = 0;
		switch (event->known) {
		case EVTLOG_SCHED_SWITCH:
			if (known)
				result = add_span(spans, event->pid, in_ns, ns);
			known = true;
			in_ns = ns;
			break;
		case EVTLOG_SCHED_MIGRATE_TASK:
		case EVTLOG_SCHED_PROCESS_FORK:
		case EVTLOG_SCHED_WAKEUP_NEW:
			result = add_span(spans, evtlog_record_pid(event->words), ns, ns);
			break;
		}
		if (result)
			break;
	}
	evtlog_stream_free(stream);
	qsort(spans->at, spans->count, sizeof(*spans->at), compare_spans);
	return result < 0 ? result : 0;
}

static int compare_intervals(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Returns the end of the spans that have the pid of the span at @at. */
static size_t end_of(const struct spans *spans, size_t at)
{
	size_t end = at;

	while (end < spans->count && spans->at[end].pid == spans->at[at].pid)
		end++;
	return end;
}

/* Finds the next task that both have; its spans are from @a to @a_end and from @b to @b_end. */
static bool next_task(const struct spans *of_a, const struct spans *of_b, size_t *a,
		      size_t *a_end, size_t *b, size_t *b_end)
{
	*a = *a_end;
	*b = *b_end;
	while (*a < of_a->count && *b < of_b->count) {
		if (of_a->at[*a].pid == of_b->at[*b].pid) {
			*a_end = end_of(of_a, *a);
			*b_end = end_of(of_b, *b);
			return true;
		}
		if (of_a->at[*a].pid < of_b->at[*b].pid)
			*a = end_of(of_a, *a);
		else
			*b = end_of(of_b, *b);
	}
	return false;
}

/*
 * Finds the intervals of offsets of b, longer than @least_ns, at which a task would be on both
 * CPUs.  Returns how many; FORBIDDEN_MAX if there is no room for all.
 */
static size_t forbid_longer(const struct spans *a, const struct spans *b, int64_t window_ns,
			    int64_t least_ns, struct interval *forbidden, uint64_t *budget)
{
	size_t i = 0, i_end = 0, j = 0, j_end = 0, count = 0;

	while (next_task(a, b, &i, &i_end, &j, &j_end)) {
		size_t first = j;

		for (; i < i_end; i++) {
			const struct span *x = &a->at[i];

			while (first < j_end && b->at[first].to_ns - x->from_ns < -window_ns)
				first++;
			for (size_t k = first; k < j_end &&
			     b->at[k].from_ns - x->to_ns < window_ns; k++) {
				const struct span *y = &b->at[k];

				if (!*budget || !--*budget)
					return 0;
				if (y->to_ns - x->from_ns - (y->from_ns - x->to_ns) <= least_ns)
					continue;
				if (count == FORBIDDEN_MAX)
					return count;
				forbidden[count++] = (struct interval) {
					y->from_ns - x->to_ns + SLACK_NS,
					y->to_ns - x->from_ns - SLACK_NS,
				};
			}
		}
	}
	return count;
}

/* If there is no room for all intervals, leaves out short ones. */
static size_t forbid(const struct spans *a, const struct spans *b, int64_t window_ns,
		     struct interval *forbidden, uint64_t *budget)
{
	size_t count = FORBIDDEN_MAX;

	for (int64_t least_ns = 2 * SLACK_NS; count == FORBIDDEN_MAX && least_ns < window_ns;
	     least_ns += least_ns / 2)
		count = forbid_longer(a, b, window_ns, least_ns, forbidden, budget);
	return count;
}

/*
 * Counts the slices that overlap if b is ahead by @ahead_ns, and rates how closely they follow
 * each other.  Stops at more than @wrong_most.
 */
static void judge(const struct spans *a, const struct spans *b, int64_t ahead_ns,
		  uint64_t wrong_most, uint64_t *budget, struct guess *guess)
{
	size_t i = 0, i_end = 0, j = 0, j_end = 0;

	guess->wrong = guess->close = 0;
	while (next_task(a, b, &i, &i_end, &j, &j_end))
		while (i < i_end && j < j_end && guess->wrong <= wrong_most && *budget) {
			const struct span *x = &a->at[i], *y = &b->at[j];
			int64_t from_ns = y->from_ns - ahead_ns, to_ns = y->to_ns - ahead_ns;
			int64_t behind = from_ns - x->to_ns, before = x->from_ns - to_ns;

			--*budget;
			guess->wrong += behind < -SLACK_NS && before < -SLACK_NS;
			behind = behind > before ? behind : before;
			if (behind < CLOSE_NS)
				guess->close +=
					CLOSE_NS / (behind > CLOSE_LEAST_NS
							    ? behind
							    : CLOSE_LEAST_NS);
			if (x->to_ns < to_ns)
				i++;
			else
				j++;
		}
}

static bool better(const struct guess *a, const struct guess *b)
{
	if (!b->found || a->wrong != b->wrong)
		return !b->found || a->wrong < b->wrong;
	return a->close > b->close;
}

static void try_gap(const struct spans *a, const struct spans *b, int64_t low_ns, int64_t high_ns,
		    uint64_t *budget, struct guess *best)
{
	struct guess guess = { .low_ns = low_ns, .high_ns = high_ns, .found = true };

	judge(a, b, low_ns + (high_ns - low_ns) / 2, best->found ? best->wrong : UINT64_MAX,
	      budget, &guess);
	if (*budget && better(&guess, best))
		*best = guess;
}

static int compare_widths(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	int64_t of_x = x->to_ns - x->from_ns, of_y = y->to_ns - y->from_ns;

	return (of_x < of_y) - (of_x > of_y);
}

/* Replaces @count forbidden intervals by the gaps between them, widest first.  Returns how many. */
static size_t find_gaps(struct interval *forbidden, size_t count)
{
	int64_t until_ns;
	size_t gaps = 0;

	if (!count)
		return 0;
	qsort(forbidden, count, sizeof(*forbidden), compare_intervals);
	until_ns = forbidden[0].to_ns;
	for (size_t i = 1; i < count; i++) {
		struct interval next = forbidden[i];

		if (next.from_ns > until_ns)
			forbidden[gaps++] = (struct interval) { until_ns, next.from_ns };
		if (next.to_ns > until_ns)
			until_ns = next.to_ns;
	}
	qsort(forbidden, gaps, sizeof(*forbidden), compare_widths);
	return gaps < GAPS_MAX ? gaps : GAPS_MAX;
}

void clocks_guess_pair(const struct spans *a, const struct spans *b, int64_t window_ns,
		       struct interval *forbidden, size_t most, uint64_t *budget,
		       struct guess *best)
{
	size_t gaps = find_gaps(forbidden, forbid(a, b, window_ns, forbidden, budget));

	for (size_t i = 0; i < gaps && i < most; i++)
		try_gap(a, b, forbidden[i].from_ns, forbidden[i].to_ns, budget, best);
}
