// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lengths of interruptions: selected, counted in bins, listed.
 *
 * Stage: between evtlog_jitter_new() and its output. It draws nothing.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curves.h"
#include "lib/base/array.h"

/* The axis if there are no values. */
#define EMPTY_FROM_NS	100
#define EMPTY_TO_NS	10000
/* Limit of an axis in ns or Hz, far above all possible values. */
#define LARGEST		1e15

const char *const jitter_series_names[JITTER_SERIES] = {
	[JITTER_USER] = "user", [JITTER_INTERRUPTION] = "interruption", [JITTER_PART] = "part",
};

/* ---- Selection ---- */

static bool chosen_part(const struct jitter_choice *choice,
			const struct evtlog_jitter_part *part)
{
	return !choice->sources || choice->sources[part->source];
}

static bool chosen_thread(const struct jitter_choice *choice, uint32_t thread)
{
	return !choice->threads || choice->threads[thread];
}

static bool has_chosen_part(const struct jitter_data *data,
			    const struct jitter_choice *choice,
			    const struct evtlog_interruption *interruption)
{
	if (!choice->sources)
		return true;
	for (uint32_t i = 0; i < interruption->parts; i++)
		if (chosen_part(choice, &data->parts[interruption->first_part + i]))
			return true;
	return false;
}

bool jitter_chosen(const struct jitter_data *data, const struct jitter_choice *choice,
		   const struct evtlog_interruption *interruption)
{
	return !(interruption->flags & EVTLOG_JITTER_EXCLUDED) &&
	       chosen_thread(choice, interruption->thread) &&
	       has_chosen_part(data, choice, interruption);
}

static bool chosen_sample(const struct jitter_data *data,
			  const struct jitter_choice *choice,
			  const struct evtlog_jitter_sample *sample)
{
	if (sample->flags & EVTLOG_JITTER_EXCLUDED || !chosen_thread(choice, sample->thread))
		return false;
	if (!choice->sources)
		return true;
	for (uint32_t i = 0; i < sample->interruptions; i++)
		if (has_chosen_part(data, choice,
				    &data->interruptions[sample->first_interruption + i]))
			return true;
	return false;
}

/* ---- Lengths ---- */

static double grained(double value)
{
	/* Division gives the double that is closest to the decimal number. */
	return round(value * JITTER_GRAINS) / JITTER_GRAINS;
}

/* Rounded to the digits that are shown, so that the shown value is in its bin. */
static double length_ns(const struct jitter_data *data, uint64_t ticks)
{
	return grained(ticks * data->ns_per_tick);
}

/* Called for each length of a series; returns false to stop. */
typedef bool (*take_length)(void *arg, double ns, struct jitter_item item);

static bool each_part(const struct jitter_data *data, const struct jitter_choice *choice,
		      uint32_t number, take_length take, void *arg)
{
	const struct evtlog_interruption *interruption = &data->interruptions[number];

	for (uint32_t i = 0; i < interruption->parts; i++) {
		uint32_t at = interruption->first_part + i;
		const struct evtlog_jitter_part *part = &data->parts[at];

		if (chosen_part(choice, part) &&
		    !take(arg, length_ns(data, part->own_ticks),
			  (struct jitter_item) { .interruption = number,
						 .sample = interruption->sample, .part = at }))
			return false;
	}
	return true;
}

static void each_length(const struct jitter_data *data, const struct jitter_choice *choice,
			enum jitter_series series, take_length take, void *arg)
{
	for (size_t i = 0; series == JITTER_USER && i < data->sample_count; i++) {
		const struct evtlog_jitter_sample *sample = &data->samples[i];

		if (chosen_sample(data, choice, sample) &&
		    !take(arg, length_ns(data, sample->noise_ticks),
			  (struct jitter_item) { .interruption = sample->interruptions ?
						 sample->first_interruption : EVTLOG_JITTER_NONE,
						 .sample = i, .part = EVTLOG_JITTER_NONE }))
			return;
	}
	for (size_t i = 0; series != JITTER_USER && i < data->interruption_count; i++) {
		const struct evtlog_interruption *interruption = &data->interruptions[i];
		uint64_t ticks = interruption->enter_ticks - interruption->leave_ticks;

		if (!jitter_chosen(data, choice, interruption))
			continue;
		if (series == JITTER_PART && !each_part(data, choice, i, take, arg))
			return;
		if (series == JITTER_INTERRUPTION &&
		    !take(arg, length_ns(data, ticks),
			  (struct jitter_item) { .interruption = i,
						 .sample = interruption->sample,
						 .part = EVTLOG_JITTER_NONE }))
			return;
	}
}

