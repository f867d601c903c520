// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the summary as tables: the run, its CPUs, the sources, percentiles.
 *
 * Single interruptions are in details.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "summary.h"

#define NAME_WIDTH_MIN	20
#define NAME_WIDTH_MAX	36
/* If a larger share of the noise is inferred, explain its possible sources. */
#define MUCH_INFERRED	0.1

const char *summary_plain(struct line *line, const char *text)
{
	line->length = 0;
	line_escaped(line, text, strlen(text));
	line_char(line, '\0');
	return line->text;
}

double summary_us(const struct summary *summary, double ticks)
{
	return evtlog_jitter_ns(summary->jitter, ticks) / 1000;
}

static const char *plain_meta(const struct summary *summary, const char *key, struct line *line)
{
	const char *value = summary_meta(summary, key);

	return summary_plain(line, value ? value : "?");
}

/* "99.97 %", or "-" for NAN. */
static void put_share(double share, int width, const char *unit)
{
	if (isnan(share))
		printf("%*s%s", width, "-", unit);
	else
		printf("%*.2f%s", width, 100 * share, unit);
}

static void show_started(const struct summary *summary)
{
	uint64_t begin_ns = evtlog_begin_ns(summary->dataset->file);
	time_t seconds = evtlog_real_ns(summary->dataset->file, begin_ns) / 1000000000;
	char text[32];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%F %T", &tm))
		printf(", started %s UTC", text);
	putchar('\n');
}

static void show_method(const struct summary *summary)
{
	static const char *const names[] = {
		[EVTLOG_SAMPLES_LOOP] = "detour (a loop reads the tick counter)",
		[EVTLOG_SAMPLES_WORK] = "FWQ (fixed work)",
		[EVTLOG_SAMPLES_QUANTUM] = "FTQ (fixed time)",
	};
	const struct evtlog_samples *samples = summary->dataset->samples;
	const char *threshold, *governor, *isolated;
	uint32_t method;
	struct line line;

	if (!samples) {
		puts("No samples: from the log alone");
		return;
	}
	method = evtlog_samples_header(samples)->method;
	printf("Method %s", method < sizeof(names) / sizeof(names[0]) ?
	       names[method] : "unknown");
	threshold = evtlog_samples_meta(samples, "threshold_ns");
	if (threshold)
		printf(", threshold %s ns", summary_plain(&line, threshold));
	printf(", %.6f ns per tick", summary->summary->ns_per_tick);
	governor = evtlog_samples_meta(samples, "governor");
	if (governor)
		printf(", governor %s", summary_plain(&line, governor));
	isolated = evtlog_samples_meta(samples, "isolated");
	if (isolated && *isolated)
		printf(", isolated CPUs %s", summary_plain(&line, isolated));
	putchar('\n');
}

static void show_disturbance(const struct summary *summary)
{
	const struct summary_disturbance *disturbance = &summary->disturbance;

	if (isnan(disturbance->logged))
		return;
	printf("\nNoise per CPU%s: %.1f us/s (%.4f %%) with logging", summary->all.is_cut ?
	       ", whole measurement" : "", disturbance->logged / 1000,
	       disturbance->logged / 1e7);
	if (isnan(disturbance->unlogged)) {
		puts("; not measured without");
		return;
	}
	printf(", %.1f us/s without", disturbance->unlogged / 1000);
	if (!isnan(disturbance->ratio))
		printf(", ratio %.3f", disturbance->ratio);
	putchar('\n');
}

static void show_stolen(const struct summary *summary)
{
	const struct summary_scope *all = &summary->all;

	if (all->stolen_ms > 0)
		printf("The hypervisor did not run the measured CPUs for %.3f ms: this time is in the row 'stolen by the hypervisor' and in the rows of sources that ran meanwhile\n",
		       all->stolen_ms);
	if (summary_share(all->inferred_ticks, all->noise_ticks) > MUCH_INFERRED)
		printf("Much noise is not from the kernel: firmware, the hypervisor%s, or the core's other thread (~)\n",
		       isnan(all->stolen_ms) ? " (its share is unknown: the kernel has no steal clock)" : "");
}

