// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums for `evtlog jitter report`: rows of each CPU, families, the largest interruptions.
 *
 * Stage: between the join of log and samples and the output. The library computes the rows of all
 * CPUs together.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/histogram.h"
#include "lib/base/array.h"
#include "summary.h"

const double summary_percents[SUMMARY_PERCENTILES] = {
	50, 90, 99, 99.9, 99.99, 99.999, 100,
};

/* Sorts @values and finds their percentiles. */
static void distribute(uint64_t *values, size_t count, struct summary_distribution *to)
{
	if (count)
		qsort(values, count, sizeof(*values), array_by_u64);
	to->count = count;
	for (unsigned int i = 0; i < SUMMARY_PERCENTILES; i++)
		to->percentiles[i] = sample_size_is_enough(count, summary_percents[i]) ?
				     evtlog_jitter_percentile(values, count, summary_percents[i]) :
				     UINT64_MAX;
}

double summary_share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / whole : NAN;
}

/* Noise is a share of the time without gaps; noise below the threshold, of the whole window. */
double summary_lost_share(const struct summary *summary, const struct summary_scope *scope)
{
	if (!summary->dataset->samples)
		return summary_share(scope->away_ticks, scope->known_ticks);
	return summary_share(scope->noise_ticks, scope->known_ticks) +
	       (scope->is_cut ? 0 : summary_share(scope->below_ticks, scope->window_ticks));
}

double summary_row_mean_ns(const struct summary *summary, const struct summary_row *row)
{
	return evtlog_jitter_ns(summary->jitter, summary_share(row->total_ticks, row->count));
}

double summary_row_deviation_ns(const struct summary *summary, const struct summary_row *row)
{
	return evtlog_jitter_ns(summary->jitter,
				row->count ? sqrt(row->sum_squares / row->count) : NAN);
}

bool summary_has_cpu(const struct evtlog_jitter_thread *thread)
{
	return thread->cpu != UINT32_MAX;
}

uint64_t summary_time_ns(const struct summary *summary, size_t thread, uint64_t ticks)
{
	uint64_t time_ns = evtlog_jitter_time_ns(summary->jitter, thread, ticks);
	uint64_t begin_ns = evtlog_begin_ns(summary->dataset->file);

	return time_ns > begin_ns ? time_ns - begin_ns : 0;
}

const char *summary_family_word(enum evtlog_jitter_family family)
{
	static const char *const words[EVTLOG_FAMILIES] = {
		[EVTLOG_FAMILY_USER] = "user",
		[EVTLOG_FAMILY_KERNEL] = "kernel",
		[EVTLOG_FAMILY_INTERRUPT] = "interrupt",
		[EVTLOG_FAMILY_SMT] = "smt",
		[EVTLOG_FAMILY_HARDWARE] = "hardware",
	};

	return words[family];
}

const char *summary_meta(const struct summary *summary, const char *key)
{
	const char *value = NULL;

	if (summary->dataset->samples)
		value = evtlog_samples_meta(summary->dataset->samples, key);
	return value ? value : evtlog_meta(summary->dataset->file, key);
}

static void row_add(struct summary_row *row, uint64_t ticks)
{
	double mean = summary_share(row->total_ticks, row->count), delta;

	if (!row->count || ticks < row->min_ticks)
		row->min_ticks = ticks;
	if (ticks > row->max_ticks)
		row->max_ticks = ticks;
	row->total_ticks += ticks;
	/* Welford's method, which avoids cancellation. */
	delta = row->count ? ticks - mean : 0;
	row->count++;
	row->sum_squares += delta * (ticks - (double)row->total_ticks / row->count);
}

static int by_total(const void *a, const void *b)
{
	const struct summary_row *x = a, *y = b;

	if (x->total_ticks != y->total_ticks)
		return x->total_ticks < y->total_ticks ? 1 : -1;
	return (x->source > y->source) - (x->source < y->source);
}

