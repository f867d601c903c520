// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds by how much CPUs' counters are apart, once their order is known to be wrong.
 *
 * Stage: behind cpu-clocks.c, for logs that it found wrong.
 *
 * Which event belongs to which is not known before the offset is.  But no task is on two
 * CPUs at once: each pair of its stays on two CPUs forbids the offsets at which they
 * overlap.  What is left are few gaps; that in which most stays follow each other
 * closely is taken, and the file is read once more with it, which tells whether all
 * orders are right then, and bounds the offsets as in a good log.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpu-clocks.h"
#include "stream.h"

#define SPANS_MAX	(1u << 15)	/* of a CPU */
#define FORBIDDEN_MAX	(1u << 19)
#define GAPS_MAX	512u
#define PAIRS_MAX	64u
#define WINDOW_FIRST_NS	INT64_C(1000000)
#define WINDOW_LAST_NS	INT64_C(20000000000)
#define FAR_NS		(INT64_C(1) << 60)
#define STEPS_MAX	8
/* A task that changes CPUs often runs again within that: the sooner, the more it counts. */
#define CLOSE_NS	100000
#define CLOSE_LEAST_NS	2000

/* A task on a CPU; or, of no length, a record of another that it is not on a CPU then. */
struct span {
	uint32_t pid;
	int64_t from_ns;
	int64_t to_ns;
};

struct spans {
	struct span *at;
	size_t count;
	size_t room;
	bool read;
};

struct interval {
	int64_t from_ns;
	int64_t to_ns;
};

struct guess {
	int64_t low_ns;
	int64_t high_ns;
	uint64_t wrong;
	uint64_t close;
	bool found;
};

