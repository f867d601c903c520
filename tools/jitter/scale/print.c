// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the cost of noise for a program on many nodes, as a table and as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "common/histogram.h"
#include "common/json.h"
#include "jitter/report/summary.h"
#include "scale.h"

#define BLAMES_SHOWN	8

static void show_head(const struct scale *scale)
{
	const struct scale_options *opts = scale->opts;
	struct line line;

	for (size_t i = 0; i < scale->count; i++) {
		const struct dataset *dataset = &scale->datasets[i];
		const char *host = evtlog_samples_meta(dataset->samples, "host");

		printf("%s: ", summary_plain(&line, dataset->log_path));
		printf("%s, %zu rank%s per node, %.3f s\n",
		       summary_plain(&line, host ? host : "unknown host"),
		       scale->traced[i].count, scale->traced[i].count == 1 ? "" : "s",
		       scale->traced[i].window_ns / 1e9);
	}
	printf("Phases of %.3f us of work; seed %" PRIu64 ". Noise is %.4f %% of CPU time, "
	       "at most %.3f us.\n", opts->work_ns / 1e3, opts->seed,
	       scale->noise_share * 100, scale->longest_ns / 1e3);
	for (size_t i = 0; i < opts->without_count; i++)
		printf("%s%s%s", i ? ", " : "Without ",
		       summary_plain(&line, opts->without[i]),
		       i + 1 < opts->without_count ? "" : ".\n");
}

static void show_point(const struct scale *scale, const struct scale_point *point)
{
	struct line line;
	char range[32] = "-";

	if (!isnan(point->low))
		snprintf(range, sizeof(range), "%.4f .. %.4f", point->low, point->high);
	printf("%9" PRIu64 "%c %10" PRIu64 " %9u %9.4f %-20s", point->nodes,
	       point->covered < 1 ? '*' : ' ', point->result.ranks, point->result.phases,
	       point->slowdown, range);
	for (unsigned int i = 0; i < SCALE_PERCENTILES; i++)
		if (!sample_size_is_enough(point->result.phases, scale_percents[i]))
			printf(" %11s", "-");
		else
			printf(" %11.3f", point->percentiles_ns[i] / 1e3);
	if (point->blame_count)
		printf("  %s %.1f %%", summary_plain(&line,
		       scale->sources.at[point->blames[0].source].name),
		       100 * point->blames[0].delay_ns / point->delay_ns);
	putchar('\n');
}

static void show_blames(const struct scale *scale, const struct scale_point *point)
{
	struct line line;

	if (!point->blame_count)
		return;
	printf("\nDelay of the last rank of each phase, on %" PRIu64 " node%s:\n", point->nodes,
	       point->nodes == 1 ? "" : "s");
	printf("  %-32s %12s %12s %18s\n", "source", "us/phase", "delay %",
	       "largest in %");
	for (size_t i = 0; i < point->blame_count && i < BLAMES_SHOWN; i++) {
		const struct scale_blame *blame = &point->blames[i];
		const struct traced_source *source = &scale->sources.at[blame->source];

		printf("%c %-32s %12.3f %12.2f %18.2f\n", source->inferred ? '~' : ' ',
		       summary_plain(&line, source->name),
		       blame->delay_ns / point->result.phases / 1e3,
		       100 * blame->delay_ns / point->delay_ns,
		       100.0 * blame->phases / point->result.phases);
	}
}

void scale_show(const struct scale *scale)
{
	bool uncovered = false;

	show_head(scale);
	printf("\n%9s  %10s %9s %9s %-20s", "nodes", "ranks", "phases", "slowdown", "");
	for (unsigned int i = 0; i < SCALE_PERCENTILES; i++) {
		if (i + 1 < SCALE_PERCENTILES)
			printf(" %6g %% us", scale_percents[i]);
		else
			printf(" %11s", "max us");
	}
	printf("  main source\n");
	for (size_t i = 0; i < scale->point_count; i++) {
		show_point(scale, &scale->points[i]);
		uncovered |= scale->points[i].covered < 1;
	}
	show_blames(scale, &scale->points[scale->point_count - 1]);
	printf("\nThe %g %% interval covers the random draws, not what the recording missed by "
	       "chance.\n", scale->opts->level * 100);
	if (uncovered)
		printf("* One phase has more CPU time than the recording: sources rarer than once in "
		       "%.3f s are missing.\n", scale->cpu_ns / 1e9);
}

