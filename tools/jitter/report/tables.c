// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows an account of jitter as tables: the run, its CPUs, the sources, percentiles.
 *
 * Stage: within `evtlog jitter report`, behind account-sum.c; what is made of single
 * interruptions is in account-single.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "summary.h"
#include "text.h"

#define NAME_WIDTH_MIN	20
#define NAME_WIDTH_MAX	36
/* A share of the noise from which on to say whose it is */
#define MUCH_INFERRED	0.1

const char *account_plain(struct line *line, const char *text)
{
	line->length = 0;
	line_escaped(line, text, strlen(text));
	line_char(line, '\0');
	return line->text;
}

double account_us(const struct account *account, double ticks)
{
	return evtlog_jitter_ns(account->jitter, ticks) / 1000;
}

static const char *plain_meta(const struct account *account, const char *key, struct line *line)
{
	const char *value = account_meta(account, key);

	return account_plain(line, value ? value : "?");
}

/* "99.97 %", or "-" where there is nothing to have a share of. */
static void put_share(double share, int width, const char *unit)
{
	if (isnan(share))
		printf("%*s%s", width, "-", unit);
	else
		printf("%*.2f%s", width, 100 * share, unit);
}

static void show_started(const struct account *account)
{
	uint64_t begin_ns = evtlog_begin_ns(account->recorded->file);
	time_t seconds = evtlog_real_ns(account->recorded->file, begin_ns) / 1000000000;
	char text[32];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%F %T", &tm))
		printf(", started %s UTC", text);
	putchar('\n');
}

static void show_method(const struct account *account)
{
	static const char *const names[] = {
		[EVTLOG_SAMPLES_LOOP] = "a loop that reads the time",
		[EVTLOG_SAMPLES_WORK] = "pieces of work",
		[EVTLOG_SAMPLES_QUANTUM] = "work done in quanta of time",
	};
	const struct evtlog_samples *samples = account->recorded->samples;
	const char *threshold, *governor, *isolated;
	uint32_t method;
	struct line line;

	if (!samples) {
		puts("By the log alone: no samples");
		return;
	}
	method = evtlog_samples_header(samples)->method;
	printf("Measured by %s", method < sizeof(names) / sizeof(names[0]) ?
	       names[method] : "another method");
	threshold = evtlog_samples_meta(samples, "threshold_ns");
	if (threshold)
		printf(", samples of more than %s ns", account_plain(&line, threshold));
	printf("; a tick is %.6f ns", account->summary->ns_per_tick);
	governor = evtlog_samples_meta(samples, "governor");
	if (governor)
		printf("; governor %s", account_plain(&line, governor));
	isolated = evtlog_samples_meta(samples, "isolated");
	if (isolated && *isolated)
		printf("; isolated CPUs %s", account_plain(&line, isolated));
	putchar('\n');
}

static void show_disturbance(const struct account *account)
{
	const struct account_disturbance *disturbance = &account->disturbance;

	if (isnan(disturbance->logged))
		return;
	printf("\n%s CPU lost %.1f us each second (%.4f %%)", account->all.is_cut ?
	       "Over all of the measurement a" : "A", disturbance->logged / 1000,
	       disturbance->logged / 1e7);
	if (isnan(disturbance->unlogged)) {
		puts("; without logging: not measured");
		return;
	}
	printf(", %.1f us without logging", disturbance->unlogged / 1000);
	if (!isnan(disturbance->ratio))
		printf(": factor %.3f", disturbance->ratio);
	putchar('\n');
}

