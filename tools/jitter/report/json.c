// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the summary as JSON.
 *
 * The keys are described in evtlog-jitter(1) and do not change.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "summary.h"

static void put_ns(struct json *json, const struct summary *summary, const char *key,
		   double ticks)
{
	json_double(json, key, evtlog_jitter_ns(summary->jitter, ticks), 3);
}

/* 0 ticks means that there is no value. */
static void put_ns_or_null(struct json *json, const struct summary *summary, const char *key,
			   double ticks)
{
	put_ns(json, summary, key, ticks ? ticks : NAN);
}

/* A number from the text of the samples' file, which can contain anything. */
static void put_number(struct json *json, const char *key, const char *text)
{
	char *end;
	uint64_t value = text ? strtoull(text, &end, 10) : 0;

	if (text && *text >= '0' && *text <= '9' && !*end)
		json_u64(json, key, value);
	else
		json_null(json, key);
}

static void cpu_json(struct json *json, const struct evtlog_jitter_thread *thread)
{
	if (summary_has_cpu(thread))
		json_u64(json, "cpu", thread->cpu);
	else
		json_null(json, "cpu");
	json_u64(json, "pid", thread->pid);
}

static void row_json(struct json *json, const struct summary *summary,
		     const struct summary_scope *scope, const struct summary_row *row)
{
	const struct evtlog_jitter_source *source = row->source;

	json_object(json, NULL);
	json_string(json, "name", source->name);
	json_string(json, "family", summary_family_word(source->family));
	json_bool(json, "inferred", source->inferred);
	json_u64(json, "count", row->count);
	put_ns(json, summary, "min_ns", row->min_ticks);
	put_ns(json, summary, "max_ns", row->max_ticks);
	json_double(json, "mean_ns", summary_row_mean_ns(summary, row), 3);
	put_ns(json, summary, "total_ns", row->total_ticks);
	json_double(json, "stddev_ns", summary_row_deviation_ns(summary, row), 3);
	json_double(json, "share", summary_share(row->total_ticks, scope->rows_ticks), 9);
	json_u64(json, "total_ticks", row->total_ticks);
	if (!scope->thread) {
		json_u64(json, "activations", source->activations);
		if (source->activations)
			put_ns(json, summary, "activation_mean_ns",
			       (double)row->total_ticks / source->activations);
		else
			json_null(json, "activation_mean_ns");
		put_ns(json, summary, "activation_min_ns", source->activation_min);
		put_ns(json, summary, "activation_max_ns", source->activation_max);
		put_ns_or_null(json, summary, "period_ns", source->period_ticks);
		put_ns(json, summary, "phase_ns", source->period_ticks ?
		       source->phase_ticks : NAN);
		json_double(json, "period_share", source->period_ticks ?
			    source->period_share : NAN, 6);
		put_ns(json, summary, "period_spread_ns", source->period_ticks ?
		       source->period_spread : NAN);
	}
	json_end(json);
}

static void rows_json(struct json *json, const struct summary *summary,
		      const struct summary_scope *scope)
{
	json_array(json, "sources");
	for (size_t i = 0; i < scope->row_count; i++)
		row_json(json, summary, scope, &scope->rows[i]);
	json_end(json);
}

static void percentiles_json(struct json *json, const struct summary *summary, const char *key,
			     const struct summary_distribution *of)
{
	static const char *const names[SUMMARY_PERCENTILES] = {
		"p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "p99_999_ns", "max_ns",
	};

	json_object(json, key);
	json_u64(json, "count", of->count);
	for (unsigned int i = 0; i < SUMMARY_PERCENTILES; i++) {
		uint64_t value = of->percentiles[i];

		put_ns(json, summary, names[i], value == UINT64_MAX ? NAN : value);
	}
	json_end(json);
}

static void scope_json(struct json *json, const struct summary *summary,
		       const struct summary_scope *scope)
{
	bool sampled = summary->dataset->samples;
	double attributed = sampled ? summary_share(scope->kernel_ticks, scope->noise_ticks) : NAN;

	json_u64(json, "samples_over_threshold", scope->samples);
	json_u64(json, "matched_samples", scope->matched);
	json_double(json, "matched_share", sampled ?
		    summary_share(scope->matched, scope->samples) : NAN, 9);
	json_double(json, "attributed_share", attributed, 9);
	json_u64(json, "excluded_samples", scope->excluded);
	put_ns(json, summary, "max_residual_ns", sampled ? scope->max_residual_ticks : NAN);
	put_ns(json, summary, "noise_ns", scope->noise_ticks);
	put_ns(json, summary, "recorded_ns", scope->kernel_ticks);
	put_ns(json, summary, "crossing_ns", scope->crossing_ticks);
	put_ns(json, summary, "inferred_ns", scope->inferred_ticks);
	put_ns(json, summary, "below_ns", scope->is_cut ? NAN : scope->below_ticks);
	json_double(json, "lost_share", summary_lost_share(summary, scope), 9);
	json_u64(json, "interruptions", scope->interruptions);
	put_ns(json, summary, "interruptions_ns", scope->away_ticks);
	json_u64(json, "unsampled_interruptions", scope->unseen);
	put_ns(json, summary, "window_ns", scope->window_ticks);
	put_ns(json, summary, "sources_ns", scope->rows_ticks);
}