static void show_head(const struct summary *summary)
{
	const struct evtlog_jitter_summary *whole = summary->summary;
	const struct summary_scope *all = &summary->all;
	struct line line;

	printf("%s, run %" PRIu64, plain_meta(summary, "host", &line),
	       evtlog_run(summary->dataset->file));
	printf(", Linux %s", plain_meta(summary, "kernel", &line));
	show_started(summary);
	show_method(summary);
	if (summary->dataset->samples) {
		printf("\nSamples %" PRIu64 ", matched ", all->samples);
		put_share(summary_share(all->matched, all->samples), 0, " %");
		printf(", excluded %" PRIu64 ", dropped %" PRIu64 "\n", all->excluded, whole->dropped);
		printf("Noise %.3f us: recorded ", summary_us(summary, all->noise_ticks));
		put_share(summary_share(all->kernel_ticks, all->noise_ticks), 0, " %");
		printf(", crossings ");
		put_share(summary_share(all->crossing_ticks, all->noise_ticks), 0, " %");
		printf(", other inferred ");
		put_share(summary_share(all->inferred_ticks, all->noise_ticks), 0, " %");
		printf("; largest residual %.3f us\n",
		       summary_us(summary, all->max_residual_ticks));
	}
	printf("Interruptions in the log %" PRIu64 ", total %.3f us", all->interruptions,
	       summary_us(summary, all->away_ticks));
	if (summary->dataset->samples)
		printf(", %" PRIu64 " in no sample", all->unseen);
	putchar('\n');
	if (whole->missed)
		printf("%" PRIu64 " above the threshold are in no sample: log and samples contradict each other\n",
		       whole->missed);
	if (!summary->dataset->samples && !all->interruptions)
		printf("No interruption of these tasks in user mode: 'evtlog stat' shows which tasks ran\n");
	show_stolen(summary);
	show_disturbance(summary);
}

static void show_scope(const struct summary *summary, const struct summary_scope *scope,
		       const char *label)
{
	const struct evtlog_jitter_thread *thread = scope->thread;
	bool sampled = summary->dataset->samples;

	printf("%5s", label);
	if (thread)
		printf(" %8" PRIu32, thread->pid);
	else
		printf(" %8s", "");
	printf(" %11.3f", summary_us(summary, scope->window_ticks) / 1e6);
	if (thread && sampled && thread->period_ticks)
		printf(" %8.1f", summary_us(summary, thread->period_ticks) * 1000);
	else
		printf(" %8s", thread ? "-" : "");
	if (thread && sampled)
		printf(" %8.1f", summary_us(summary, thread->crossing_ticks) * 1000);
	else
		printf(" %8s", thread ? "-" : "");
	if (sampled) {
		printf(" %9" PRIu64, scope->samples);
		put_share(summary_share(scope->matched, scope->samples), 8, "");
		put_share(summary_share(scope->kernel_ticks, scope->noise_ticks), 9, "");
		printf(" %8" PRIu64, scope->excluded);
	} else {
		printf(" %9s %7s %8s %8s", "-", "-", "-", "-");
	}
	printf(" %9" PRIu64, scope->interruptions);
	put_share(summary_lost_share(summary, scope), 8, "");
	putchar('\n');
}

static void show_scopes(const struct summary *summary)
{
	char label[16];

	printf("\n%5s %8s %11s %8s %8s %9s %7s %8s %8s %9s %7s\n"
	       "%5s %8s %11s %8s %8s %9s %7s %8s %8s %9s %7s\n",
	       "CPU", "pid", "time", "loop", "crossing", "samples", "matched", "recorded",
	       "excluded", "interr.", "lost",
	       "", "", "s", "ns", "ns", "", "%", "%", "", "", "%");
	for (size_t i = 0; i < summary->thread_count; i++) {
		if (summary_has_cpu(&summary->threads[i]))
			snprintf(label, sizeof(label), "%" PRIu32, summary->threads[i].cpu);
		else
			strcpy(label, "any");
		show_scope(summary, &summary->scopes[i], label);
	}
	if (summary->thread_count != 1)
		show_scope(summary, &summary->all, "all");
}

static int name_width(const struct summary_scope *scope)
{
	int width = NAME_WIDTH_MIN;
	struct line line;

	for (size_t i = 0; i < scope->row_count; i++) {
		int length = strlen(summary_plain(&line, scope->rows[i].source->name)) + 2;

		if (length > width)
			width = length;
	}
	return width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
}

/* "10.000 from 1.234, 98 %": every 10 ms, first 1.234 ms after the start, 98 % in time. */
static void show_period(const struct summary *summary, const struct evtlog_jitter_source *source)
{
	double period_ms = summary_us(summary, source->period_ticks) / 1000;

	if (!source->period_ticks)
		return;
	printf("  %.3f from %.3f, %.0f %%", period_ms,
	       summary_us(summary, source->phase_ticks) / 1000, 100 * source->period_share);
}

