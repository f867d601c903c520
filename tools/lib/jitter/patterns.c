// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Patterns: interruptions with the same sources, in the order of their begins.
 *
 * Times, and the number of consecutive parts of one source, are ignored.
 */
#include <string.h>

#include "internal.h"

static int compare_ranks(const void *a, const void *b)
{
	const struct jitter_rank *x = a, *y = b;

	if (x->total_ticks != y->total_ticks)
		return x->total_ticks < y->total_ticks ? 1 : -1;
	return x->number < y->number ? -1 : 1;
}

void jitter_ranks_sort(struct jitter_rank *ranks, size_t count)
{
	qsort(ranks, count, sizeof(*ranks), compare_ranks);
}

static uint32_t hash_sequence(const uint32_t *sequence, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ sequence[i]) * 16777619u;
	return hash ^ hash >> 15;
}

struct sequence {
	const uint32_t *at;
	size_t length;
};

static bool is_pattern(const void *all, uint32_t number, const void *wanted)
{
	const struct jitter_patterns *patterns = all;
	const struct evtlog_jitter_pattern *pattern = &patterns->at[number];
	const struct sequence *sequence = wanted;

	return pattern->length == sequence->length &&
	       !memcmp(patterns->sequence + pattern->first, sequence->at,
		       sequence->length * sizeof(*sequence->at));
}

static uint32_t find(const struct jitter_patterns *patterns, const uint32_t *sequence,
		     size_t length)
{
	const struct sequence wanted = { sequence, length };

	return key_table_find_same(&patterns->by_hash, hash_sequence(sequence, length),
				   is_pattern, patterns, &wanted);
}

int jitter_patterns_keep(struct jitter_patterns *patterns, size_t first, uint32_t *numberp)
{
	size_t length = patterns->length - first;
	const uint32_t *sequence = patterns->sequence + first;
	uint32_t number = find(patterns, sequence, length);

	if (number == KEY_NONE) {
		number = patterns->count;
		if (array_reserve(&patterns->at, &patterns->capacity, patterns->count,
				  sizeof(*patterns->at)) ||
		    key_table_add(&patterns->by_hash, hash_sequence(sequence, length), number))
			return -ENOMEM;
		patterns->at[patterns->count++] = (struct evtlog_jitter_pattern) {
			.first = first,
			.length = length,
		};
	} else {
		patterns->length = first;
	}
	*numberp = number;
	return 0;
}

int jitter_patterns_add(struct jitter_patterns *patterns, uint32_t source)
{
	if (array_reserve(&patterns->sequence, &patterns->sequence_capacity, patterns->length,
			  sizeof(*patterns->sequence)))
		return -ENOMEM;
	patterns->sequence[patterns->length++] = source;
	return 0;
}

const struct evtlog_jitter_pattern *
jitter_patterns_find(const struct jitter_patterns *patterns, const uint32_t *sequence,
		     size_t length)
{
	uint32_t number = find(patterns, sequence, length);

	return number == KEY_NONE ? NULL : &patterns->at[number];
}

void jitter_patterns_count(struct jitter_patterns *patterns, uint32_t number, uint64_t ticks)
{
	struct evtlog_jitter_pattern *pattern = &patterns->at[number];

	if (!pattern->count || ticks < pattern->min_ticks)
		pattern->min_ticks = ticks;
	if (ticks > pattern->max_ticks)
		pattern->max_ticks = ticks;
	pattern->count++;
	pattern->total_ticks += ticks;
}

void jitter_patterns_free(struct jitter_patterns *patterns)
{
	free(patterns->at);
	key_table_free(&patterns->by_hash);
	free(patterns->sequence);
}

/* Consecutive parts of a source count once. */
static int add_source(struct jitter_patterns *patterns, size_t first, uint32_t source)
{
	if (patterns->length > first && patterns->sequence[patterns->length - 1] == source)
		return 0;
	return jitter_patterns_add(patterns, source);
}

static int find_pattern(struct evtlog_jitter *jitter,
			struct evtlog_interruption *interruption)
{
	const struct evtlog_jitter_part *parts = jitter->parts + interruption->first_part;
	struct jitter_patterns *patterns = &jitter->patterns;
	size_t first = patterns->length;
	int error = 0;

	for (uint32_t i = 0; i < interruption->parts && !error; i++)
		if (interruption->parts == 1 || jitter->sources.at[parts[i].source].kind !=
		    EVTLOG_SOURCE_ENTRY)
			error = add_source(patterns, first, parts[i].source);
	if (!error)
		error = jitter_patterns_keep(patterns, first, &interruption->pattern);
	if (!error)
		jitter_patterns_count(patterns, interruption->pattern,
				      interruption->enter_ticks - interruption->leave_ticks);
	return error;
}

static int sort_patterns(struct evtlog_jitter *jitter)
{
	struct jitter_patterns *patterns = &jitter->patterns;
	struct jitter_rank *ranks = calloc(patterns->count + 1, sizeof(*ranks));
	uint32_t *moved = calloc(patterns->count + 1, sizeof(*moved));
	struct evtlog_jitter_pattern *sorted = calloc(patterns->count + 1, sizeof(*sorted));
	int error = -ENOMEM;

	if (!ranks || !moved || !sorted)
		goto out;
	for (size_t i = 0; i < patterns->count; i++)
		ranks[i] = (struct jitter_rank) { patterns->at[i].total_ticks, i };
	jitter_ranks_sort(ranks, patterns->count);
	for (size_t i = 0; i < patterns->count; i++) {
		moved[ranks[i].number] = i;
		sorted[i] = patterns->at[ranks[i].number];
	}
	for (size_t i = 0; i < jitter->interruption_count; i++)
		if (jitter->interruptions[i].pattern != EVTLOG_JITTER_NONE)
			jitter->interruptions[i].pattern =
				moved[jitter->interruptions[i].pattern];
	free(patterns->at);
	patterns->at = sorted;
	sorted = NULL;
	error = 0;
out:
	free(sorted);
	free(moved);
	free(ranks);
	return error;
}

int jitter_find_patterns(struct evtlog_jitter *jitter)
{
	int error = 0;

	for (size_t i = 0; i < jitter->interruption_count && !error; i++)
		if (!(jitter->interruptions[i].flags & EVTLOG_JITTER_EXCLUDED))
			error = find_pattern(jitter, &jitter->interruptions[i]);
	if (!error)
		error = sort_patterns(jitter);
	/* The hash table has the old numbers. */
	key_table_free(&jitter->patterns.by_hash);
	return error;
}

const struct evtlog_jitter_pattern *
evtlog_jitter_patterns(const struct evtlog_jitter *jitter, size_t *count)
{
	*count = jitter->patterns.count;
	return jitter->patterns.at;
}

const uint32_t *
evtlog_jitter_pattern_sources(const struct evtlog_jitter *jitter,
			      const struct evtlog_jitter_pattern *pattern)
{
	return jitter->patterns.sequence + pattern->first;
}