static void cpus_json(struct json *json, const struct summary *summary)
{
	json_array(json, "cpus");
	for (size_t i = 0; i < summary->thread_count; i++) {
		const struct evtlog_jitter_thread *thread = &summary->threads[i];

		json_object(json, NULL);
		cpu_json(json, thread);
		json_u64(json, "from_ns", summary_time_ns(summary, i, thread->begin_ticks));
		put_ns_or_null(json, summary, "loop_ns", thread->period_ticks);
		put_ns(json, summary, "crossing_each_ns", thread->crossing_ticks);
		json_u64(json, "lost_records", thread->lost);
		put_ns(json, summary, "lost_ns", thread->lost_ticks);
		json_double(json, "stolen_ms", summary->scopes[i].stolen_ms, 9);
		scope_json(json, summary, &summary->scopes[i]);
		percentiles_json(json, summary, "percentiles", &summary->scopes[i].lengths);
		rows_json(json, summary, &summary->scopes[i]);
		json_end(json);
	}
	json_end(json);
}

static void families_json(struct json *json, const struct summary *summary)
{
	json_array(json, "families");
	for (int i = 0; i < EVTLOG_FAMILIES; i++) {
		const struct summary_family *family = &summary->all.families[i];

		json_object(json, NULL);
		json_string(json, "family", summary_family_word(i));
		json_string(json, "name", evtlog_jitter_family_name(i));
		json_u64(json, "count", family->count);
		put_ns(json, summary, "total_ns", family->total_ticks);
		json_double(json, "share", summary_share(family->total_ticks,
							summary->all.rows_ticks), 9);
		json_end(json);
	}
	json_end(json);
}

static void part_json(struct json *json, const struct summary *summary,
		      const struct evtlog_interruption *one,
		      const struct evtlog_jitter_part *part)
{
	const struct evtlog_jitter_source *source = &summary->sources[part->source];

	json_object(json, NULL);
	json_string(json, "name", source->name);
	json_string(json, "family", summary_family_word(source->family));
	put_ns(json, summary, "start_ns", part->begin_ticks - one->leave_ticks);
	put_ns(json, summary, "own_ns", part->own_ticks);
	json_u64(json, "pid", part->pid);
	json_bool(json, "activation", part->activation);
	json_end(json);
}

static void interruption_json(struct json *json, const struct summary *summary, uint32_t number)
{
	const struct evtlog_interruption *one = &summary->interruptions[number];
	const struct evtlog_jitter_thread *thread = &summary->threads[one->thread];
	uint64_t sum = 0;

	for (uint32_t i = 0; i < one->parts; i++)
		sum += summary->parts[one->first_part + i].own_ticks;
	json_object(json, NULL);
	json_u64(json, "interruption", number);
	cpu_json(json, thread);
	json_u64(json, "time_ns", summary_time_ns(summary, one->thread, one->leave_ticks));
	put_ns(json, summary, "length_ns", one->enter_ticks - one->leave_ticks);
	put_ns(json, summary, "parts_ns", sum);
	if (one->sample == EVTLOG_JITTER_NONE) {
		json_null(json, "sample");
	} else {
		const struct evtlog_jitter_sample *sample = &summary->samples[one->sample];

		json_object(json, "sample");
		json_u64(json, "interruptions", sample->interruptions);
		put_ns(json, summary, "noise_ns", sample->noise_ticks);
		put_ns(json, summary, "kernel_ns", sample->kernel_ticks);
		put_ns(json, summary, "crossing_ns", sample->crossing_ticks);
		put_ns(json, summary, "residual_ns", evtlog_jitter_residual(sample));
		json_end(json);
	}
	json_array(json, "parts");
	for (uint32_t i = 0; i < one->parts; i++)
		part_json(json, summary, one, &summary->parts[one->first_part + i]);
	json_end(json);
	json_end(json);
}

