// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds tasks that follow each other, over several interruptions.
 *
 * Interrupts and time between two tasks are ignored.
 *
 * All sequences of two to four tasks are counted.  A sequence is kept if it is much more frequent
 * than if each next task were drawn at random by its own frequency.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

#define LENGTH_MAX	4
/* Minimum count. */
#define COUNT_MIN	3
/* Minimum share of the occurrences of its first task. */
#define SHARE_MIN	0.5
/* Minimum excess over the random count, in standard deviations. */
#define BEYOND_MIN	5
/* A chain within a longer one is dropped if the longer one has this share of its count. */
#define SAME_SHARE	0.8
/* Maximum number of chains that are compared. */
#define CHAINS_MAX	1024

/* The last few tasks that came, the newest last. */
struct recent {
	uint32_t sources[LENGTH_MAX];
	uint64_t begins[LENGTH_MAX];
	size_t count;
};

static bool has(const struct recent *recent, size_t from, uint32_t source)
{
	for (size_t i = from; i < recent->count; i++)
		if (recent->sources[i] == source)
			return true;
	return false;
}

/* Counts each sequence of different tasks that ends with @source. */
static int come(struct jitter_patterns *chains, struct recent *recent, uint32_t source,
		uint64_t begin)
{
	if (recent->count == LENGTH_MAX) {
		recent->count--;
		memmove(recent->sources, recent->sources + 1,
			recent->count * sizeof(*recent->sources));
		memmove(recent->begins, recent->begins + 1,
			recent->count * sizeof(*recent->begins));
	}
	for (size_t from = recent->count; from-- > 0; ) {
		size_t first = chains->length;
		uint32_t number;
		int error = 0;

		if (recent->sources[from] == source ||
		    has(recent, from + 1, recent->sources[from]))
			break;
		for (size_t i = from; i < recent->count && !error; i++)
			error = jitter_patterns_add(chains, recent->sources[i]);
		if (!error)
			error = jitter_patterns_add(chains, source);
		if (!error)
			error = jitter_patterns_keep(chains, first, &number);
		if (error)
			return error;
		jitter_patterns_count(chains, number, begin - recent->begins[from]);
	}
	recent->sources[recent->count] = source;
	recent->begins[recent->count++] = begin;
	return 0;
}

/* Counts each task in @counts, and all tasks in @sump. */
static int count_thread(struct evtlog_jitter *jitter,
			const struct evtlog_jitter_thread *thread, uint64_t *counts,
			uint64_t *sump)
{
	struct recent recent = { .count = 0 };
	int error = 0;

	for (uint32_t i = 0; i < thread->interruptions && !error; i++) {
		const struct evtlog_interruption *interruption =
			&jitter->interruptions[thread->first_interruption + i];

		if (interruption->flags & EVTLOG_JITTER_EXCLUDED)
			recent.count = 0;
		for (uint32_t k = 0; k < interruption->parts && !error; k++) {
			const struct evtlog_jitter_part *part =
				&jitter->parts[interruption->first_part + k];

			if (jitter->sources.at[part->source].kind != EVTLOG_SOURCE_TASK)
				continue;
			counts[part->source]++;
			(*sump)++;
			error = come(&jitter->chains, &recent, part->source,
				     part->begin_ticks);
		}
	}
	return error;
}

/* Count of a sequence, which can be a single task. */
static double times(const struct jitter_patterns *chains, const uint64_t *counts,
		    const uint32_t *sources, size_t length)
{
	const struct evtlog_jitter_pattern *chain;

	if (length == 1)
		return counts[sources[0]];
	chain = jitter_patterns_find(chains, sources, length);
	return chain ? chain->count : 0;
}

/* Both the last and the first task must be more frequent than chance next to the other tasks. */
static bool is_rule(const struct jitter_patterns *chains,
		    const struct evtlog_jitter_pattern *chain, const uint64_t *counts,
		    uint64_t sum)
{
	const uint32_t *sources = chains->sequence + chain->first;
	size_t rest = chain->length - 1;
	double without_last, without_first, expected;

	if (chain->count < COUNT_MIN || chain->count < SHARE_MIN * counts[sources[0]])
		return false;
	without_last = times(chains, counts, sources, rest) * counts[sources[rest]];
	without_first = times(chains, counts, sources + 1, rest) * counts[sources[0]];
	expected = fmax(without_last, without_first) / sum;
	return chain->count - expected > BEYOND_MIN * sqrt(expected);
}