struct gathering {
	double *values;
	size_t count;
	size_t capacity;
	bool failed;
};

static bool gather(void *arg, double ns, struct jitter_item item)
{
	struct gathering *gathering = arg;

	if (array_reserve(&gathering->values, &gathering->capacity, gathering->count,
			  sizeof(*gathering->values))) {
		gathering->failed = true;
		return false;
	}
	gathering->values[gathering->count++] = ns;
	return true;
}

int jitter_values(const struct jitter_data *data, const struct jitter_choice *choice,
		  enum jitter_series series, uint32_t source, double **values, size_t *count)
{
	struct jitter_choice narrowed = *choice;
	struct gathering gathering = { 0 };
	bool *only = NULL;

	if (source != EVTLOG_JITTER_NONE) {
		only = calloc(data->source_count + 1, sizeof(*only));
		if (!only)
			return -ENOMEM;
		only[source] = true;
		narrowed.sources = only;
	}
	each_length(data, &narrowed, series, gather, &gathering);
	free(only);
	if (gathering.failed) {
		free(gathering.values);
		return -ENOMEM;
	}
	if (gathering.count)
		qsort(gathering.values, gathering.count, sizeof(*gathering.values),
		      array_by_double);
	*values = gathering.values;
	*count = gathering.count;
	return 0;
}

/* ---- Bins ---- */

/* The next of 1, 2, 5, 10, ... above @value, or the last one that is not above @value. */
static double round_number(double value, bool above)
{
	double power = pow(10, floor(log10(value)));
	static const double steps[] = { 0.5, 1, 2, 5, 10, 20 };

	if (above) {
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
			if (power * steps[i] > value)
				return power * steps[i];
		return power * 100;
	}
	for (size_t i = sizeof(steps) / sizeof(steps[0]); i--;)
		if (power * steps[i] <= value)
			return power * steps[i];
	return power / 10;
}

unsigned int jitter_edges(const struct jitter_choice *choice, double lowest, double highest,
			  double *edges)
{
	unsigned int points = choice->points, bins = 0;
	double from = choice->from, to = choice->to;

	if (points < 1)
		points = 1;
	if (points > JITTER_POINTS_MAX)
		points = JITTER_POINTS_MAX;
	if (!(highest > 0) || !(lowest <= highest)) {
		lowest = EMPTY_FROM_NS;
		highest = EMPTY_TO_NS;
	}
	if (lowest < JITTER_GRAIN_NS)
		lowest = JITTER_GRAIN_NS;
	if (!(to > 0))
		to = round_number(highest, true);
	if (!(from > 0) && !choice->linear)
		from = round_number(lowest < to ? lowest : to / 10, false);
	from = fmin(from, LARGEST);
	to = fmin(to, 2 * LARGEST);
	if (!choice->linear && from < JITTER_GRAIN_NS)
		from = JITTER_GRAIN_NS;
	/* At least one bin. */
	to = fmax(to, from + fmax(JITTER_GRAIN_NS, from / 1e12));
	edges[0] = grained(from);
	for (unsigned int i = 1; i <= points; i++) {
		double part = (double)i / points;
		double edge = choice->linear ? from + (to - from) * part :
			      from * pow(to / from, part);

		edge = grained(i == points ? to : edge);
		if (edge > edges[bins])
			edges[++bins] = edge;
	}
	return bins;
}

/* The bin of a value that is within the edges. */
static unsigned int bin_of(const double *edges, unsigned int bins, double value)
{
	unsigned int low = 0, high = bins;

	while (high - low > 1) {
		unsigned int middle = (low + high) / 2;

		if (value < edges[middle])
			high = middle;
		else
			low = middle;
	}
	return low;
}