/* Keys that patterns and chains share; @sources: of the pattern or chain */
static void put_pattern(struct json *json, const struct summary *summary,
			const struct evtlog_jitter_pattern *pattern, const uint32_t *sources)
{
	json_u64(json, "count", pattern->count);
	put_ns(json, summary, "min_ns", pattern->min_ticks);
	put_ns(json, summary, "max_ns", pattern->max_ticks);
	put_ns(json, summary, "mean_ns", summary_share(pattern->total_ticks, pattern->count));
	put_ns(json, summary, "total_ns", pattern->total_ticks);
	json_array(json, "sources");
	for (uint32_t i = 0; i < pattern->length; i++)
		json_string(json, NULL, summary->sources[sources[i]].name);
	json_end(json);
}

static void pattern_json(struct json *json, const struct summary *summary, size_t number)
{
	const struct evtlog_jitter_pattern *pattern = &summary->patterns[number];

	json_object(json, NULL);
	json_u64(json, "pattern", number);
	put_pattern(json, summary, pattern,
		    evtlog_jitter_pattern_sources(summary->jitter, pattern));
	json_end(json);
}

static void chains_json(struct json *json, const struct summary *summary, uint32_t wanted)
{
	json_array(json, "chains");
	for (size_t i = 0; i < summary->chain_count && i < wanted; i++) {
		const struct evtlog_jitter_pattern *chain = &summary->chains[i];

		json_object(json, NULL);
		put_pattern(json, summary, chain,
			    evtlog_jitter_chain_sources(summary->jitter, chain));
		json_end(json);
	}
	json_end(json);
}

static void patterns_json(struct json *json, const struct summary *summary, uint32_t wanted)
{
	size_t shown = 0;

	json_array(json, "patterns");
	for (size_t i = 0; i < summary->pattern_count && shown < wanted; i++) {
		if (summary->patterns[i].count < 2)
			continue;
		pattern_json(json, summary, i);
		shown++;
	}
	json_end(json);
}

static const char *method_name(const struct summary *summary)
{
	uint32_t method;

	if (!summary->dataset->samples)
		return NULL;
	method = evtlog_samples_header(summary->dataset->samples)->method;
	return method < DATASET_METHODS ? dataset_methods[method] : NULL;
}

static void run_json(struct json *json, const struct summary *summary)
{
	const struct dataset *dataset = summary->dataset;

	json_string(json, "file", dataset->log_path);
	json_string(json, "samples_file", dataset->samples_path);
	json_string(json, "host", summary_meta(summary, "host"));
	json_string(json, "kernel", summary_meta(summary, "kernel"));
	json_string(json, "cmdline", summary_meta(summary, "cmdline"));
	json_string(json, "isolated", summary_meta(summary, "isolated"));
	json_string(json, "governor", summary_meta(summary, "governor"));
	json_u64(json, "run", evtlog_run(dataset->file));
	json_s64(json, "start_real_ns", evtlog_real_ns(dataset->file,
							 evtlog_begin_ns(dataset->file)));
	json_string(json, "method", method_name(summary));
	put_number(json, "threshold_ns", dataset->samples ?
		   evtlog_samples_meta(dataset->samples, "threshold_ns") : NULL);
	json_double(json, "stolen_ms", summary->all.stolen_ms, 9);
	json_double(json, "ns_per_tick", summary->summary->ns_per_tick, 12);
}

static void disturbance_json(struct json *json, const struct summary *summary)
{
	const struct summary_disturbance *disturbance = &summary->disturbance;

	json_object(json, "disturbance");
	json_double(json, "logged_noise_ns_per_s", disturbance->logged, 3);
	json_double(json, "unlogged_noise_ns_per_s", disturbance->unlogged, 3);
	json_double(json, "ratio", disturbance->ratio, 6);
	json_end(json);
}

void summary_json(const struct summary *summary, const struct summary_options *opts)
{
	const struct summary_scope *all = &summary->all;
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	run_json(&json, summary);
	scope_json(&json, summary, all);
	json_u64(&json, "dropped_samples", summary->summary->dropped);
	json_u64(&json, "missed_interruptions", summary->summary->missed);
	disturbance_json(&json, summary);
	rows_json(&json, summary, all);
	families_json(&json, summary);
	percentiles_json(&json, summary, "percentiles", &all->lengths);
	percentiles_json(&json, summary, "sample_percentiles", &all->noises);
	cpus_json(&json, summary);
	json_array(&json, "largest");
	for (size_t i = 0; i < summary->largest_count; i++)
		interruption_json(&json, summary, summary->largest[i]);
	json_end(&json);
	patterns_json(&json, summary, opts->patterns);
	chains_json(&json, summary, opts->patterns);
	json_end(&json);
}
