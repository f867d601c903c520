// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a comparison of two recordings, as a table and as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "diff.h"
#include "jitter/report/summary.h"

/* ---- The table ---- */

#define NAME_WIDTH_MAX	32

static void show_recordings(const struct diff *diff)
{
	const struct compared *compared = &diff->compared;
	struct line line;

	for (unsigned int side = 0; side < 2; side++) {
		const struct dataset *dataset = &diff->datasets[side];
		const char *host = evtlog_samples_meta(dataset->samples, "host");
		const char *kernel = evtlog_samples_meta(dataset->samples, "kernel");

		printf("%c  %s", "AB"[side], summary_plain(&line, dataset->log_path));
		printf(": %s", summary_plain(&line, host ? host : "unknown host"));
		printf(", %s, ", summary_plain(&line, kernel ? kernel : "unknown kernel"));
		printf("%u CPU%s for %.3f s\n", compared->cpus[side],
		       compared->cpus[side] == 1 ? "" : "s", compared->window_ns[side] / 1e9);
	}
}

static void show_settings(const struct diff *diff)
{
	const struct diff_setting *setting;
	struct line of_a, of_b;
	const char *a, *b;
	char capacity[2][64];

	for (size_t i = 0; diff_setting(diff, i, &setting, &a, &b, capacity); i++)
		if (diff_differs(a, b))
			printf("   %s differs: A %s, B %s\n", setting->name,
			       summary_plain(&of_a, a ? a : "unknown"),
			       summary_plain(&of_b, b ? b : "unknown"));
}

static void put_pair(const struct compared *compared, const struct compared_source *source,
		     enum blocks_measure measure, double scale, unsigned int digits)
{
	for (unsigned int side = 0; side < 2; side++) {
		double value = compared_value(compared, source, side, measure);

		if (isnan(value))
			printf(" %9s", "-");
		else
			printf(" %9.*f", (int)digits, value * scale);
	}
}

/* "+12.3 %", "x4.10", "-": a factor as text. */
static void put_factor(char text[16], double factor)
{
	if (!isfinite(factor))
		snprintf(text, 16, "-");
	else if (factor >= 2)
		snprintf(text, 16, factor < 1000 ? "x%.2f" : "x%.0f", factor);
	else
		snprintf(text, 16, "%+.1f %%", (factor - 1) * 100);
}

/* "-2.0..+3.0 %", "-2.0 %..x2.50": one unit if both ends have the same. */
static void put_interval(char text[40], const struct blocks_interval *interval)
{
	char low[16], high[16];

	put_factor(low, interval->low);
	put_factor(high, interval->high);
	if (interval->high < 2)
		low[strcspn(low, " ")] = '\0';
	snprintf(text, 40, "%s..%s", low, high);
}

static void put_change(const struct compared_source *source, enum blocks_measure measure)
{
	const struct blocks_interval *interval = &source->intervals[measure];
	char text[16], both[40] = "";

	put_factor(text, source->ratios[measure]);
	if (isfinite(interval->high) && isfinite(source->ratios[measure]))
		put_interval(both, interval);
	printf(" %9s %-16s", text, both);
}

/* Prints which of rate and mean changed significantly. */
static void put_why(const struct compared_source *source)
{
	static const char *const words[] = {
		[BLOCKS_RATE] = "rate", [BLOCKS_MEAN] = "mean",
	};
	const char *before = ": ";
	char text[16];

	if (source->verdict < COMPARED_LARGER || source->verdict > COMPARED_CHANGED)
		return;
	for (unsigned int i = 0; i < 2; i++) {
		if (!source->ways[i])
			continue;
		put_factor(text, source->ratios[i]);
		printf("%s%s %s", before, words[i], text);
		before = ", ";
	}
}

static void show_source(const struct compared *compared, const struct compared_source *source,
			int width)
{
	struct line line;

	printf("%c %-*s", source->inferred ? '~' : ' ', width, summary_plain(&line, source->name));
	put_pair(compared, source, BLOCKS_RATE, 1, 2);
	put_pair(compared, source, BLOCKS_MEAN, 1e-3, 3);
	put_pair(compared, source, BLOCKS_TOTAL, 1e-3, 3);
	put_change(source, BLOCKS_TOTAL);
	printf(" %s", compared_verdict_name(source->verdict));
	put_why(source);
	putchar('\n');
}

