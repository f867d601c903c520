// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints single interruptions with all their parts, and recurring patterns.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "summary.h"

/* Further sources of a pattern are only counted. */
#define PATTERN_SOURCES	12

/* In an interruption with more parts, the parts of each source are combined. */
#define PARTS_MAX	16

/* Further sources of an interruption are combined into one line. */
#define GROUPS_MAX	32

/* The parts of one source in an interruption; each task, by pid, is a source of its own. */
struct group {
	const struct evtlog_jitter_part *first;
	uint64_t own_ticks;
	uint32_t count;
};

static void show_source(const struct summary *summary, const struct evtlog_jitter_part *part)
{
	const struct evtlog_jitter_source *source = &summary->sources[part->source];
	struct line line;

	fputs(summary_plain(&line, source->name), stdout);
	if (source->kind == EVTLOG_SOURCE_TASK)
		printf("-%" PRIu32, part->pid);
}

static void show_part(const struct summary *summary, const struct evtlog_interruption *one,
		      const struct evtlog_jitter_part *part)
{
	printf("      +%11.3f %11.3f  ",
	       summary_us(summary, part->begin_ticks - one->leave_ticks),
	       summary_us(summary, part->own_ticks));
	show_source(summary, part);
	if (summary->sources[part->source].kind == EVTLOG_SOURCE_TASK)
		fputs(part->activation ? "  woken" : "  resumed", stdout);
	putchar('\n');
}

static int by_source(const void *a, const void *b)
{
	const struct evtlog_jitter_part *x = ((const struct group *)a)->first;
	const struct evtlog_jitter_part *y = ((const struct group *)b)->first;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x > y) - (x < y);
}

static int by_begin(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* The pid of a part that is not a task is the task in whose context the part ran. */
static bool are_alike(const struct summary *summary, const struct evtlog_jitter_part *a,
		      const struct evtlog_jitter_part *b)
{
	return a->source == b->source &&
	       (summary->sources[a->source].kind != EVTLOG_SOURCE_TASK || a->pid == b->pid);
}

/* Combines adjacent groups that are alike. Returns the number of groups left. */
static size_t join_groups(const struct summary *summary, struct group *groups, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct group *last = &groups[kept ? kept - 1 : 0];

		if (!kept || !are_alike(summary, last->first, groups[i].first)) {
			groups[kept++] = groups[i];
			continue;
		}
		if (groups[i].first < last->first)
			last->first = groups[i].first;
		last->own_ticks += groups[i].own_ticks;
		last->count++;
	}
	return kept;
}

static void show_groups(const struct summary *summary, const struct evtlog_interruption *one,
			const struct group *groups, size_t count)
{
	uint64_t rest_ticks = 0;

	for (size_t i = 0; i < count; i++) {
		const struct group *group = &groups[i];

		if (i >= GROUPS_MAX) {
			rest_ticks += group->own_ticks;
			continue;
		}
		printf("      +%11.3f %11.3f  ",
		       summary_us(summary, group->first->begin_ticks - one->leave_ticks),
		       summary_us(summary, group->own_ticks));
		show_source(summary, group->first);
		printf(group->count > 1 ? "  %" PRIu32 " times\n" : "\n", group->count);
	}
	if (count > GROUPS_MAX)
		printf("       %11s %11.3f  %zu more sources\n", "",
		       summary_us(summary, rest_ticks), count - GROUPS_MAX);
}

static void show_parts(const struct summary *summary, const struct evtlog_interruption *one)
{
	const struct evtlog_jitter_part *parts = &summary->parts[one->first_part];
	struct group *groups = NULL;
	size_t count;

	if (one->parts > PARTS_MAX)
		groups = calloc(one->parts, sizeof(*groups));
	/* Out of memory: print all parts. */
	if (!groups) {
		for (uint32_t i = 0; i < one->parts; i++)
			show_part(summary, one, &parts[i]);
		return;
	}
	for (uint32_t i = 0; i < one->parts; i++)
		groups[i] = (struct group) { &parts[i], parts[i].own_ticks, 1 };
	qsort(groups, one->parts, sizeof(*groups), by_source);
	count = join_groups(summary, groups, one->parts);
	qsort(groups, count, sizeof(*groups), by_begin);
	show_groups(summary, one, groups, count);
	free(groups);
}