static void put_blames(struct json *json, const struct scale *scale,
		       const struct scale_point *point)
{
	json_array(json, "sources");
	for (size_t i = 0; i < point->blame_count; i++) {
		const struct scale_blame *blame = &point->blames[i];
		const struct traced_source *source = &scale->sources.at[blame->source];

		json_object(json, NULL);
		json_string(json, "name", source->name);
		json_string(json, "family", summary_family_word(source->family));
		json_bool(json, "inferred", source->inferred);
		json_double(json, "delay_per_phase_ns",
			    blame->delay_ns / point->result.phases, 3);
		json_double(json, "delay_share", blame->delay_ns / point->delay_ns, 6);
		json_double(json, "largest_in_phases_share",
			    (double)blame->phases / point->result.phases, 6);
		json_end(json);
	}
	json_end(json);
}

static void put_point(struct json *json, const struct scale *scale,
		      const struct scale_point *point)
{
	static const char *const keys[SCALE_PERCENTILES] = {
		"phase_p50_ns", "phase_p90_ns", "phase_p99_ns", "phase_p99_9_ns", "phase_max_ns",
	};

	json_object(json, NULL);
	json_u64(json, "nodes", point->nodes);
	json_u64(json, "ranks", point->result.ranks);
	json_u64(json, "phases", point->result.phases);
	json_double(json, "slowdown", point->slowdown, 9);
	json_double(json, "slowdown_low", point->low, 9);
	json_double(json, "slowdown_high", point->high, 9);
	json_double(json, "phase_mean_ns", point->result.mean_ns, 3);
	for (unsigned int i = 0; i < SCALE_PERCENTILES; i++)
		if (sample_size_is_enough(point->result.phases, scale_percents[i]))
			json_u64(json, keys[i], point->percentiles_ns[i]);
		else
			json_null(json, keys[i]);
	json_double(json, "late_phases_share",
		    (double)point->late_phases / point->result.phases, 6);
	json_double(json, "recorded_to_phase", point->covered, 6);
	json_double(json, "computed_s", point->took_s, 3);
	put_blames(json, scale, point);
	json_end(json);
}

void scale_json(const struct scale *scale)
{
	const struct scale_options *opts = scale->opts;
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_array(&json, "recordings");
	for (size_t i = 0; i < scale->count; i++) {
		const struct dataset *dataset = &scale->datasets[i];

		json_object(&json, NULL);
		json_string(&json, "log", dataset->log_path);
		json_string(&json, "host", evtlog_samples_meta(dataset->samples, "host"));
		json_u64(&json, "ranks", scale->traced[i].count);
		json_u64(&json, "window_ns", scale->traced[i].window_ns);
		json_double(&json, "lost_share", scale_lost_share(scale, i), 9);
		json_end(&json);
	}
	json_end(&json);
	json_u64(&json, "work_ns", opts->work_ns);
	json_u64(&json, "seed", opts->seed);
	json_double(&json, "level", opts->level, 6);
	json_array(&json, "without");
	for (size_t i = 0; i < opts->without_count; i++)
		json_string(&json, NULL, opts->without[i]);
	json_end(&json);
	json_u64(&json, "interruptions", scale->interruptions);
	json_double(&json, "noise_share", scale->noise_share, 9);
	json_u64(&json, "longest_ns", scale->longest_ns);
	json_array(&json, "points");
	for (size_t i = 0; i < scale->point_count; i++)
		put_point(&json, scale, &scale->points[i]);
	json_end(&json);
	json_end(&json);
}