static int add_span(struct spans *spans, uint32_t pid, int64_t from_ns, int64_t to_ns)
{
	if (!pid || pid == EVTLOG_PID_UNKNOWN || spans->count == SPANS_MAX)
		return 0;
	if (spans->count == spans->room) {
		size_t room = spans->room ? 2 * spans->room : 256;
		struct span *at = reallocarray(spans->at, room, sizeof(*at));

		if (!at)
			return -ENOMEM;
		spans->at = at;
		spans->room = room;
	}
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

static int read_spans(const struct evtlog_cpu_clocks *clocks, unsigned int slot,
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

/* A pid's spans from @at on: the first behind them. */
static size_t end_of(const struct spans *spans, size_t at)
{
	size_t end = at;

	while (end < spans->count && spans->at[end].pid == spans->at[at].pid)
		end++;
	return end;
}

/* Calls for each task that both have; @a and @b: its spans, up to @a_end and @b_end. */
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
 * Offsets of b within the window at which a task would be on both, if they are more than
 * @least_ns; FORBIDDEN_MAX if there is no room for all.
 */
static size_t forbid_longer(const struct spans *a, const struct spans *b, int64_t window_ns,
			    int64_t least_ns, struct interval *forbidden)
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

/* Where there is no room for all, short stays forbid least. */
static size_t forbid(const struct spans *a, const struct spans *b, int64_t window_ns,
		     struct interval *forbidden)
{
	size_t count = FORBIDDEN_MAX;

	for (int64_t least_ns = 2 * SLACK_NS; count == FORBIDDEN_MAX && least_ns < window_ns;
	     least_ns += least_ns / 2)
		count = forbid_longer(a, b, window_ns, least_ns, forbidden);
	return count;
}

/* How many stays overlap if b is ahead by @ahead_ns, and how many follow closely. */
static void judge(const struct spans *a, const struct spans *b, int64_t ahead_ns,
		  struct guess *guess)
{
	size_t i = 0, i_end = 0, j = 0, j_end = 0;

	guess->wrong = guess->close = 0;
	while (next_task(a, b, &i, &i_end, &j, &j_end))
		while (i < i_end && j < j_end) {
			const struct span *x = &a->at[i], *y = &b->at[j];
			int64_t from_ns = y->from_ns - ahead_ns, to_ns = y->to_ns - ahead_ns;
			int64_t behind = from_ns - x->to_ns, before = x->from_ns - to_ns;

			guess->wrong += behind < -SLACK_NS && before < -SLACK_NS;
			behind = behind > before ? behind : before;
			if (behind < CLOSE_NS)
				guess->close += CLOSE_NS / (behind > CLOSE_LEAST_NS ? behind : CLOSE_LEAST_NS);
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
		    struct guess *best)
{
	struct guess guess = { .low_ns = low_ns, .high_ns = high_ns, .found = true };

	judge(a, b, low_ns + (high_ns - low_ns) / 2, &guess);
	if (better(&guess, best))
		*best = guess;
}

static int compare_widths(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	int64_t of_x = x->to_ns - x->from_ns, of_y = y->to_ns - y->from_ns;

	return (of_x < of_y) - (of_x > of_y);
}

/* The gaps between @count forbidden intervals, in place: the widest first. */
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

/* By how much @b is ahead of @a, if it is less than @window_ns. */
static void guess_pair(const struct spans *a, const struct spans *b, int64_t window_ns,
		       struct interval *forbidden, size_t most, struct guess *best)
{
	size_t gaps = find_gaps(forbidden, forbid(a, b, window_ns, forbidden));

	for (size_t i = 0; i < gaps && i < most; i++)
		try_gap(a, b, forbidden[i].from_ns, forbidden[i].to_ns, best);
}

/* ---- Reading again ---- */

struct lane {
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	int64_t ns;
	unsigned int slot;
};

static bool earlier(const struct lane *a, const struct lane *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->slot < b->slot;
}

static void sift_down(struct lane *heap, unsigned int count, unsigned int at)
{
	struct lane lane = heap[at];
	unsigned int child;

	while ((child = 2 * at + 1) < count) {
		if (child + 1 < count && earlier(&heap[child + 1], &heap[child]))
			child++;
		if (!earlier(&heap[child], &lane))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = lane;
}

static int next_of(const struct evtlog_cpu_clocks *clocks, struct lane *lane)
{
	int result = evtlog_stream_next(lane->stream, &lane->event);

	if (result > 0)
		lane->ns = clocks_time(clocks, lane->event, lane->slot);
	return result;
}

int clocks_read_shifted(struct evtlog_file *file, const int64_t *ahead_ns,
			struct evtlog_cpu_clocks **clocksp)
{
	struct evtlog_cpu_clocks *clocks;
	struct lane *heap = NULL;
	unsigned int lanes = 0;
	int result = evtlog_cpu_clocks_new(file, clocksp);

	if (result)
		return result;
	clocks = *clocksp;
	clocks->ahead_ns = calloc(clocks->slots + 1, sizeof(*ahead_ns));
	heap = calloc(clocks->slots + 1, sizeof(*heap));
	result = clocks->ahead_ns && heap ? 0 : -ENOMEM;
	if (!result)
		memcpy(clocks->ahead_ns, ahead_ns, clocks->slots * sizeof(*ahead_ns));
	for (unsigned int slot = 0; !result && slot < clocks->slots; slot++) {
		struct lane *lane = &heap[lanes];

		lane->slot = slot;
		result = evtlog_stream_new(file, slot, &lane->stream);
		if (result)
			break;
		result = next_of(clocks, lane);
		if (result > 0)
			lanes++;
		else
			evtlog_stream_free(lane->stream);
		result = result < 0 ? result : 0;
	}
	for (unsigned int i = lanes / 2; i--;)
		sift_down(heap, lanes, i);
	while (!result && lanes) {
		result = evtlog_cpu_clocks_event(clocks, heap->event);
		if (!result)
			result = next_of(clocks, heap);
		if (!result) {
			evtlog_stream_free(heap->stream);
			*heap = heap[--lanes];
		}
		result = result < 0 ? result : 0;
		if (lanes)
			sift_down(heap, lanes, 0);
	}
	while (lanes)
		evtlog_stream_free(heap[--lanes].stream);
	free(heap);
	return result;
}

/* ---- All CPUs ---- */

/* Two CPUs whose order is wrong. */
struct edge {
	unsigned int a;
	unsigned int b;
	uint32_t violations;
	struct guess guess;
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->violations < y->violations) - (x->violations > y->violations);
}

static int compare_guesses(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->guess.close < y->guess.close) - (x->guess.close > y->guess.close);
}

static uint32_t violations_of(const struct evtlog_cpu_clocks *clocks, unsigned int a,
			      unsigned int b)
{
	return (clocks->pairs[a] ? clocks->pairs[a][b].violations : 0) +
	       (clocks->pairs[b] ? clocks->pairs[b][a].violations : 0);
}

static uint32_t orders_of(const struct evtlog_cpu_clocks *clocks, unsigned int a, unsigned int b)
{
	return (clocks->pairs[a] ? clocks->pairs[a][b].orders : 0) +
	       (clocks->pairs[b] ? clocks->pairs[b][a].orders : 0);
}

/* The most that @b can be ahead of @a, as logged. */
static int64_t most_of(const struct evtlog_cpu_clocks *clocks, unsigned int a, unsigned int b)
{
	const struct clocks_pair *pair = clocks->pairs[a] ? &clocks->pairs[a][b] : NULL;

	if (!pair || (!pair->orders && !pair->violations))
		return FAR_NS;
	if (pair->violations)
		return pair->least_signed_ns;
	return pair->least_ns < FAR_NS ? pair->least_ns : FAR_NS;
}

/* Pairs that share tasks, those with most violations first; returns how many. */
static unsigned int find_edges(const struct evtlog_cpu_clocks *clocks, struct edge *edges)
{
	unsigned int count = 0;

	for (unsigned int a = 0; a < clocks->slots; a++)
		for (unsigned int b = a + 1; b < clocks->slots; b++) {
			uint32_t violations = violations_of(clocks, a, b);

			if (!violations && !orders_of(clocks, a, b))
				continue;
			if (count == PAIRS_MAX) {
				qsort(edges, count, sizeof(*edges), compare_edges);
				if (edges[count - 1].violations >= violations)
					continue;
				count--;
			}
			edges[count++] = (struct edge) {
				.a = a, .b = b, .violations = violations,
			};
		}
	return count;
}

/* Of all CPUs: bounds to the first by all guesses.  Returns false if they contradict. */
static bool close_bounds(const struct edge *edges, unsigned int count, int64_t *low_ns,
			 int64_t *high_ns, unsigned int slots)
{
	bool more = true;

	for (unsigned int round = 0; more && round <= slots; round++) {
		more = false;
		for (unsigned int i = 0; i < 2 * count; i++) {
			const struct edge *edge = &edges[i / 2];
			bool back = i % 2;
			unsigned int a = back ? edge->b : edge->a, b = back ? edge->a : edge->b;
			int64_t least = back ? -edge->guess.high_ns : edge->guess.low_ns;
			int64_t most = back ? -edge->guess.low_ns : edge->guess.high_ns;

			if (!edge->guess.found || high_ns[a] == INT64_MAX)
				continue;
			if (high_ns[a] + most < high_ns[b]) {
				high_ns[b] = high_ns[a] + most;
				more = true;
			}
			if (low_ns[a] + least > low_ns[b]) {
				low_ns[b] = low_ns[a] + least;
				more = true;
			}
			if (low_ns[b] > high_ns[b])
				return false;
		}
	}
	return !more;
}

/* One CPU after the other is put into the middle of what those before leave it. */
static bool place_all(const struct edge *edges, unsigned int count, int64_t *low_ns,
		      int64_t *high_ns, int64_t *ahead_ns, bool *known, unsigned int slots)
{
	for (unsigned int i = 0; i < slots; i++) {
		low_ns[i] = i ? INT64_MIN / 2 : 0;
		high_ns[i] = i ? INT64_MAX : 0;
	}
	for (unsigned int i = 0; i < slots; i++) {
		if (!close_bounds(edges, count, low_ns, high_ns, slots))
			return false;
		known[i] = high_ns[i] != INT64_MAX;
		ahead_ns[i] = known[i] ? low_ns[i] + (high_ns[i] - low_ns[i]) / 2 : 0;
		if (known[i])
			low_ns[i] = high_ns[i] = ahead_ns[i];
	}
	return true;
}

/* What is being found out. */
struct search {
	struct edge edges[PAIRS_MAX];
	unsigned int edge_count;
	struct spans *spans;
	struct interval *forbidden;
	int64_t *ahead_ns;
	int64_t *low_ns;
	int64_t *high_ns;
	bool *known;
	uint64_t best;
};

/*
 * Bounds about the offsets, if all orders are right with them, and if these are more than
 * with others: where CPUs' parts hardly overlap nothing is wrong.
 */
static void take_bounds(struct evtlog_cpu_clocks *clocks, struct search *search,
			struct evtlog_cpu_clocks *again)
{
	if (again->summary.orders <= search->best)
		return;
	search->best = again->summary.orders;
	clocks->summary.constant = true;
	clocks_close(again);
	for (unsigned int i = 0; i < clocks->slots; i++) {
		bool known = search->known[i];

		clocks->low_ns[i] = again->low_ns[i] == INT64_MIN || !known ?
				    INT64_MIN : search->ahead_ns[i] + again->low_ns[i];
		clocks->high_ns[i] = again->high_ns[i] == INT64_MAX || !known ?
				     INT64_MAX : search->ahead_ns[i] + again->high_ns[i];
	}
}

/* Offsets by what most is known of; what contradicts that is left out. */
static void place(struct search *search, struct edge *edges, unsigned int count,
		  unsigned int slots)
{
	qsort(edges, count, sizeof(*edges), compare_guesses);
	while (count && !place_all(edges, count, search->low_ns, search->high_ns,
				   search->ahead_ns, search->known, slots))
		count--;
}

/* What the orders of @again say, which had the offsets of @search. */
static unsigned int edges_of(const struct evtlog_cpu_clocks *again, const struct search *search,
			     struct edge *edges)
{
	unsigned int count = find_edges(again, edges);

	for (unsigned int i = 0; i < count; i++) {
		struct edge *edge = &edges[i];
		int64_t ahead_ns = search->ahead_ns[edge->b] - search->ahead_ns[edge->a];
		int64_t high_ns = most_of(again, edge->a, edge->b);
		int64_t low_ns = -most_of(again, edge->b, edge->a);

		/* Both ways round at once: between them. */
		if (low_ns > high_ns)
			low_ns = high_ns = low_ns / 2 + high_ns / 2;
		edge->guess = (struct guess) {
			.low_ns = ahead_ns + low_ns,
			.high_ns = ahead_ns + high_ns,
			.close = orders_of(again, edge->a, edge->b),
			.found = true,
		};
	}
	return count;
}

/* From offsets that are nearly right to such that no order is wrong. */
static int refine(struct evtlog_cpu_clocks *clocks, struct search *search)
{
	struct edge *edges = calloc(PAIRS_MAX, sizeof(*edges));
	uint64_t violations = 1;
	int error = edges ? 0 : -ENOMEM;

	for (unsigned int step = 0; !error && violations && step < STEPS_MAX; step++) {
		struct evtlog_cpu_clocks *again;

		error = clocks_read_shifted(clocks->file, search->ahead_ns, &again);
		violations = error ? 1 : again->summary.violations;
		if (!error && !violations)
			take_bounds(clocks, search, again);
		else if (!error)
			place(search, edges, edges_of(again, search, edges), clocks->slots);
		evtlog_cpu_clocks_free(again);
	}
	free(edges);
	return error;
}



/* With offsets of less than @window_ns. */
static int try_window(struct evtlog_cpu_clocks *clocks, struct search *search, int64_t window_ns)
{
	for (unsigned int i = 0; i < search->edge_count; i++) {
		struct edge *edge = &search->edges[i];

		guess_pair(&search->spans[edge->a], &search->spans[edge->b], window_ns,
			   search->forbidden, GAPS_MAX / search->edge_count + 32, &edge->guess);
	}
	place(search, search->edges, search->edge_count, clocks->slots);
	return refine(clocks, search);
}

static int search_all(struct evtlog_cpu_clocks *clocks, struct search *search)
{
	int64_t span_ns = evtlog_end_ns(clocks->file) - evtlog_begin_ns(clocks->file);
	int error = 0;

	for (unsigned int i = 0; !error && i < search->edge_count; i++) {
		struct edge *edge = &search->edges[i];

		error = read_spans(clocks, edge->a, &search->spans[edge->a]);
		if (!error)
			error = read_spans(clocks, edge->b, &search->spans[edge->b]);
	}
	for (int64_t window_ns = WINDOW_FIRST_NS; !error && window_ns < WINDOW_LAST_NS &&
	     window_ns / 4 < span_ns; window_ns *= 4)
		error = try_window(clocks, search, window_ns);
	return error;
}

int clocks_guess(struct evtlog_cpu_clocks *clocks)
{
	struct search *search = calloc(1, sizeof(*search));
	int error = -ENOMEM;

	for (unsigned int i = 0; i < clocks->slots; i++) {
		clocks->low_ns[i] = i ? INT64_MIN : 0;
		clocks->high_ns[i] = i ? INT64_MAX : 0;
	}
	clocks->summary.constant = false;
	if (!search)
		return error;
	search->spans = calloc(clocks->slots + 1, sizeof(*search->spans));
	search->ahead_ns = calloc(clocks->slots + 1, sizeof(*search->ahead_ns));
	search->low_ns = calloc(clocks->slots + 1, sizeof(*search->low_ns));
	search->high_ns = calloc(clocks->slots + 1, sizeof(*search->high_ns));
	search->known = calloc(clocks->slots + 1, sizeof(*search->known));
	search->forbidden = calloc(FORBIDDEN_MAX, sizeof(*search->forbidden));
	if (search->spans && search->ahead_ns && search->low_ns && search->high_ns &&
	    search->known && search->forbidden) {
		search->edge_count = find_edges(clocks, search->edges);
		error = search_all(clocks, search);
	}
	for (unsigned int i = 0; search->spans && i < clocks->slots; i++)
		free(search->spans[i].at);
	free(search->spans);
	free(search->ahead_ns);
	free(search->low_ns);
	free(search->high_ns);
	free(search->known);
	free(search->forbidden);
	free(search);
	return error;
}