static int name_width(const struct compared *compared)
{
	struct line line;
	int width = 8;

	for (size_t i = 0; i < compared->count; i++) {
		int length = strlen(summary_plain(&line, compared->sources[i].name));

		if (length > width)
			width = length;
	}
	return width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
}

static bool is_different(const struct compared_source *source)
{
	return source->verdict != COMPARED_SAME && source->verdict != COMPARED_UNJUDGED;
}

static void show_sources(const struct compared *compared)
{
	double totals[2] = { 0, 0 };
	int width = name_width(compared);

	printf("\n  %-*s %19s %19s %19s %s\n", width, "", "count/s", "mean us",
	       "us/s", "   change of us/s");
	printf("  %-*s", width, "source");
	for (unsigned int i = 0; i < 3; i++)
		printf(" %9s %9s", "A", "B");
	printf(" %9s %-16s %s\n", "B over A", "", "verdict");
	for (unsigned int other = 0; other < 2; other++)
		for (size_t i = 0; i < compared->count; i++)
			if (is_different(&compared->sources[i]) == !other)
				show_source(compared, &compared->sources[i], width);
	for (size_t i = 0; i < compared->count; i++)
		for (unsigned int side = 0; side < 2; side++)
			totals[side] += compared_value(compared, &compared->sources[i], side,
						       BLOCKS_TOTAL);
	printf("  %-*s %9s %9s %9s %9s %9.3f %9.3f\n\n", width, "all", "", "", "", "",
	       totals[0] / 1e3, totals[1] / 1e3);
}

static void show_verdicts(const struct compared *compared)
{
	uint64_t verdicts[COMPARED_VERDICTS] = { 0 };
	bool inferred = false;

	for (size_t i = 0; i < compared->count; i++) {
		verdicts[compared->sources[i].verdict]++;
		inferred |= compared->sources[i].inferred;
	}
	for (unsigned int i = COMPARED_NEW; i < COMPARED_UNJUDGED; i++)
		printf("%" PRIu64 " %s, ", verdicts[i], compared_verdict_name(i));
	printf("%" PRIu64 " without a significant change.\n", verdicts[COMPARED_SAME]);
	printf("Significance level %g %% over all verdicts; changes below %g %% are ignored; "
	       "%g %% intervals.\n", compared->level * 100,
	       compared->least_change * 100, compared->level * 100);
	printf("Blocks of %.3f s; seed %" PRIu64 ".", compared->block_ns / 1e9,
	       compared->seed);
	if (compared->seen_from)
		printf(" A source absent from A is new if it is in %zu blocks of B.",
		       compared->seen_from);
	else
		printf(" B is too short to find new sources: record longer.");
	printf("\n");
	if (inferred)
		printf("~ inferred: not recorded by the kernel.\n");
}

void compared_show(const struct compared *compared)
{
	show_sources(compared);
	show_verdicts(compared);
}

void diff_show(const struct diff *diff)
{
	show_recordings(diff);
	show_settings(diff);
	compared_show(&diff->compared);
}

/* ---- JSON ---- */

static void put_recording(struct json *json, const struct diff *diff, unsigned int side)
{
	const struct compared *compared = &diff->compared;
	const struct evtlog_jitter_summary *summary =
		evtlog_jitter_summary(diff->datasets[side].jitter);

	json_object(json, side ? "b" : "a");
	json_string(json, "log", diff->datasets[side].log_path);
	json_string(json, "host", evtlog_samples_meta(diff->datasets[side].samples, "host"));
	json_string(json, "kernel", evtlog_samples_meta(diff->datasets[side].samples, "kernel"));
	json_u64(json, "cpus", compared->cpus[side]);
	json_double(json, "window_ns", compared->window_ns[side], 1);
	json_double(json, "cpu_time_ns", compared->cpu_s[side] * 1e9, 1);
	json_u64(json, "interruptions", summary->interruptions);
	json_u64(json, "samples_over_threshold", summary->samples);
	json_u64(json, "excluded_samples", summary->excluded);
	json_end(json);
}