struct counting {
	struct jitter_histogram *histogram;
	enum jitter_series series;
	double lowest;
	double highest;
};

/* Lengths of 0 do not count: a logarithmic axis cannot start with 0. */
static bool span_length(void *arg, double ns, struct jitter_item item)
{
	struct counting *counting = arg;

	if (ns > 0 && ns < counting->lowest)
		counting->lowest = ns;
	if (ns > counting->highest)
		counting->highest = ns;
	return true;
}

static bool count_length(void *arg, double ns, struct jitter_item item)
{
	struct counting *counting = arg;
	struct jitter_histogram *histogram = counting->histogram;

	if (ns < histogram->edges[0])
		histogram->below[counting->series]++;
	else if (!(ns < histogram->edges[histogram->bins]))
		histogram->above[counting->series]++;
	else
		histogram->counts[counting->series][bin_of(histogram->edges, histogram->bins,
							   ns)]++;
	return true;
}

void jitter_histogram(const struct jitter_data *data, const struct jitter_choice *choice,
		      struct jitter_histogram *histogram)
{
	struct counting counting = { .histogram = histogram, .lowest = INFINITY };

	memset(histogram, 0, sizeof(*histogram));
	for (int series = 0; series < JITTER_SERIES; series++)
		each_length(data, choice, series, span_length, &counting);
	histogram->bins = jitter_edges(choice, counting.lowest, counting.highest,
				       histogram->edges);
	for (counting.series = 0; counting.series < JITTER_SERIES; counting.series++)
		each_length(data, choice, counting.series, count_length, &counting);
}

double jitter_least(const double *values, size_t count)
{
	size_t i = 0;

	while (i < count && !(values[i] > 0))
		i++;
	return i < count ? values[i] : INFINITY;
}

/* ---- The items of a bar ---- */

/* @items: a heap of the longest items; the shortest of them is at the top */
struct listing {
	const struct jitter_choice *choice;
	struct jitter_item *items;
	size_t count;
	size_t limit;
	size_t found;
};

/* Longer items are first; of equal lengths, the earlier one. */
static bool is_before(const struct jitter_item *a, const struct jitter_item *b)
{
	if (a->ns != b->ns)
		return a->ns > b->ns;
	if (a->interruption != b->interruption)
		return a->interruption < b->interruption;
	if (a->sample != b->sample)
		return a->sample < b->sample;
	return a->part < b->part;
}

static void swap_items(struct jitter_item *a, struct jitter_item *b)
{
	struct jitter_item kept = *a;

	*a = *b;
	*b = kept;
}

static void sink(struct listing *listing, size_t at)
{
	struct jitter_item *items = listing->items;

	for (;;) {
		size_t last = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
			if (child < listing->count && is_before(&items[last], &items[child]))
				last = child;
		if (last == at)
			return;
		swap_items(&items[at], &items[last]);
		at = last;
	}
}

static bool list_length(void *arg, double ns, struct jitter_item item)
{
	struct listing *listing = arg;

	if (ns < listing->choice->from || !(ns < listing->choice->to))
		return true;
	listing->found++;
	item.ns = ns;
	if (listing->count < listing->limit) {
		size_t at = listing->count++;

		listing->items[at] = item;
		for (; at && is_before(&listing->items[(at - 1) / 2], &listing->items[at]);
		     at = (at - 1) / 2)
			swap_items(&listing->items[at], &listing->items[(at - 1) / 2]);
	} else if (listing->limit && is_before(&item, &listing->items[0])) {
		listing->items[0] = item;
		sink(listing, 0);
	}
	return true;
}

static int compare_items(const void *a, const void *b)
{
	return is_before(a, b) ? -1 : is_before(b, a);
}

size_t jitter_list(const struct jitter_data *data, const struct jitter_choice *choice,
		enum jitter_series series, size_t limit, struct jitter_item *items,
		size_t *found)
{
	struct listing listing = { .choice = choice, .items = items, .limit = limit };

	each_length(data, choice, series, list_length, &listing);
	if (listing.count)
		qsort(items, listing.count, sizeof(*items), compare_items);
	*found = listing.found;
	return listing.count;
}