static void show_row(const struct summary *summary, const struct summary_scope *scope,
		     const struct summary_row *row, int width)
{
	const struct evtlog_jitter_source *source = row->source;
	struct line line;

	printf("%c %-*s %-9s %9.3f %11.3f %8" PRIu64 " %10.3f %13.3f %9.3f",
	       source->inferred ? '~' : ' ', width - 2, summary_plain(&line, source->name),
	       summary_family_word(source->family), summary_us(summary, row->min_ticks),
	       summary_us(summary, row->max_ticks), row->count,
	       summary_row_mean_ns(summary, row) / 1000, summary_us(summary, row->total_ticks),
	       summary_row_deviation_ns(summary, row) / 1000);
	put_share(summary_share(row->total_ticks, scope->rows_ticks), 8, "");
	if (!scope->thread) {
		printf(" %8" PRIu64, source->activations);
		show_period(summary, source);
	}
	putchar('\n');
}

static void show_table(const struct summary *summary, const struct summary_scope *scope)
{
	int width = name_width(scope);
	bool inferred = false;

	if (scope->thread && summary_has_cpu(scope->thread))
		printf("\nSources on CPU %" PRIu32, scope->thread->cpu);
	else if (scope->thread)
		printf("\nSources for task %" PRIu32, scope->thread->pid);
	else
		printf("\nSources");
	printf("; times in us, without nested sources\n");
	printf("%-*s %-9s %9s %11s %8s %10s %13s %9s %7s", width, "source", "family", "min",
	       "max", "count", "mean", "total", "std dev", "share %");
	puts(scope->thread ? "" : " wake-ups  period ms");
	for (size_t i = 0; i < scope->row_count; i++) {
		show_row(summary, scope, &scope->rows[i], width);
		inferred |= scope->rows[i].source->inferred;
	}
	if (!scope->row_count)
		puts("  none");
	if (inferred)
		puts("~ inferred: the part of the samples that the kernel did not record");
}

static void show_families(const struct summary *summary)
{
	const struct summary_scope *all = &summary->all;

	printf("\n%-20s %9s %15s %7s\n", "Family", "count", "total us", "share %");
	for (int i = 0; i < EVTLOG_FAMILIES; i++) {
		const struct summary_family *family = &all->families[i];
		bool inferred = i == EVTLOG_FAMILY_SMT || i == EVTLOG_FAMILY_HARDWARE;

		printf("%c %-18s %9" PRIu64 " %15.3f", inferred ? '~' : ' ',
		       evtlog_jitter_family_name(i), family->count,
		       summary_us(summary, family->total_ticks));
		put_share(summary_share(family->total_ticks, all->rows_ticks), 8, "");
		putchar('\n');
	}
	printf("  %-18s %9s %15.3f", "all", "", summary_us(summary, all->rows_ticks));
	put_share(summary_share(all->rows_ticks, all->rows_ticks), 8, "\n");
}

static void show_percentiles(const struct summary *summary, const char *label,
			     const struct summary_distribution *of)
{
	printf("%-16s %9zu", label, of->count);
	for (unsigned int i = 0; i < SUMMARY_PERCENTILES; i++) {
		uint64_t value = of->percentiles[i];

		if (value == UINT64_MAX)
			printf(" %11s", "-");
		else
			printf(" %11.3f", summary_us(summary, value));
	}
	putchar('\n');
}

static void show_distribution(const struct summary *summary)
{
	printf("\n%-16s %9s", "Percentiles, us", "count");
	for (unsigned int i = 0; i < SUMMARY_PERCENTILES - 1; i++)
		printf(" %11g", summary_percents[i]);
	printf(" %11s\n", "max");
	show_percentiles(summary, "  interruptions", &summary->all.lengths);
	if (summary->dataset->samples)
		show_percentiles(summary, "  samples", &summary->all.noises);
}

void summary_show(const struct summary *summary, const struct summary_options *opts)
{
	show_head(summary);
	show_scopes(summary);
	show_table(summary, &summary->all);
	if (opts->per_cpu)
		for (size_t i = 0; i < summary->thread_count; i++)
			show_table(summary, &summary->scopes[i]);
	show_families(summary);
	show_distribution(summary);
	summary_show_largest(summary);
	summary_show_patterns(summary, opts->patterns);
	summary_show_chains(summary, opts->patterns);
}
