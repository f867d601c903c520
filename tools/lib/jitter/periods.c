// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds sources with a period.
 *
 * It finds one period for each source; two daemons with the same name are not separated.
 *
 * If each CPU has its own period, as for its timer, periods are searched per thread, and the source
 * gets the most frequent one.  Otherwise it gets one period for all CPUs, as for a task that moves.
 *
 * Candidates are distances between activations that are close to each other.  For each candidate,
 * the activations are followed from one slot to the next.  A task that sleeps for a fixed time
 * drifts, so the next slot counts from the last hit.  A candidate is accepted if a random process
 * with as many activations, such as Poisson arrivals, is unlikely to hit as many slots.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

/* Minimum number of activations. */
#define ACTIVATIONS_MIN	8
/* Number of activations at the begin and in the middle that are searched for candidates. */
#define CHUNK		96
#define NEIGHBOURS	4
#define CANDIDATES	24
/* Distances that differ by less are one candidate. */
#define ALIKE		0.02
/* Maximum number of successive slots without a hit. */
#define SLOTS_MAX	8
#define SHARE_MIN	0.4
#define COVERAGE_MIN	0.6
/* Maximum probability of a random match, over all candidates that are tried. */
#define CHANCE_MAX	1e-4

static const double tolerances[] = { 0.01, 0.03, 0.1 };

#define TOLERANCES	(sizeof(tolerances) / sizeof(tolerances[0]))

/* Activations of a source, in ascending order. */
struct begins {
	const uint64_t *at;
	size_t count;
};

/*
 * @hits:	number of slots with an activation
 * @slots:	number of slots after the first hit, up to the last one
 * @grid, @phase: straight line through the hits: slot n is at grid * n + phase after the first
 *		activation
 * @spread:	standard deviation of the hits from the line
 * @chance:	logarithm of the probability of such a fit by chance
 */
struct fit {
	double period;
	double tolerance;
	size_t hits;
	double slots;
	double grid;
	double phase;
	double spread;
	double chance;
};

/* Sums for a straight line, relative to the first hit. */
struct line {
	double n, x, y, xx, xy, yy;
};

static void add_point(struct line *line, double x, double y)
{
	line->n++;
	line->x += x;
	line->y += y;
	line->xx += x * x;
	line->xy += x * y;
	line->yy += y * y;
}

/*
 * @y of a point is its time minus its slots times the period, so sums over long runs stay precise.
 */
static void fit_line(const struct line *line, struct fit *fit)
{
	double spread_x = line->xx - line->x * line->x / line->n;
	double slope = 0, left;

	if (spread_x > 0)
		slope = (line->xy - line->x * line->y / line->n) / spread_x;
	fit->phase = (line->y - slope * line->x) / line->n;
	fit->grid = fit->period + slope;
	left = line->yy - line->y * line->y / line->n - slope * slope * spread_x;
	fit->spread = left > 0 ? sqrt(left / line->n) : 0;
}

/*
 * Upper bound (Chernoff) of the logarithm of the probability of so many hits, if a slot is hit by
 * chance with probability @q.
 */
static double chance_of(double hits, double slots, double q)
{
	double share = hits / slots;

	if (share <= q || q <= 0)
		return 0;
	if (share >= 1)
		return slots * log(q);
	return -slots * (share * log(share / q) + (1 - share) * log((1 - share) / (1 - q)));
}

/* Follows the slots from activation @start. */
static void follow(const struct begins *begins, size_t start, struct fit *fit)
{
	uint64_t first = begins->at[start], last = first;
	double allowed = fit->tolerance * fit->period;
	double span = begins->at[begins->count - 1] - first;
	double slot = 0, tried = 0;
	struct line line = { 0 };
	double density;

	add_point(&line, 0, 0);
	fit->hits = 0;
	for (size_t i = start + 1; i < begins->count; i++) {
		double distance = begins->at[i] - last;
		double slots = nearbyint(distance / fit->period);

		if (slots > SLOTS_MAX) {
			/*
			 * Too many empty slots: continue from this activation.  Missed slots count;
			 * otherwise pairs of activations would have a period.
			 */
			slot += slots;
			tried += SLOTS_MAX;
			last = begins->at[i];
			continue;
		}
		if (slots < 1 || fabs(distance - slots * fit->period) > allowed)
			continue;
		slot += slots;
		tried += slots;
		last = begins->at[i];
		fit->hits++;
		add_point(&line, slot, (double)(last - first) - slot * fit->period);
	}
	fit->slots = tried > 0 ? tried : 1;
	fit_line(&line, fit);
	fit->phase += (double)(first - begins->at[0]);
	density = span > 0 ? (begins->count - start - 1) / span : 0;
	fit->chance = chance_of(fit->hits, fit->slots, 1 - exp(-2 * allowed * density));
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

struct candidate {
	double period;
	size_t count;
};

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return x->count > y->count ? -1 : x->count < y->count;
}