/* Removes empty rows, sorts the others and sums them up. */
static void rows_finish(struct summary_scope *scope, size_t count)
{
	scope->row_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct summary_row *row = &scope->rows[i];
		struct summary_family *family = &scope->families[row->source->family];

		if (!row->count)
			continue;
		scope->rows_ticks += row->total_ticks;
		family->count += row->count;
		family->total_ticks += row->total_ticks;
		scope->rows[scope->row_count++] = *row;
	}
	qsort(scope->rows, scope->row_count, sizeof(*scope->rows), by_total);
}

/* Returns true if the interruption is in a sample above the threshold. */
static bool is_seen(const struct summary *summary, const struct evtlog_interruption *one)
{
	return one->sample != EVTLOG_JITTER_NONE &&
	       !(summary->samples[one->sample].flags & EVTLOG_JITTER_BELOW);
}

static void add_interruptions(const struct summary *summary, struct summary_scope *scope)
{
	const struct evtlog_jitter_thread *thread = scope->thread;
	size_t first = thread->first_interruption;

	for (size_t i = first; i < first + thread->interruptions; i++) {
		const struct evtlog_interruption *one = &summary->interruptions[i];
		uint64_t length = one->enter_ticks - one->leave_ticks;

		if (one->flags & EVTLOG_JITTER_EXCLUDED)
			continue;
		scope->interruptions++;
		scope->away_ticks += length;
		scope->unseen += summary->dataset->samples && !is_seen(summary, one);
		for (uint32_t j = 0; j < one->parts; j++) {
			const struct evtlog_jitter_part *part =
				&summary->parts[one->first_part + j];

			if (part->source < summary->source_count)
				row_add(&scope->rows[part->source], part->own_ticks);
		}
	}
}

static void add_sample(const struct summary *summary, struct summary_scope *scope,
		       const struct evtlog_jitter_sample *sample, size_t crossing)
{
	int64_t left = evtlog_jitter_residual(sample);
	uint64_t residual = left < 0 ? -(uint64_t)left : (uint64_t)left;

	if (sample->flags & EVTLOG_JITTER_BELOW)
		return;
	if (sample->flags & EVTLOG_JITTER_EXCLUDED) {
		scope->excluded++;
		return;
	}
	scope->samples++;
	scope->matched += !!(sample->flags & EVTLOG_JITTER_MATCHED);
	scope->noise_ticks += sample->noise_ticks;
	scope->kernel_ticks += sample->kernel_ticks;
	scope->crossing_ticks += sample->crossing_ticks;
	scope->inferred_ticks += evtlog_jitter_inferred(sample);
	if (residual > scope->max_residual_ticks)
		scope->max_residual_ticks = residual;
	if (crossing < summary->source_count && sample->crossing_ticks)
		row_add(&scope->rows[crossing], sample->crossing_ticks);
	if (sample->inferred_source < summary->source_count)
		row_add(&scope->rows[sample->inferred_source], evtlog_jitter_inferred(sample));
}

static double stolen_ms_of(const struct summary *summary, size_t thread)
{
	uint64_t ns;

	return evtlog_jitter_stolen(summary->jitter, thread, &ns) ? NAN : ns / 1e6;
}

/* The sum over all measured CPUs, from /proc/stat. */
static double stolen_ms_by_samples(const struct summary *summary)
{
	const char *text = NULL;

	if (summary->dataset->samples)
		text = evtlog_samples_meta(summary->dataset->samples, "stolen_ms");
	return text ? strtod(text, NULL) : NAN;
}

static int sum_thread(const struct summary *summary, struct summary_scope *scope, size_t crossing)
{
	const struct evtlog_jitter_thread *thread = scope->thread;
	const struct evtlog_samples_thread *from = NULL;

	if (summary->dataset->samples)
		from = evtlog_samples_thread(summary->dataset->samples,
					     thread - summary->threads);
	scope->rows = calloc(summary->source_count + 1, sizeof(*scope->rows));
	if (!scope->rows)
		return -ENOMEM;
	for (size_t i = 0; i < summary->source_count; i++)
		scope->rows[i].source = &summary->sources[i];
	scope->window_ticks = thread->end_ticks - thread->begin_ticks;
	scope->known_ticks = thread->lost_ticks < scope->window_ticks ?
			     scope->window_ticks - thread->lost_ticks : 0;
	if (from) {
		scope->is_cut = thread->begin_ticks != from->begin_ticks ||
				thread->end_ticks != from->end_ticks;
		scope->below_ticks = from->below_ticks;
	}
	scope->stolen_ms = stolen_ms_of(summary, thread - summary->threads);
	add_interruptions(summary, scope);
	for (size_t i = 0; i < thread->samples; i++)
		add_sample(summary, scope, &summary->samples[thread->first_sample + i], crossing);
	rows_finish(scope, summary->source_count);
	return 0;
}

