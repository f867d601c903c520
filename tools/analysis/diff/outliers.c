// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds hosts that differ from most others.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stat/partial.h"
#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/linebuf.h"
#include "input/open-log.h"
#include "lib/base/array.h"
#include "outliers.h"

/* A score from which on a host is odd: by chance less than 1 of 10^8 values has it */
#define SCORE_ODD	6
/* Smaller relative differences are not odd, however alike the others are. */
#define CHANGE_MIN	0.1
/* Smaller shares, and rates per second, are taken as equal to 0. */
#define SHARE_MIN	0.001
#define RATE_MIN	1

static const struct {
	const char *name;
	const char *text;
} measures[OUTLIER_MEASURES] = {
	[OUTLIER_SWITCHES] = { "switches_per_s", "switches/s" },
	[OUTLIER_MIGRATIONS] = { "migrations_per_s", "migrations/s" },
	[OUTLIER_TASKS] = { "task_share", "tasks" },
	[OUTLIER_SOFTIRQS] = { "softirq_share", "softirqs" },
	[OUTLIER_IRQS] = { "irq_share", "interrupts" },
	[OUTLIER_UNKNOWN] = { "unknown_share", "unknown" },
};

static bool is_share(enum outlier_measure measure)
{
	return measure >= OUTLIER_TASKS;
}

/* ---- Reading ---- */

static int add(struct outliers *outliers, const char *host, const struct stat_total *total)
{
	struct outlier_host *row = NULL;

	for (size_t i = 0; i < outliers->count && !row; i++)
		if (!strcmp(outliers->hosts[i].name, host))
			row = &outliers->hosts[i];
	if (!row) {
		if (array_reserve(&outliers->hosts, &outliers->capacity, outliers->count,
				  sizeof(*outliers->hosts)))
			return -ENOMEM;
		row = &outliers->hosts[outliers->count];
		*row = (struct outlier_host) { .name = strdup(host) };
		if (!row->name)
			return -ENOMEM;
		outliers->count++;
	}
	stat_total_sum(&row->total, total);
	return 0;
}

/* A log, as evtlog stat --partial reads it */
static int read_log(struct stat_partial *partial, const char *path)
{
	struct stat stat = { .path = path };
	struct stat_partial_log *log = NULL;
	int error = -ENOMEM, status = EXIT_FAILED;

	filter_all(&stat.filter);
	stat.file = log_open_events(path);
	if (stat.file)
		log = stat_partial_new_log(partial, path, stat.file);
	if (log)
		error = stat_init(&stat);
	if (!error)
		error = stat_read(&stat);
	if (!error) {
		stat_total_add(&log->total, &stat);
		log->lacks = log_lacks_of(stat.file);
		status = log_verdict(stat.file, path);
	} else if (stat.file) {
		pr_err("%s: %s", path, strerror(-error));
	}
	stat_free(&stat);
	evtlog_close(stat.file);
	filter_free(&stat.filter);
	return status;
}

static bool is_partial(const char *path)
{
	static const char magic[] = "evtlog stat partial ";
	char bytes[sizeof(magic) - 1];
	FILE *file = fopen(path, "re");
	bool is = file && fread(bytes, sizeof(bytes), 1, file) == 1 &&
		  !memcmp(bytes, magic, sizeof(bytes));

	if (file)
		fclose(file);
	return is;
}

int outliers_read(struct outliers *outliers, char **paths, size_t count)
{
	struct stat_partial partial = { 0 };
	int status = EXIT_OK, lossy = EXIT_OK;

	for (size_t i = 0; i < count && status == EXIT_OK; i++) {
		status = is_partial(paths[i]) ? stat_partial_read(&partial, paths[i]) :
						read_log(&partial, paths[i]);
		if (status == EXIT_EVENTS_LOST) {
			lossy = status;
			status = EXIT_OK;
		}
	}
	for (size_t i = 0; i < partial.count && status == EXIT_OK; i++) {
		const struct stat_partial_log *log = &partial.logs[i];

		if (log->lacks.lost || log->lacks.damages || log->lacks.is_cut)
			lossy = EXIT_EVENTS_LOST;
		if (add(outliers, log->host.text, &log->total)) {
			pr_err("diff: %s", strerror(ENOMEM));
			status = EXIT_FAILED;
		}
	}
	stat_partial_free(&partial);
	return status == EXIT_OK ? lossy : status;
}

/* ---- Scores ---- */

static void measure(struct outlier_host *host)
{
	const struct stat_total *total = &host->total;
	const struct usage *usage = &total->usage;
	double all = (double)usage->task_ns + usage->idle_ns + usage->logger_ns +
		     usage->softirq_ns + usage->irq_ns + usage->outside_ns + usage->unknown_ns;
	double per_s = 1e9 / all;
	const double values[OUTLIER_MEASURES] = {
		[OUTLIER_SWITCHES] = total->unknown.tasks ? NAN : total->switches * per_s,
		[OUTLIER_MIGRATIONS] = total->unknown.migrations ? NAN : total->migrations * per_s,
		[OUTLIER_TASKS] = total->unknown.tasks ? NAN : usage->task_ns / all,
		[OUTLIER_SOFTIRQS] = total->unknown.softirqs ? NAN : usage->softirq_ns / all,
		[OUTLIER_IRQS] = total->unknown.irqs ? NAN : usage->irq_ns / all,
		[OUTLIER_UNKNOWN] = usage->unknown_ns / all,
	};

	for (unsigned int i = 0; i < OUTLIER_MEASURES; i++)
		host->value[i] = all > 0 ? values[i] : NAN;
}