/* The most frequent distances between close activations. */
static size_t find_candidates(const struct begins *begins, struct candidate *candidates)
{
	double distances[2 * CHUNK * NEIGHBOURS];
	struct candidate all[2 * CHUNK * NEIGHBOURS];
	size_t from[2] = { 0, begins->count / 2 };
	size_t count = 0, kinds = 0, begin = 0;

	for (size_t part = 0; part < (begins->count > 2 * CHUNK ? 2 : 1); part++) {
		size_t end = from[part] + (begins->count > 2 * CHUNK ? CHUNK : 2 * CHUNK);

		if (end > begins->count)
			end = begins->count;
		for (size_t i = from[part]; i < end; i++)
			for (size_t k = i + 1; k < end && k <= i + NEIGHBOURS; k++)
				if (count < sizeof(distances) / sizeof(distances[0]) &&
				    begins->at[k] > begins->at[i])
					distances[count++] = begins->at[k] - begins->at[i];
	}
	qsort(distances, count, sizeof(*distances), compare_doubles);
	for (size_t i = 0; i < count; i++) {
		if (i + 1 < count && distances[i + 1] < distances[begin] * (1 + ALIKE))
			continue;
		all[kinds++] = (struct candidate) {
			distances[begin + (i - begin) / 2], i + 1 - begin
		};
		begin = i + 1;
	}
	qsort(all, kinds, sizeof(*all), compare_candidates);
	if (kinds > CANDIDATES)
		kinds = CANDIDATES;
	memcpy(candidates, all, kinds * sizeof(*all));
	return kinds;
}

static bool is_good(const struct begins *begins, const struct fit *fit)
{
	return fit->hits + 1 >= SHARE_MIN * begins->count &&
	       fit->hits >= COVERAGE_MIN * fit->slots && fit->hits + 1 >= ACTIVATIONS_MIN - 1 &&
	       fit->chance < log(CHANCE_MAX / (CANDIDATES * TOLERANCES));
}

/* The first few activations may not belong to the period. */
static void follow_best(const struct begins *begins, struct fit *fit)
{
	struct fit best = *fit;

	best.chance = 1;
	for (size_t start = 0; start < NEIGHBOURS && start + 1 < begins->count; start++) {
		follow(begins, start, fit);
		if (fit->chance < best.chance)
			best = *fit;
	}
	*fit = best;
}

/* First over a few activations, then over all: a better period needs no wider slots. */
static void refine(const struct begins *begins, struct fit *fit)
{
	struct begins some = { begins->at, begins->count < CHUNK ? begins->count : CHUNK };

	for (;;) {
		for (int round = 0; round < 2; round++) {
			follow_best(&some, fit);
			if (fit->hits + 1 < COVERAGE_MIN * SHARE_MIN * some.count ||
			    fit->grid <= 0)
				return;
			fit->period = fit->grid;
		}
		if (some.count == begins->count)
			return;
		some.count = some.count > begins->count / 4 ? begins->count : 4 * some.count;
	}
}

static bool find_period(const struct begins *begins, struct fit *best)
{
	struct candidate candidates[CANDIDATES];
	size_t count;
	bool found = false;

	if (begins->count < ACTIVATIONS_MIN)
		return false;
	count = find_candidates(begins, candidates);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < TOLERANCES; k++) {
			struct fit fit = {
				.period = candidates[i].period,
				.tolerance = tolerances[k],
			};

			refine(begins, &fit);
			if (!is_good(begins, &fit))
				continue;
			if (!found || fit.chance < best->chance)
				*best = fit;
			found = true;
		}
	return found;
}

/* Period of a source: @hits of its activations follow @fit or a similar one. */
struct finding {
	struct fit fit;
	uint64_t first;
	size_t hits;
};

static void set_period(struct evtlog_jitter_source *source, const struct finding *finding,
		       size_t count, uint64_t window)
{
	const struct fit *fit = &finding->fit;
	double phase = fit->phase + ((double)finding->first - (double)window);

	phase = fmod(phase, fit->grid);
	source->period_ticks = fit->grid;
	source->phase_ticks = phase < 0 ? phase + fit->grid : phase;
	source->period_share = (double)finding->hits / count;
	source->period_spread = fit->spread;
}