static int sum_all(struct summary *summary)
{
	struct summary_scope *all = &summary->all;

	all->rows = calloc(summary->source_count + 1, sizeof(*all->rows));
	if (!all->rows)
		return -ENOMEM;
	for (size_t i = 0; i < summary->source_count; i++) {
		const struct evtlog_jitter_source *source = &summary->sources[i];

		all->rows[i] = (struct summary_row) {
			.source = source,
			.count = source->count,
			.min_ticks = source->min_ticks,
			.max_ticks = source->max_ticks,
			.total_ticks = source->total_ticks,
			.sum_squares = source->sum_squares,
		};
	}
	for (size_t i = 0; i < summary->thread_count; i++) {
		const struct summary_scope *scope = &summary->scopes[i];

		all->window_ticks += scope->window_ticks;
		all->known_ticks += scope->known_ticks;
		all->is_cut |= scope->is_cut;
		all->samples += scope->samples;
		all->matched += scope->matched;
		all->excluded += scope->excluded;
		all->noise_ticks += scope->noise_ticks;
		all->kernel_ticks += scope->kernel_ticks;
		all->crossing_ticks += scope->crossing_ticks;
		all->inferred_ticks += scope->inferred_ticks;
		all->stolen_ms += scope->stolen_ms;
		all->below_ticks += scope->below_ticks;
		all->interruptions += scope->interruptions;
		all->unseen += scope->unseen;
		all->away_ticks += scope->away_ticks;
		if (scope->max_residual_ticks > all->max_residual_ticks)
			all->max_residual_ticks = scope->max_residual_ticks;
	}
	if (isnan(all->stolen_ms) || !summary->dataset->samples)
		all->stolen_ms = stolen_ms_by_samples(summary);
	rows_finish(all, summary->source_count);
	return 0;
}

/* Stores the values of a thread that are not excluded. Returns their number. */
static size_t collect(const struct summary *summary, const struct evtlog_jitter_thread *thread,
		      bool samples, uint64_t *values)
{
	size_t first = samples ? thread->first_sample : thread->first_interruption;
	size_t behind = first + (samples ? thread->samples : thread->interruptions), count = 0;

	for (size_t i = first; i < behind; i++) {
		const struct evtlog_interruption *one = summary->interruptions;

		if (samples) {
			if (!(summary->samples[i].flags &
			      (EVTLOG_JITTER_BELOW | EVTLOG_JITTER_EXCLUDED)))
				values[count++] = summary->samples[i].noise_ticks;
		} else if (!(one[i].flags & EVTLOG_JITTER_EXCLUDED)) {
			values[count++] = one[i].enter_ticks - one[i].leave_ticks;
		}
	}
	return count;
}

/* One array for all threads: the part of each thread is sorted, then the whole array. */
static int find_percentiles(struct summary *summary, bool samples)
{
	size_t most = samples ? summary->sample_count : summary->interruption_count, count = 0;
	uint64_t *values = reallocarray(NULL, most + 1, sizeof(*values));

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < summary->thread_count; i++) {
		struct summary_scope *scope = &summary->scopes[i];
		size_t own = collect(summary, scope->thread, samples, values + count);

		distribute(values + count, own, samples ? &scope->noises : &scope->lengths);
		count += own;
	}
	distribute(values, count, samples ? &summary->all.noises : &summary->all.lengths);
	free(values);
	return 0;
}

static void sum_disturbance(struct summary *summary)
{
	struct summary_disturbance *disturbance = &summary->disturbance;

	disturbance->logged = summary->dataset->noise_logged;
	disturbance->unlogged = summary->dataset->noise_unlogged;
	disturbance->ratio = disturbance->unlogged ?
			     disturbance->logged / disturbance->unlogged : NAN;
}