static double median_of(double *values, size_t count)
{
	if (!count)
		return NAN;
	qsort(values, count, sizeof(*values), array_by_double);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static void score(struct outliers *outliers, enum outlier_measure measure, double *values)
{
	double median, deviation, least = is_share(measure) ? SHARE_MIN : RATE_MIN;
	size_t known = 0;

	for (size_t i = 0; i < outliers->count; i++)
		if (!isnan(outliers->hosts[i].value[measure]))
			values[known++] = outliers->hosts[i].value[measure];
	median = outliers->median[measure] = median_of(values, known);
	for (size_t i = 0; i < known; i++)
		values[i] = fabs(values[i] - median);
	/* In a normal distribution, the standard deviation is 1.4826 times the median distance. */
	deviation = 1.4826 * median_of(values, known);
	/* If most are equal, a small difference is no better known than this. */
	deviation = fmax(deviation, fmax(least, CHANGE_MIN * fabs(median)) / SCORE_ODD);
	for (size_t i = 0; i < outliers->count; i++)
		outliers->hosts[i].score[measure] =
			(outliers->hosts[i].value[measure] - median) / deviation;
}

bool outliers_is_odd(const struct outliers *outliers, const struct outlier_host *host,
		     enum outlier_measure measure)
{
	double distance = fabs(host->value[measure] - outliers->median[measure]);

	return fabs(host->score[measure]) >= SCORE_ODD &&
	       distance >= CHANGE_MIN * fabs(outliers->median[measure]);
}

static double worst_of(const struct outlier_host *host)
{
	double worst = 0;

	for (unsigned int i = 0; i < OUTLIER_MEASURES; i++)
		worst = fmax(worst, fabs(host->score[i]));
	return worst;
}

static int by_worst(const void *a, const void *b)
{
	double x = worst_of(a), y = worst_of(b);

	return (x < y) - (x > y);
}

int outliers_judge(struct outliers *outliers)
{
	double *values = calloc(outliers->count + 1, sizeof(*values));

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < outliers->count; i++)
		measure(&outliers->hosts[i]);
	for (unsigned int m = 0; m < OUTLIER_MEASURES; m++) {
		score(outliers, m, values);
		for (size_t i = 0; i < outliers->count; i++)
			outliers->found += outliers_is_odd(outliers, &outliers->hosts[i], m);
	}
	qsort(outliers->hosts, outliers->count, sizeof(*outliers->hosts), by_worst);
	free(values);
	return 0;
}

void outliers_free(struct outliers *outliers)
{
	for (size_t i = 0; i < outliers->count; i++)
		free(outliers->hosts[i].name);
	free(outliers->hosts);
}

/* ---- Output ---- */

static void put_value(struct line *line, enum outlier_measure measure, double value)
{
	if (is_share(measure))
		line_printf(line, " %13.4f %%", 100 * value);
	else
		line_printf(line, " %15.2f", value);
}

void outliers_show(const struct outliers *outliers)
{
	printf("%-24s %-14s %15s %15s %9s\n", "host", "what", "here", "median", "score");
	for (size_t i = 0; i < outliers->count; i++) {
		const struct outlier_host *host = &outliers->hosts[i];

		for (unsigned int m = 0; m < OUTLIER_MEASURES; m++) {
			struct line line = { 0 };

			if (!outliers_is_odd(outliers, host, m))
				continue;
			line_escaped(&line, host->name, strlen(host->name));
			line_column(&line, 25);
			line_printf(&line, "%-14s", measures[m].text);
			put_value(&line, m, host->value[m]);
			put_value(&line, m, outliers->median[m]);
			line_printf(&line, " %+9.1f", host->score[m]);
			line_print(&line, stdout);
		}
	}
	printf("%zu odd value%s of %zu hosts; score: distance from the median in robust standard deviations, odd from %d on\n",
	       outliers->found, outliers->found == 1 ? "" : "s", outliers->count, SCORE_ODD);
}

void outliers_json(const struct outliers *outliers)
{
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_array(&json, "hosts");
	for (size_t i = 0; i < outliers->count; i++) {
		const struct outlier_host *host = &outliers->hosts[i];

		json_object(&json, NULL);
		json_string(&json, "host", host->name);
		for (unsigned int m = 0; m < OUTLIER_MEASURES; m++) {
			json_object(&json, measures[m].name);
			json_double(&json, "value", host->value[m], 9);
			json_double(&json, "score", host->score[m], 3);
			json_bool(&json, "odd", outliers_is_odd(outliers, host, m));
			json_end(&json);
		}
		json_end(&json);
	}
	json_end(&json);
	json_object(&json, "medians");
	for (unsigned int m = 0; m < OUTLIER_MEASURES; m++)
		json_double(&json, measures[m].name, outliers->median[m], 9);
	json_end(&json);
	json_u64(&json, "odd", outliers->found);
	json_end(&json);
}
