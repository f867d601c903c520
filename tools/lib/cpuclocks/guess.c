// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds the offsets of CPUs' tick counters, if orders are wrong.
 *
 * The offset of each pair of CPUs is guessed separately (pair.c).  With offsets that fit all
 * guesses, the file is read again.  Wrong orders then correct the offsets, until all orders are
 * right, and bound the offsets as in a good log.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

#define GAPS_ALL	8192u	/* gaps to try, of all pairs together */
#define GAPS_LEAST	32u
#define PAIRS_MAX	64u
#define WINDOW_FIRST_NS	INT64_C(1000000)
#define WINDOW_LAST_NS	INT64_C(20000000000)
#define FAR_NS		(INT64_C(1) << 60)
#define STEPS_MAX	8
/* Limits for a wrong log: how often it is read, and how many slices are compared. */
#define READS_MAX	32
#define BUDGET		(UINT64_C(1) << 30)

/* Two CPUs that share tasks. */
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

/* Returns how much @b can be ahead of @a at most, by the recorded times. */
static int64_t most_of(const struct evtlog_cpu_clocks *clocks, unsigned int a, unsigned int b)
{
	const struct clocks_pair *pair = clocks->pairs[a] ? &clocks->pairs[a][b] : NULL;

	if (!pair || (!pair->orders && !pair->violations))
		return FAR_NS;
	if (pair->violations)
		return pair->least_signed_ns;
	return pair->least_ns < FAR_NS ? pair->least_ns : FAR_NS;
}

/* Finds pairs that share tasks; if too many, those with most violations.  Returns how many. */
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

/* Bounds each CPU against the first by all guesses.  Returns false if these contradict. */
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

/* Places each CPU in the middle of its bounds, which the CPUs before it have tightened. */
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

/* State of the search. */
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
	uint64_t budget;
	uint64_t tried;
	unsigned int reads;
};

/*
 * No order is wrong with the offsets of @search: takes the bounds around these offsets, if there
 * are more orders than with earlier ones.  If CPUs' parts hardly overlap, no order is wrong either.
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

/* Computes offsets from the best guesses; removes the worst until there is no contradiction. */
static void place(struct search *search, struct edge *edges, unsigned int count,
		  unsigned int slots)
{
	qsort(edges, count, sizeof(*edges), compare_guesses);
	while (count && !place_all(edges, count, search->low_ns, search->high_ns,
				   search->ahead_ns, search->known, slots))
		count--;
}

/* Finds edges by the orders of @again, which was read with the offsets of @search. */
static unsigned int edges_of(const struct evtlog_cpu_clocks *again, const struct search *search,
			     struct edge *edges)
{
	unsigned int count = find_edges(again, edges);

	for (unsigned int i = 0; i < count; i++) {
		struct edge *edge = &edges[i];
		int64_t ahead_ns = search->ahead_ns[edge->b] - search->ahead_ns[edge->a];
		int64_t high_ns = most_of(again, edge->a, edge->b);
		int64_t low_ns = -most_of(again, edge->b, edge->a);

		/* Wrong in both directions: take the middle. */
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

/* Corrects offsets that are nearly right until no order is wrong. */
static int refine(struct evtlog_cpu_clocks *clocks, struct search *search)
{
	struct edge *edges = calloc(PAIRS_MAX, sizeof(*edges));
	uint64_t violations = 1, before = UINT64_MAX;
	int error = edges ? 0 : -ENOMEM;

	for (unsigned int step = 0; !error && violations && step < STEPS_MAX &&
	     search->reads < READS_MAX; step++, search->reads++) {
		struct evtlog_cpu_clocks *again;

		error = clocks_read_shifted(clocks->file, search->ahead_ns, &again);
		violations = error ? 1 : again->summary.violations;
		/* Hardly fewer violations than before: give up. */
		if (!error && violations > before - before / 4)
			step = STEPS_MAX;
		before = violations;
		if (!error && !violations)
			take_bounds(clocks, search, again);
		else if (!error)
			place(search, edges, edges_of(again, search, edges), clocks->slots);
		evtlog_cpu_clocks_free(again);
	}
	free(edges);
	return error;
}

/* Tries offsets of less than @window_ns. */
static int try_window(struct evtlog_cpu_clocks *clocks, struct search *search, int64_t window_ns)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < search->edge_count; i++) {
		struct edge *edge = &search->edges[i];

		clocks_guess_pair(&search->spans[edge->a], &search->spans[edge->b], window_ns,
			   search->forbidden, GAPS_ALL / search->edge_count + GAPS_LEAST,
			   &search->budget, &edge->guess);
	}
	place(search, search->edges, search->edge_count, clocks->slots);
	for (unsigned int i = 0; i < clocks->slots; i++)
		sum = sum * UINT64_C(0x9e3779b97f4a7c15) + search->ahead_ns[i];
	/* The same offsets again, or none */
	if (!sum || sum == search->tried)
		return 0;
	search->tried = sum;
	return refine(clocks, search);
}

static int search_all(struct evtlog_cpu_clocks *clocks, struct search *search)
{
	int64_t span_ns = evtlog_end_ns(clocks->file) - evtlog_begin_ns(clocks->file);
	int error = 0;

	for (unsigned int i = 0; !error && i < search->edge_count; i++) {
		struct edge *edge = &search->edges[i];

		error = clocks_read_spans(clocks, edge->a, &search->spans[edge->a]);
		if (!error)
			error = clocks_read_spans(clocks, edge->b, &search->spans[edge->b]);
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
		search->budget = BUDGET;
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