static bool is_within(const struct jitter_patterns *chains,
		      const struct evtlog_jitter_pattern *part,
		      const struct evtlog_jitter_pattern *whole)
{
	for (uint32_t i = 0; i + part->length <= whole->length; i++)
		if (!memcmp(chains->sequence + whole->first + i,
			    chains->sequence + part->first,
			    part->length * sizeof(*chains->sequence)))
			return true;
	return false;
}

/* Returns true if @b is a rotation of @a that takes less time. */
static bool is_turned(const struct jitter_patterns *chains,
		      const struct evtlog_jitter_pattern *a,
		      const struct evtlog_jitter_pattern *b)
{
	const uint32_t *x = chains->sequence + a->first, *y = chains->sequence + b->first;

	for (uint32_t turn = 1; turn < a->length; turn++) {
		uint32_t i = 0;

		while (i < a->length && x[i] == y[(i + turn) % a->length])
			i++;
		if (i == a->length)
			return (double)b->total_ticks / b->count <
			       (double)a->total_ticks / a->count;
	}
	return false;
}

static bool is_covered_by(const struct jitter_patterns *chains,
			  const struct evtlog_jitter_pattern *chain,
			  const struct evtlog_jitter_pattern *other)
{
	if (other->length == chain->length)
		return is_turned(chains, chain, other);
	return other->length > chain->length && other->count >= SAME_SHARE * chain->count &&
	       is_within(chains, chain, other);
}

static int compare_chains(const void *a, const void *b)
{
	const struct evtlog_jitter_pattern *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int keep_rules(struct jitter_patterns *chains, const uint64_t *counts, uint64_t sum)
{
	size_t rules = 0, kept = 0;
	bool *is_one = calloc(chains->count + 1, sizeof(*is_one));
	bool is_covered[CHAINS_MAX];

	if (!is_one)
		return -ENOMEM;
	for (size_t i = 0; i < chains->count; i++)
		is_one[i] = is_rule(chains, &chains->at[i], counts, sum);
	/* This moves the entries: jitter_patterns_find() must not be used any more. */
	for (size_t i = 0; i < chains->count; i++)
		if (is_one[i])
			chains->at[rules++] = chains->at[i];
	free(is_one);
	if (rules)
		qsort(chains->at, rules, sizeof(*chains->at), compare_chains);
	if (rules > CHAINS_MAX)
		rules = CHAINS_MAX;
	for (size_t i = 0; i < rules; i++) {
		is_covered[i] = false;
		for (size_t k = 0; k < rules && !is_covered[i]; k++)
			is_covered[i] = k != i && is_covered_by(chains, &chains->at[i], &chains->at[k]);
	}
	for (size_t i = 0; i < rules; i++)
		if (!is_covered[i])
			chains->at[kept++] = chains->at[i];
	chains->count = kept;
	return 0;
}

int jitter_find_chains(struct evtlog_jitter *jitter)
{
	uint64_t *counts = calloc(jitter->sources.count + 1, sizeof(*counts));
	uint64_t sum = 0;
	int error = counts ? 0 : -ENOMEM;

	for (size_t i = 0; i < jitter->track_count && !error; i++)
		error = count_thread(jitter, &jitter->threads[i], counts, &sum);
	if (!error)
		error = keep_rules(&jitter->chains, counts, sum);
	/* The hash table refers to entries that were moved. */
	key_table_free(&jitter->chains.by_hash);
	free(counts);
	return error;
}

const struct evtlog_jitter_pattern *
evtlog_jitter_chains(const struct evtlog_jitter *jitter, size_t *count)
{
	*count = jitter->chains.count;
	return jitter->chains.at;
}

const uint32_t *
evtlog_jitter_chain_sources(const struct evtlog_jitter *jitter,
			    const struct evtlog_jitter_pattern *chain)
{
	return jitter->chains.sequence + chain->first;
}