static int compare_values(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static bool wanted(const struct evtlog_jitter *jitter, uint32_t number)
{
	enum evtlog_jitter_kind kind = jitter->sources.at[number].kind;

	return kind != EVTLOG_SOURCE_ENTRY && kind != EVTLOG_SOURCE_CROSSING;
}

typedef void begin_visitor(void *arg, uint32_t source, uint32_t thread, uint64_t ticks);

/* Visits all begins of sources that can have a period; those of a source are sorted by thread. */
static void visit_begins(const struct evtlog_jitter *jitter, begin_visitor *visit, void *arg)
{
	for (size_t i = 0; i < jitter->interruption_count; i++) {
		const struct evtlog_interruption *interruption = &jitter->interruptions[i];
		const struct evtlog_jitter_part *part =
			jitter->parts + interruption->first_part;

		for (uint32_t k = 0; k < interruption->parts; k++, part++)
			if (part->activation && wanted(jitter, part->source) &&
			    !(interruption->flags & EVTLOG_JITTER_EXCLUDED))
				visit(arg, part->source, interruption->thread,
				      part->begin_ticks);
	}
	for (size_t i = 0; i < jitter->sample_count; i++)
		if (jitter->samples[i].inferred_source != EVTLOG_JITTER_NONE)
			visit(arg, jitter->samples[i].inferred_source,
			      jitter->samples[i].thread, jitter->samples[i].begin_ticks);
}

static void count_begin(void *arg, uint32_t source, uint32_t thread, uint64_t ticks)
{
	size_t *ends = arg;

	ends[source + 1]++;
}

struct sorting {
	size_t *ends;
	uint64_t *at;
	uint32_t *threads;
};

static void put_begin(void *arg, uint32_t source, uint32_t thread, uint64_t ticks)
{
	struct sorting *sorting = arg;
	size_t context = sorting->ends[source]++;

	sorting->at[context] = ticks;
	sorting->threads[context] = thread;
}

/* Searches per thread; the similar periods with most hits count. */
static void find_by_thread(uint64_t *at, const uint32_t *threads, size_t count,
			   struct finding *best)
{
	struct finding all = { .hits = 0 };

	for (size_t begin = 0, end; begin < count; begin = end) {
		struct begins begins = { at + begin, 0 };
		struct fit fit;

		for (end = begin; end < count && threads[end] == threads[begin]; end++)
			begins.count++;
		qsort(at + begin, begins.count, sizeof(*at), compare_values);
		if (begins.count == count || !find_period(&begins, &fit))
			continue;
		if (!all.hits || fabs(fit.grid - all.fit.grid) > ALIKE * all.fit.grid) {
			if (fit.hits + 1 <= all.hits)
				continue;
			all = (struct finding) { fit, begins.at[0], 0 };
		}
		all.hits += fit.hits + 1;
	}
	if (all.hits > best->hits)
		*best = all;
}

static void find_of_source(struct evtlog_jitter_source *source, uint64_t *at,
			   const uint32_t *threads, size_t count, uint64_t window)
{
	struct begins begins = { at, count };
	struct finding best = { .hits = 0 };

	find_by_thread(at, threads, count, &best);
	qsort(at, count, sizeof(*at), compare_values);
	if (count) {
		struct fit fit;

		if (find_period(&begins, &fit) && fit.hits + 1 > best.hits)
			best = (struct finding) { fit, at[0], fit.hits + 1 };
	}
	if (best.hits)
		set_period(source, &best, count, window);
}

int jitter_find_periods(struct evtlog_jitter *jitter)
{
	size_t count = jitter->sources.count;
	struct sorting sorting = { .ends = calloc(count + 2, sizeof(*sorting.ends)) };
	uint64_t window = UINT64_MAX;
	size_t begin = 0;
	int error = -ENOMEM;

	if (!sorting.ends)
		return -ENOMEM;
	visit_begins(jitter, count_begin, sorting.ends);
	for (size_t i = 0; i < count; i++)
		sorting.ends[i + 1] += sorting.ends[i];
	sorting.at = reallocarray(NULL, sorting.ends[count] + 1, sizeof(*sorting.at));
	sorting.threads = reallocarray(NULL, sorting.ends[count] + 1,
				       sizeof(*sorting.threads));
	if (!sorting.at || !sorting.threads)
		goto out;
	/* Moves ends[source] from the begin of the source's range to its end. */
	visit_begins(jitter, put_begin, &sorting);
	for (size_t i = 0; i < jitter->track_count; i++)
		if (jitter->threads[i].begin_ticks < window)
			window = jitter->threads[i].begin_ticks;
	for (size_t i = 0; i < count; i++) {
		find_of_source(&jitter->sources.at[i], sorting.at + begin,
			       sorting.threads + begin, sorting.ends[i] - begin, window);
		begin = sorting.ends[i];
	}
	error = 0;
out:
	free(sorting.threads);
	free(sorting.at);
	free(sorting.ends);
	return error;
}