static void show_sample(const struct summary *summary, const struct evtlog_interruption *one)
{
	const struct evtlog_jitter_sample *sample;

	if (one->sample == EVTLOG_JITTER_NONE) {
		puts("      in no sample");
		return;
	}
	sample = &summary->samples[one->sample];
	printf("      sample %.3f: crossing %.3f, residual %.3f",
	       summary_us(summary, sample->noise_ticks),
	       summary_us(summary, sample->crossing_ticks),
	       summary_us(summary, evtlog_jitter_residual(sample)));
	if (sample->interruptions != 1)
		printf(", %" PRIu32 " interruptions", sample->interruptions);
	putchar('\n');
}

static void show_interruption(const struct summary *summary, size_t rank, uint32_t number)
{
	const struct evtlog_interruption *one = &summary->interruptions[number];
	const struct evtlog_jitter_thread *thread = &summary->threads[one->thread];
	uint64_t time_ns = summary_time_ns(summary, one->thread, one->leave_ticks), sum = 0;

	for (uint32_t i = 0; i < one->parts; i++)
		sum += summary->parts[one->first_part + i].own_ticks;
	printf("%4zu. %12.3f  at %" PRIu64 ".%09" PRIu64 " s", rank,
	       summary_us(summary, one->enter_ticks - one->leave_ticks), time_ns / 1000000000,
	       time_ns % 1000000000);
	if (summary_has_cpu(thread))
		printf(" on CPU %" PRIu32, thread->cpu);
	else
		printf(" of task %" PRIu32, thread->pid);
	printf(", %" PRIu32 " parts, %.3f\n", one->parts, summary_us(summary, sum));
	show_parts(summary, one);
	if (summary->dataset->samples)
		show_sample(summary, one);
}

void summary_show_largest(const struct summary *summary)
{
	if (!summary->largest_count)
		return;
	printf("\nLargest interruptions in us; parts: + start, own time, source\n");
	for (size_t i = 0; i < summary->largest_count; i++)
		show_interruption(summary, i + 1, summary->largest[i]);
}

/* @sources: of the pattern or chain */
static void show_pattern(const struct summary *summary,
			 const struct evtlog_jitter_pattern *pattern, const uint32_t *sources)
{
	struct line line;

	printf("  %9" PRIu64 " %11.3f %12.3f %11.3f %15.3f ", pattern->count,
	       summary_us(summary, pattern->min_ticks), summary_us(summary, pattern->max_ticks),
	       summary_us(summary, (double)pattern->total_ticks / pattern->count),
	       summary_us(summary, pattern->total_ticks));
	for (uint32_t i = 0; i < pattern->length && i < PATTERN_SOURCES; i++)
		printf("%s%s", i ? " > " : " ",
		       summary_plain(&line, summary->sources[sources[i]].name));
	if (pattern->length > PATTERN_SOURCES)
		printf(" > %" PRIu32 " more", pattern->length - PATTERN_SOURCES);
	putchar('\n');
}

void summary_show_patterns(const struct summary *summary, uint32_t wanted)
{
	size_t shown = 0;

	for (size_t i = 0; i < summary->pattern_count && shown < wanted; i++) {
		if (summary->patterns[i].count < 2)
			continue;
		if (!shown)
			printf("\nRecurring interruption patterns, us\n"
			       "  %9s %11s %12s %11s %15s  sources in start order\n",
			       "count", "min", "max", "mean", "total");
		show_pattern(summary, &summary->patterns[i],
			     evtlog_jitter_pattern_sources(summary->jitter,
							   &summary->patterns[i]));
		shown++;
	}
}

static void show_chain(const struct summary *summary, const struct evtlog_jitter_pattern *chain)
{
	const uint32_t *sources = evtlog_jitter_chain_sources(summary->jitter, chain);
	struct line line;

	printf("  %9" PRIu64 " %11.3f %12.3f %11.3f ", chain->count,
	       summary_us(summary, chain->min_ticks), summary_us(summary, chain->max_ticks),
	       summary_us(summary, (double)chain->total_ticks / chain->count));
	for (uint32_t i = 0; i < chain->length; i++)
		printf("%s%s", i ? " > " : " ",
		       summary_plain(&line, summary->sources[sources[i]].name));
	putchar('\n');
}

void summary_show_chains(const struct summary *summary, uint32_t wanted)
{
	if (!summary->chain_count || !wanted)
		return;
	printf("\nTask chains, us from the first start to the last\n"
	       "  %9s %11s %12s %11s  tasks in order\n", "count", "min", "max", "mean");
	for (size_t i = 0; i < summary->chain_count && i < wanted; i++)
		show_chain(summary, &summary->chains[i]);
}