static void show_head(const struct account *account)
{
	const struct evtlog_jitter_summary *summary = account->summary;
	const struct account_scope *all = &account->all;
	struct line line;

	printf("%s, run %" PRIu64, plain_meta(account, "host", &line),
	       evtlog_run(account->recorded->file));
	printf(", Linux %s", plain_meta(account, "kernel", &line));
	show_started(account);
	show_method(account);
	if (account->recorded->samples) {
		printf("\n%" PRIu64 " samples, of which ", all->samples);
		put_share(account_share(all->matched, all->samples), 0, " %");
		printf(" match one interruption each; %" PRIu64 " excluded, %" PRIu64
		       " not kept\n", all->excluded, summary->dropped);
		printf("Noise %.3f us, of which ", account_us(account, all->noise_ticks));
		put_share(account_share(all->kernel_ticks, all->noise_ticks), 0, " %");
		printf(" recorded, ");
		put_share(account_share(all->crossing_ticks, all->noise_ticks), 0, " %");
		printf(" crossings, ");
		put_share(account_share(all->inferred_ticks, all->noise_ticks), 0, " %");
		printf(" other inferred; largest residual %.3f us\n",
		       account_us(account, all->max_residual_ticks));
	}
	printf("%" PRIu64 " interruptions of %.3f us in the log", all->interruptions,
	       account_us(account, all->away_ticks));
	if (account->recorded->samples)
		printf(", %" PRIu64 " of them in no sample", all->unseen);
	putchar('\n');
	if (summary->missed)
		printf("%" PRIu64 " longer than the threshold are in no sample: log and samples contradict each other\n",
		       summary->missed);
	if (!account->recorded->samples && !all->interruptions)
		printf("None of these tasks was interrupted in user mode: 'evtlog stat' tells which ran\n");
	if (account_share(all->inferred_ticks, all->noise_ticks) > MUCH_INFERRED)
		printf("Much was not the kernel's: firmware, a host that ran something else, or the core's other thread (~)\n");
	show_disturbance(account);
}

static void show_scope(const struct account *account, const struct account_scope *scope,
		       const char *label)
{
	const struct evtlog_jitter_thread *thread = scope->thread;
	bool sampled = account->recorded->samples;

	printf("%5s", label);
	if (thread)
		printf(" %8" PRIu32, thread->pid);
	else
		printf(" %8s", "");
	printf(" %11.3f", account_us(account, scope->window_ticks) / 1e6);
	if (thread && sampled && thread->period_ticks)
		printf(" %8.1f", account_us(account, thread->period_ticks) * 1000);
	else
		printf(" %8s", thread ? "-" : "");
	if (thread && sampled)
		printf(" %8.1f", account_us(account, thread->crossing_ticks) * 1000);
	else
		printf(" %8s", thread ? "-" : "");
	if (sampled) {
		printf(" %9" PRIu64, scope->samples);
		put_share(account_share(scope->matched, scope->samples), 8, "");
		put_share(account_share(scope->kernel_ticks, scope->noise_ticks), 9, "");
		printf(" %8" PRIu64, scope->excluded);
	} else {
		printf(" %9s %7s %8s %8s", "-", "-", "-", "-");
	}
	printf(" %9" PRIu64, scope->interruptions);
	put_share(account_lost_share(account, scope), 8, "");
	putchar('\n');
}

static void show_scopes(const struct account *account)
{
	char label[16];

	printf("\n%5s %8s %11s %8s %8s %9s %7s %8s %8s %9s %7s\n"
	       "%5s %8s %11s %8s %8s %9s %7s %8s %8s %9s %7s\n",
	       "CPU", "pid", "time", "loop", "crossing", "samples", "matched", "recorded",
	       "excluded", "interr.", "lost",
	       "", "", "s", "ns", "ns", "", "%", "%", "", "", "%");
	for (size_t i = 0; i < account->thread_count; i++) {
		if (account_has_cpu(&account->threads[i]))
			snprintf(label, sizeof(label), "%" PRIu32, account->threads[i].cpu);
		else
			strcpy(label, "any");
		show_scope(account, &account->scopes[i], label);
	}
	if (account->thread_count != 1)
		show_scope(account, &account->all, "all");
}

static int name_width(const struct account_scope *scope)
{
	int width = NAME_WIDTH_MIN;
	struct line line;

	for (size_t i = 0; i < scope->row_count; i++) {
		int length = strlen(account_plain(&line, scope->rows[i].source->name)) + 2;

		if (length > width)
			width = length;
	}
	return width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
}

/* "10.000 from 1.234, 98 %": each 10 ms, first 1.234 ms after the start, 98 % of them. */
static void show_period(const struct account *account, const struct evtlog_jitter_source *source)
{
	double period_ms = account_us(account, source->period_ticks) / 1000;

	if (!source->period_ticks)
		return;
	printf("  %.3f from %.3f, %.0f %%", period_ms,
	       account_us(account, source->phase_ticks) / 1000, 100 * source->period_share);
}

