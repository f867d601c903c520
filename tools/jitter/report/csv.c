// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the summary as comma-separated values, one table at a time.
 *
 * Columns are described in evtlog-jitter(1) and do not change.
 */
#include "common/csv.h"
#include "summary.h"

/* Decimals of a time in ns; ticks are integers. */
#define DIGITS	3

static void put_ticks(struct csv *csv, const struct summary *summary, double ticks)
{
	csv_double(csv, evtlog_jitter_ns(summary->jitter, ticks), DIGITS);
}

static void put_thread(struct csv *csv, const struct evtlog_jitter_thread *thread)
{
	if (summary_has_cpu(thread))
		csv_u64(csv, thread->cpu);
	else
		csv_empty(csv);
	csv_u64(csv, thread->pid);
}

static void put_row(struct csv *csv, const struct summary *summary,
		    const struct summary_scope *scope, const struct summary_row *row)
{
	const struct evtlog_jitter_source *source = row->source;

	if (scope->thread) {
		put_thread(csv, scope->thread);
	} else {
		csv_text(csv, "all");
		csv_empty(csv);
	}
	csv_text(csv, source->name);
	csv_text(csv, summary_family_word(source->family));
	csv_bool(csv, source->inferred);
	csv_u64(csv, row->count);
	put_ticks(csv, summary, row->min_ticks);
	put_ticks(csv, summary, row->max_ticks);
	csv_double(csv, summary_row_mean_ns(summary, row), DIGITS);
	put_ticks(csv, summary, row->total_ticks);
	csv_double(csv, summary_row_deviation_ns(summary, row), DIGITS);
	csv_double(csv, summary_share(row->total_ticks, scope->rows_ticks), 9);
	csv_u64(csv, row->total_ticks);
	/* Activations are known only for all CPUs together. */
	if (scope->thread) {
		for (int i = 0; i < 7; i++)
			csv_empty(csv);
	} else {
		csv_u64(csv, source->activations);
		put_ticks(csv, summary, source->activation_min);
		put_ticks(csv, summary, source->activation_max);
		put_ticks(csv, summary, source->period_ticks);
		put_ticks(csv, summary, source->phase_ticks);
		csv_double(csv, source->period_share, 6);
		put_ticks(csv, summary, source->period_spread);
	}
	csv_end(csv);
}

static void put_rows(struct csv *csv, const struct summary *summary,
		     const struct summary_scope *scope)
{
	for (size_t i = 0; i < scope->row_count; i++)
		put_row(csv, summary, scope, &scope->rows[i]);
}

static void sources_csv(const struct summary *summary)
{
	struct csv csv;

	csv_head(&csv, stdout, "cpu,pid,source,family,inferred,count,min_ns,max_ns,mean_ns,"
		 "total_ns,stddev_ns,share,total_ticks,activations,activation_min_ns,"
		 "activation_max_ns,period_ns,phase_ns,period_share,period_spread_ns");
	put_rows(&csv, summary, &summary->all);
	for (size_t i = 0; i < summary->thread_count; i++)
		put_rows(&csv, summary, &summary->scopes[i]);
}

static void samples_csv(const struct summary *summary)
{
	struct csv csv;

	csv_head(&csv, stdout, "sample,cpu,pid,time_ns,noise_ns,kernel_ns,parts_ns,crossing_ns,"
		 "residual_ns,inferred_ns,inferred_source,interruptions,first_interruption,matched,"
		 "excluded,start_ticks,end_ticks,noise_ticks,kernel_ticks,parts_ticks,"
		 "crossing_ticks,residual_ticks");
	for (size_t i = 0; i < summary->sample_count; i++) {
		const struct evtlog_jitter_sample *one = &summary->samples[i];
		const struct evtlog_jitter_thread *thread = &summary->threads[one->thread];

		if (one->flags & EVTLOG_JITTER_BELOW)
			continue;
		csv_u64(&csv, i);
		put_thread(&csv, thread);
		csv_u64(&csv, summary_time_ns(summary, one->thread, one->begin_ticks));
		put_ticks(&csv, summary, one->noise_ticks);
		put_ticks(&csv, summary, one->kernel_ticks);
		put_ticks(&csv, summary, one->parts_ticks);
		put_ticks(&csv, summary, one->crossing_ticks);
		put_ticks(&csv, summary, evtlog_jitter_residual(one));
		put_ticks(&csv, summary, evtlog_jitter_inferred(one));
		if (one->inferred_source < summary->source_count)
			csv_text(&csv, summary->sources[one->inferred_source].name);
		else
			csv_empty(&csv);
		csv_u64(&csv, one->interruptions);
		if (one->interruptions)
			csv_u64(&csv, one->first_interruption);
		else
			csv_empty(&csv);
		csv_bool(&csv, one->flags & EVTLOG_JITTER_MATCHED);
		csv_bool(&csv, one->flags & EVTLOG_JITTER_EXCLUDED);
		csv_u64(&csv, one->begin_ticks);
		csv_u64(&csv, one->end_ticks);
		csv_u64(&csv, one->noise_ticks);
		csv_u64(&csv, one->kernel_ticks);
		csv_u64(&csv, one->parts_ticks);
		csv_u64(&csv, one->crossing_ticks);
		csv_s64(&csv, evtlog_jitter_residual(one));
		csv_end(&csv);
	}
}

