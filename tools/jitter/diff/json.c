// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a comparison of two recordings as JSON.
 */
#include <math.h>
#include <stdio.h>

#include "common/json.h"
#include "diff.h"
#include "jitter/report/summary.h"

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

void diff_json(const struct diff *diff)
{
	const struct compared *compared = &diff->compared;
	uint64_t verdicts[COMPARED_VERDICTS] = { 0 };
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	put_recording(&json, diff, 0);
	put_recording(&json, diff, 1);
	put_settings(&json, diff);
	json_double(&json, "level", compared->level, 6);
	json_double(&json, "min_change_share", compared->least_change, 6);
	json_u64(&json, "seed", compared->seed);
	json_double(&json, "block_ns", compared->block_ns, 1);
	json_u64(&json, "tests", compared->questions);
	if (compared->seen_from)
		json_u64(&json, "new_from_blocks", compared->seen_from);
	else
		json_null(&json, "new_from_blocks");
	json_array(&json, "sources");
	for (size_t i = 0; i < compared->count; i++) {
		put_source(&json, compared, &compared->sources[i]);
		verdicts[compared->sources[i].verdict]++;
	}
	json_end(&json);
	json_object(&json, "verdicts");
	for (unsigned int i = 0; i < COMPARED_UNJUDGED; i++)
		json_u64(&json, compared_verdict_name(i), verdicts[i]);
	json_end(&json);
	json_bool(&json, "failed", diff_fails(diff));
	json_end(&json);
}