static void show_row(const struct account *account, const struct account_scope *scope,
		     const struct account_row *row, int width)
{
	const struct evtlog_jitter_source *source = row->source;
	struct line line;

	printf("%c %-*s %-9s %9.3f %11.3f %8" PRIu64 " %10.3f %13.3f %9.3f",
	       source->inferred ? '~' : ' ', width - 2, account_plain(&line, source->name),
	       account_family_word(source->family), account_us(account, row->min_ticks),
	       account_us(account, row->max_ticks), row->count,
	       account_row_mean_ns(account, row) / 1000, account_us(account, row->total_ticks),
	       account_row_deviation_ns(account, row) / 1000);
	put_share(account_share(row->total_ticks, scope->rows_ticks), 8, "");
	if (!scope->thread) {
		printf(" %8" PRIu64, source->activations);
		show_period(account, source);
	}
	putchar('\n');
}

static void show_table(const struct account *account, const struct account_scope *scope)
{
	int width = name_width(scope);
	bool inferred = false;

	if (scope->thread && account_has_cpu(scope->thread))
		printf("\nSources on CPU %" PRIu32, scope->thread->cpu);
	else if (scope->thread)
		printf("\nSources for task %" PRIu32, scope->thread->pid);
	else
		printf("\nSources");
	printf("; times in us, a part's own without what is nested in it\n");
	printf("%-*s %-9s %9s %11s %8s %10s %13s %9s %7s", width, "source", "family", "lowest",
	       "highest", "count", "mean", "total", "std dev", "share %");
	puts(scope->thread ? "" : "  wakings  period in ms");
	for (size_t i = 0; i < scope->row_count; i++) {
		show_row(account, scope, &scope->rows[i], width);
		inferred |= scope->rows[i].source->inferred;
	}
	if (!scope->row_count)
		puts("  nothing");
	if (inferred)
		puts("~ inferred: not recorded by the kernel, but what is left of the samples");
}

static void show_families(const struct account *account)
{
	const struct account_scope *all = &account->all;

	printf("\n%-20s %9s %15s %7s\n", "Family", "count", "total us", "share %");
	for (int i = 0; i < EVTLOG_FAMILIES; i++) {
		const struct account_family *family = &all->families[i];
		bool inferred = i == EVTLOG_FAMILY_SMT || i == EVTLOG_FAMILY_HARDWARE;

		printf("%c %-18s %9" PRIu64 " %15.3f", inferred ? '~' : ' ',
		       evtlog_jitter_family_name(i), family->count,
		       account_us(account, family->total_ticks));
		put_share(account_share(family->total_ticks, all->rows_ticks), 8, "");
		putchar('\n');
	}
	printf("  %-18s %9s %15.3f", "all", "", account_us(account, all->rows_ticks));
	put_share(account_share(all->rows_ticks, all->rows_ticks), 8, "\n");
}

static void show_percentiles(const struct account *account, const char *label,
			     const struct account_distribution *of)
{
	printf("%-16s %9zu", label, of->count);
	for (unsigned int i = 0; i < ACCOUNT_PERCENTILES; i++) {
		uint64_t value = of->percentiles[i];

		if (value == UINT64_MAX)
			printf(" %11s", "-");
		else
			printf(" %11.3f", account_us(account, value));
	}
	putchar('\n');
}

static void show_distribution(const struct account *account)
{
	printf("\n%-16s %9s", "Percentiles, us", "count");
	for (unsigned int i = 0; i < ACCOUNT_PERCENTILES - 1; i++)
		printf(" %11g", account_percents[i]);
	printf(" %11s\n", "max");
	show_percentiles(account, "  interruptions", &account->all.lengths);
	if (account->recorded->samples)
		show_percentiles(account, "  samples", &account->all.noises);
}

void account_show(const struct account *account, const struct account_wish *wish)
{
	show_head(account);
	show_scopes(account);
	show_table(account, &account->all);
	if (wish->per_cpu)
		for (size_t i = 0; i < account->thread_count; i++)
			show_table(account, &account->scopes[i]);
	show_families(account);
	show_distribution(account);
	account_show_largest(account);
	account_show_patterns(account, wish->patterns);
	account_show_chains(account, wish->patterns);
}