static void put_settings(struct json *json, const struct diff *diff)
{
	const struct diff_setting *setting;
	const char *a, *b;
	char capacity[2][64];

	json_array(json, "differences");
	for (size_t i = 0; diff_setting(diff, i, &setting, &a, &b, capacity); i++) {
		if (!diff_differs(a, b))
			continue;
		json_object(json, NULL);
		json_string(json, "setting", setting->name);
		json_string(json, "a", a);
		json_string(json, "b", b);
		json_end(json);
	}
	json_end(json);
}

static void put_side(struct json *json, const struct compared *compared,
		     const struct compared_source *source, unsigned int side)
{
	const struct compared_side *of = &source->side[side];

	json_object(json, side ? "b" : "a");
	json_u64(json, "count", of->intervals);
	json_double(json, "rate_per_s", compared_value(compared, source, side, BLOCKS_RATE), 6);
	json_double(json, "mean_ns", compared_value(compared, source, side, BLOCKS_MEAN), 3);
	json_double(json, "min_ns", of->intervals ? of->min_ns : NAN, 3);
	json_double(json, "max_ns", of->intervals ? of->max_ns : NAN, 3);
	json_double(json, "total_ns", of->total_ns, 3);
	json_double(json, "noise_ns_per_s",
		    compared_value(compared, source, side, BLOCKS_TOTAL), 3);
	json_double(json, "period_ns", of->period_ns > 0 ? of->period_ns : NAN, 3);
	json_double(json, "block_ns", of->blocks.block_ns, 1);
	json_u64(json, "blocks", of->blocks.count);
	json_u64(json, "occupied_blocks", blocks_occupied(&of->blocks));
	json_end(json);
}

/* The upper end is null if there is no limit. */
static void put_measure(struct json *json, const char *key, const struct compared_source *source,
			enum blocks_measure measure)
{
	json_object(json, key);
	json_double(json, "ratio", source->ratios[measure], 6);
	json_double(json, "low", source->intervals[measure].low, 6);
	json_double(json, "high", source->intervals[measure].high, 6);
	if (source->judged && measure != BLOCKS_TOTAL) {
		json_double(json, "p", source->p[measure], 8);
		json_double(json, "p_adjusted", source->adjusted[measure], 8);
	}
	json_end(json);
}

static void put_source(struct json *json, const struct compared *compared,
		       const struct compared_source *source)
{
	json_object(json, NULL);
	json_string(json, "name", source->name);
	json_string(json, "family", summary_family_word(source->family));
	json_bool(json, "inferred", source->inferred);
	json_string(json, "verdict", compared_verdict_name(source->verdict));
	put_side(json, compared, source, 0);
	put_side(json, compared, source, 1);
	put_measure(json, "rate", source, BLOCKS_RATE);
	put_measure(json, "mean", source, BLOCKS_MEAN);
	put_measure(json, "noise", source, BLOCKS_TOTAL);
	json_end(json);
}

void compared_json(struct json *json, const struct compared *compared)
{
	uint64_t verdicts[COMPARED_VERDICTS] = { 0 };

	json_double(json, "level", compared->level, 6);
	json_double(json, "min_change_share", compared->least_change, 6);
	json_u64(json, "seed", compared->seed);
	json_double(json, "block_ns", compared->block_ns, 1);
	json_u64(json, "tests", compared->questions);
	if (compared->seen_from)
		json_u64(json, "new_from_blocks", compared->seen_from);
	else
		json_null(json, "new_from_blocks");
	json_array(json, "sources");
	for (size_t i = 0; i < compared->count; i++) {
		put_source(json, compared, &compared->sources[i]);
		verdicts[compared->sources[i].verdict]++;
	}
	json_end(json);
	json_object(json, "verdicts");
	for (unsigned int i = 0; i < COMPARED_UNJUDGED; i++)
		json_u64(json, compared_verdict_name(i), verdicts[i]);
	json_end(json);
}

void diff_json(const struct diff *diff)
{
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	put_recording(&json, diff, 0);
	put_recording(&json, diff, 1);
	put_settings(&json, diff);
	compared_json(&json, &diff->compared);
	json_bool(&json, "failed", compared_fails(&diff->compared, diff->opts->fails));
	json_end(&json);
}