/* Returns true if interruption @a is before @b in the list of the largest. */
static bool is_larger(const struct summary *summary, uint32_t a, uint32_t b)
{
	const struct evtlog_interruption *x = &summary->interruptions[a];
	const struct evtlog_interruption *y = &summary->interruptions[b];
	uint64_t of_x = x->enter_ticks - x->leave_ticks, of_y = y->enter_ticks - y->leave_ticks;

	return of_x != of_y ? of_x > of_y : a < b;
}

/* @largest is a heap with the smallest entry on top: moves entry @at down to its place. */
static void sift_down(struct summary *summary, size_t at, size_t count)
{
	uint32_t *heap = summary->largest, one = heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count && is_larger(summary, heap[child], heap[child + 1]))
			child++;
		if (!is_larger(summary, one, heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = one;
}

static int find_largest(struct summary *summary, uint32_t wanted)
{
	size_t capacity = wanted < summary->interruption_count
				  ? wanted
				  : summary->interruption_count;
	size_t count = 0;

	summary->largest = calloc(capacity + 1, sizeof(*summary->largest));
	if (!summary->largest)
		return -ENOMEM;
	for (size_t i = 0; i < summary->interruption_count && capacity; i++) {
		if (summary->interruptions[i].flags & EVTLOG_JITTER_EXCLUDED)
			continue;
		if (count < capacity) {
			summary->largest[count++] = i;
			for (size_t j = count / 2; count == capacity && j--;)
				sift_down(summary, j, count);
		} else if (is_larger(summary, i, summary->largest[0])) {
			summary->largest[0] = i;
			sift_down(summary, 0, count);
		}
	}
	summary->largest_count = count;
	for (size_t j = count / 2; j--;)
		sift_down(summary, j, count);
	/* Entries are removed from the top and stored from the end, so the longest is first. */
	while (count > 1) {
		uint32_t least = summary->largest[0];

		summary->largest[0] = summary->largest[--count];
		sift_down(summary, 0, count);
		summary->largest[count] = least;
	}
	return 0;
}

int summary_sum(struct summary *summary, const struct dataset *dataset,
	       const struct summary_options *opts)
{
	const struct evtlog_jitter *jitter = dataset->jitter;
	size_t crossing = 0;

	*summary = (struct summary) {
		.dataset = dataset,
		.jitter = jitter,
		.summary = evtlog_jitter_summary(jitter),
	};
	summary->threads = evtlog_jitter_threads(jitter, &summary->thread_count);
	summary->sources = evtlog_jitter_sources(jitter, &summary->source_count);
	summary->interruptions = evtlog_jitter_interruptions(jitter,
							    &summary->interruption_count);
	summary->parts = evtlog_jitter_parts(jitter, &summary->part_count);
	summary->samples = evtlog_jitter_samples(jitter, &summary->sample_count);
	summary->patterns = evtlog_jitter_patterns(jitter, &summary->pattern_count);
	summary->chains = evtlog_jitter_chains(jitter, &summary->chain_count);
	while (crossing < summary->source_count &&
	       summary->sources[crossing].kind != EVTLOG_SOURCE_CROSSING)
		crossing++;
	summary->scopes = calloc(summary->thread_count + 1, sizeof(*summary->scopes));
	if (!summary->scopes)
		return -ENOMEM;
	for (size_t i = 0; i < summary->thread_count; i++) {
		summary->scopes[i].thread = &summary->threads[i];
		if (sum_thread(summary, &summary->scopes[i], crossing))
			return -ENOMEM;
	}
	if (sum_all(summary) || find_percentiles(summary, false) ||
	    find_percentiles(summary, true))
		return -ENOMEM;
	sum_disturbance(summary);
	return find_largest(summary, opts->largest);
}

static void scope_free(struct summary_scope *scope)
{
	free(scope->rows);
}

void summary_free(struct summary *summary)
{
	if (summary->scopes)
		for (size_t i = 0; i < summary->thread_count; i++)
			scope_free(&summary->scopes[i]);
	scope_free(&summary->all);
	free(summary->scopes);
	free(summary->largest);
}