static void interruptions_csv(const struct summary *summary)
{
	struct csv csv;

	csv_head(&csv, stdout, "interruption,cpu,pid,time_ns,length_ns,parts,sample,pattern,"
		 "excluded,leave_ticks,enter_ticks");
	for (size_t i = 0; i < summary->interruption_count; i++) {
		const struct evtlog_interruption *one = &summary->interruptions[i];
		const struct evtlog_jitter_thread *thread = &summary->threads[one->thread];

		csv_u64(&csv, i);
		put_thread(&csv, thread);
		csv_u64(&csv, summary_time_ns(summary, one->thread, one->leave_ticks));
		put_ticks(&csv, summary, one->enter_ticks - one->leave_ticks);
		csv_u64(&csv, one->parts);
		if (one->sample == EVTLOG_JITTER_NONE)
			csv_empty(&csv);
		else
			csv_u64(&csv, one->sample);
		if (one->pattern == EVTLOG_JITTER_NONE)
			csv_empty(&csv);
		else
			csv_u64(&csv, one->pattern);
		csv_bool(&csv, one->flags & EVTLOG_JITTER_EXCLUDED);
		csv_u64(&csv, one->leave_ticks);
		csv_u64(&csv, one->enter_ticks);
		csv_end(&csv);
	}
}

static void put_part(struct csv *csv, const struct summary *summary, size_t interruption,
		     const struct evtlog_jitter_part *part)
{
	const struct evtlog_interruption *one = &summary->interruptions[interruption];

	csv_u64(csv, interruption);
	put_thread(csv, &summary->threads[one->thread]);
	csv_u64(csv, summary_time_ns(summary, one->thread, part->begin_ticks));
	put_ticks(csv, summary, part->own_ticks);
	/* A source that is only in excluded interruptions has no row and no name. */
	if (part->source < summary->source_count) {
		csv_text(csv, summary->sources[part->source].name);
		csv_text(csv, summary_family_word(summary->sources[part->source].family));
	} else {
		csv_empty(csv);
		csv_empty(csv);
	}
	csv_u64(csv, part->pid);
	csv_bool(csv, part->activation);
	csv_bool(csv, one->flags & EVTLOG_JITTER_EXCLUDED);
	csv_u64(csv, part->begin_ticks);
	csv_u64(csv, part->end_ticks);
	csv_u64(csv, part->own_ticks);
	csv_end(csv);
}

static void parts_csv(const struct summary *summary)
{
	struct csv csv;

	csv_head(&csv, stdout, "interruption,cpu,interrupted_pid,time_ns,own_ns,source,family,pid,activation,"
		 "excluded,start_ticks,end_ticks,own_ticks");
	for (size_t i = 0; i < summary->interruption_count; i++) {
		const struct evtlog_interruption *one = &summary->interruptions[i];

		for (uint32_t j = 0; j < one->parts; j++)
			put_part(&csv, summary, i, &summary->parts[one->first_part + j]);
	}
}

void summary_csv(const struct summary *summary, enum summary_csv what)
{
	switch (what) {
	case SUMMARY_SOURCES:
		sources_csv(summary);
		break;
	case SUMMARY_SAMPLES:
		samples_csv(summary);
		break;
	case SUMMARY_INTERRUPTIONS:
		interruptions_csv(summary);
		break;
	case SUMMARY_PARTS:
		parts_csv(summary);
		break;
	}
}
