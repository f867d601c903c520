// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows single interruptions with all that is in them, and what recurs.
 *
 * Stage: within `evtlog jitter report`, behind account-sum.c.
 */
#include <inttypes.h>
#include <stdio.h>

#include "account.h"
#include "account-text.h"

/* More sources of a pattern than fit a line are told by their number. */
#define PATTERN_SOURCES	12

/* An interruption of more parts is told by its sources, each with the sum of its parts. */
#define PARTS_MAX	16

static void show_source(const struct account *account, const struct evtlog_jitter_part *part)
{
	const struct evtlog_jitter_source *source = &account->sources[part->source];
	struct line line;

	fputs(account_plain(&line, source->name), stdout);
	if (source->kind == EVTLOG_SOURCE_TASK)
		printf("-%" PRIu32, part->pid);
}

static void show_part(const struct account *account, const struct evtlog_interruption *one,
		      const struct evtlog_jitter_part *part)
{
	printf("      +%11.3f %11.3f  ",
	       account_us(account, part->begin_ticks - one->leave_ticks),
	       account_us(account, part->own_ticks));
	show_source(account, part);
	if (account->sources[part->source].kind == EVTLOG_SOURCE_TASK)
		fputs(part->activation ? "  woken" : "  goes on", stdout);
	putchar('\n');
}

static bool are_alike(const struct account *account, const struct evtlog_jitter_part *a,
		      const struct evtlog_jitter_part *b)
{
	return a->source == b->source &&
	       (account->sources[a->source].kind != EVTLOG_SOURCE_TASK || a->pid == b->pid);
}

/* All parts that are like number @at, unless one before it was and has told of them. */
static void show_alike(const struct account *account, const struct evtlog_interruption *one,
		       uint32_t at)
{
	const struct evtlog_jitter_part *parts = &account->parts[one->first_part];
	uint64_t own_ticks = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < at; i++)
		if (are_alike(account, &parts[i], &parts[at]))
			return;
	for (uint32_t i = at; i < one->parts; i++)
		if (are_alike(account, &parts[i], &parts[at])) {
			own_ticks += parts[i].own_ticks;
			count++;
		}
	printf("      +%11.3f %11.3f  ",
	       account_us(account, parts[at].begin_ticks - one->leave_ticks),
	       account_us(account, own_ticks));
	show_source(account, &parts[at]);
	printf(count > 1 ? "  %" PRIu32 " times\n" : "\n", count);
}

static void show_parts(const struct account *account, const struct evtlog_interruption *one)
{
	for (uint32_t i = 0; i < one->parts; i++)
		if (one->parts > PARTS_MAX)
			show_alike(account, one, i);
		else
			show_part(account, one, &account->parts[one->first_part + i]);
}

static void show_sample(const struct account *account, const struct evtlog_interruption *one)
{
	const struct evtlog_jitter_sample *sample;

	if (one->sample == EVTLOG_JITTER_NONE) {
		puts("      in no sample");
		return;
	}
	sample = &account->samples[one->sample];
	printf("      the program saw %.3f: crossing %.3f, residual %.3f",
	       account_us(account, sample->noise_ticks),
	       account_us(account, sample->crossing_ticks),
	       account_us(account, sample->residual_ticks));
	if (sample->interruptions != 1)
		printf("; %" PRIu32 " interruptions in one", sample->interruptions);
	putchar('\n');
}

static void show_interruption(const struct account *account, size_t rank, uint32_t number)
{
	const struct evtlog_interruption *one = &account->interruptions[number];
	const struct evtlog_jitter_thread *thread = &account->threads[one->thread];
	uint64_t time_ns = account_time_ns(account, one->thread, one->leave_ticks), sum = 0;

	for (uint32_t i = 0; i < one->parts; i++)
		sum += account->parts[one->first_part + i].own_ticks;
	printf("%4zu. %12.3f  at %" PRIu64 ".%09" PRIu64 " s on CPU %" PRIu32
	       ", %" PRIu32 " parts of %.3f\n", rank,
	       account_us(account, one->enter_ticks - one->leave_ticks), time_ns / 1000000000,
	       time_ns % 1000000000, thread->cpu, one->parts, account_us(account, sum));
	show_parts(account, one);
	if (account->recorded->samples)
		show_sample(account, one);
}

void account_show_largest(const struct account *account)
{
	if (!account->largest_count)
		return;
	printf("\nLargest interruptions, us; of each part its begin, its own time and its source\n");
	for (size_t i = 0; i < account->largest_count; i++)
		show_interruption(account, i + 1, account->largest[i]);
}

static void show_pattern(const struct account *account, const struct evtlog_jitter_pattern *pattern)
{
	const uint32_t *sources = evtlog_jitter_pattern_sources(account->jitter, pattern);
	struct line line;

	printf("  %9" PRIu64 " %11.3f %12.3f %11.3f %15.3f ", pattern->count,
	       account_us(account, pattern->min_ticks), account_us(account, pattern->max_ticks),
	       account_us(account, (double)pattern->total_ticks / pattern->count),
	       account_us(account, pattern->total_ticks));
	for (uint32_t i = 0; i < pattern->length && i < PATTERN_SOURCES; i++)
		printf("%s%s", i ? " > " : " ",
		       account_plain(&line, account->sources[sources[i]].name));
	if (pattern->length > PATTERN_SOURCES)
		printf(" > %" PRIu32 " more", pattern->length - PATTERN_SOURCES);
	putchar('\n');
}

void account_show_patterns(const struct account *account, uint32_t wanted)
{
	size_t shown = 0;

	for (size_t i = 0; i < account->pattern_count && shown < wanted; i++) {
		if (account->patterns[i].count < 2)
			continue;
		if (!shown)
			printf("\nPatterns of interruptions that recur, us\n"
			       "  %9s %11s %12s %11s %15s  sources in the order of their begin\n",
			       "count", "lowest", "highest", "mean", "total");
		show_pattern(account, &account->patterns[i]);
		shown++;
	}
}
