// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the counters of intervals as they come: a table, CSV, or one JSON object per line.
 *
 * evtlog-stat(1) describes the columns and keys, which do not change.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "common/csv.h"
#include "common/json.h"
#include "interval.h"

/*
 * A line: a CPU of a host, or all CPUs.
 * @cpu: NULL: all
 */
struct line_of {
	const struct interval_host *host;
	const struct replay_cpu *cpu;
	const struct interval_counters *now;
	double runnable;
	double waiting;
};

static struct line_of line_of_cpu(const struct interval_host *host, unsigned int index)
{
	const struct interval_counters *now = &host->cpus[index].now;

	return (struct line_of) {
		.host = host,
		.cpu = &host->replay.cpus[index],
		.now = now,
		.runnable = interval_runnable_mean(now),
		.waiting = interval_waiting_mean(now),
	};
}

static struct line_of line_of_all(const struct interval_host *host)
{
	return (struct line_of) {
		.host = host,
		.now = &host->total,
		.runnable = interval_total_mean(host, interval_runnable_mean),
		.waiting = interval_total_mean(host, interval_waiting_mean),
	};
}

/* Returns true if nothing is known of the interval: its counts are unknown, not 0. */
static bool is_unseen(const struct interval_counters *now)
{
	return !now->known_ns && !now->offline_ns && !now->sampled.passes;
}

static bool is_unknown(const struct line_of *line, enum sched_number number)
{
	return is_unseen(line->now) || line->host->unknown & 1u << number;
}

static bool runnable_unknown(const struct line_of *line)
{
	return line->host->unknown & 1u << SCHED_RUNNABLE || isnan(line->runnable);
}

/* Sums of times are known only from events. */
static bool runnable_ns_unknown(const struct line_of *line)
{
	return !line->host->source->has_times || runnable_unknown(line);
}

static uint64_t line_span_ns(const struct line_of *line)
{
	return line->host->source->span_ns(line->now);
}

static bool busy_unknown(const struct line_of *line)
{
	return line->host->source->has_times ? is_unknown(line, SCHED_SWITCHES) :
					       is_unseen(line->now);
}

static uint64_t line_busy_ns(const struct line_of *line)
{
	return line->host->source->busy_ns(line->now);
}

static void for_lines(const struct interval_row *row,
		      void (*show)(const struct interval_row *row, const struct line_of *line))
{
	for (size_t i = 0; i < row->host_count; i++) {
		const struct interval_host *host = &row->hosts[i];
		struct line_of line;

		if (!row->part[i])
			continue;
		for (unsigned int k = 0; k < host->replay.cpu_count; k++) {
			line = line_of_cpu(host, k);
			if (host->cpus[k].wanted)
				show(row, &line);
		}
		line = line_of_all(host);
		show(row, &line);
	}
}

/* ---- Text ---- */

static void put_number(double value, int width, int digits, bool unknown)
{
	if (unknown)
		printf(" %*s", width, "-");
	else
		printf(" %*.*f", width, digits, value);
}

static void put_count(uint64_t count, int width, bool unknown)
{
	if (unknown)
		printf(" %*s", width, "-");
	else
		printf(" %*" PRIu64, width, count);
}

static void show_line(const struct interval_row *row, const struct line_of *line)
{
	const struct interval_counters *now = line->now;
	uint64_t span_ns = line_span_ns(line);

	printf("%12.6f ", row->from_ns / 1e9);
	if (row->host_count > 1)
		printf("%-12s ", line->host->name);
	if (line->cpu)
		printf("%4u", line->cpu->number);
	else
		printf("%4s", "all");
	put_number(span_ns ? 100.0 * line_busy_ns(line) / span_ns : 0, 7, 2, busy_unknown(line));
	put_number(line->runnable, 9, 3, runnable_unknown(line));
	put_count(now->runnable_max, 5, runnable_unknown(line));
	put_number(line->waiting, 9, 3, runnable_unknown(line));
	put_count(now->switches, 9, is_unknown(line, SCHED_SWITCHES));
	put_count(now->migrations_in, 7, is_unknown(line, SCHED_MIGRATIONS));
	put_count(now->migrations_out, 7, is_unknown(line, SCHED_MIGRATIONS));
	put_count(now->forks, 6, is_unknown(line, SCHED_FORKS));
	put_count(now->exits, 6, is_unknown(line, SCHED_EXITS));
	line->host->source->notes(line->host, now, stdout);
	putchar('\n');
}

static void show_head(const struct interval_options *options, const struct interval_host *hosts,
		      size_t count)
{
	bool alike = true;

	for (size_t i = 1; i < count; i++)
		alike = alike && hosts[i].source == hosts[0].source;
	printf("Counters each %g s, from %s; runnable: tasks that run on the CPU or wait for it\n",
	       options->interval_ns / 1e9, alike ? hosts[0].source->name : "events or samples");
	printf("%12s ", "from s");
	if (count > 1)
		printf("%-12s ", "host");
	printf("%4s %7s %9s %5s %9s %9s %7s %7s %6s %6s\n", "CPU", "busy %", "runnable", "most",
	       "waiting", "switches", "mig in", "mig out", "forks", "exits");
}

/* ---- CSV ---- */

static struct csv csv;

static void csv_count(uint64_t value, bool unknown)
{
	if (unknown)
		csv_empty(&csv);
	else
		csv_u64(&csv, value);
}

static void csv_mean(double value, bool unknown)
{
	csv_double(&csv, unknown ? NAN : value, 6);
}

static void csv_line(const struct interval_row *row, const struct line_of *line)
{
	const struct interval_counters *now = line->now;

	csv_u64(&csv, row->from_ns);
	csv_u64(&csv, row->to_ns);
	csv_text(&csv, line->host->name);
	if (line->cpu)
		csv_u64(&csv, line->cpu->number);
	else
		csv_text(&csv, "all");
	csv_text(&csv, line->host->source->name);
	csv_u64(&csv, line_span_ns(line));
	csv_count(now->usage.unknown_ns, !line->host->source->has_times);
	csv_count(now->offline_ns, !line->host->source->has_times);
	csv_bool(&csv, now->lost);
	csv_bool(&csv, now->exact);
	csv_count(line_busy_ns(line), busy_unknown(line));
	csv_mean(line->runnable, runnable_unknown(line));
	csv_count(now->runnable_max, runnable_unknown(line));
	csv_mean(line->waiting, runnable_unknown(line));
	csv_count(now->runnable_ns, runnable_ns_unknown(line));
	csv_count(interval_waiting_ns(now), runnable_ns_unknown(line));
	csv_count(now->switches, is_unknown(line, SCHED_SWITCHES));
	csv_count(now->migrations_in, is_unknown(line, SCHED_MIGRATIONS));
	csv_count(now->migrations_out, is_unknown(line, SCHED_MIGRATIONS));
	csv_count(now->forks, is_unknown(line, SCHED_FORKS));
	csv_count(now->exits, is_unknown(line, SCHED_EXITS));
	csv_count(line->host->passes, !line->host->source->has_passes);
	csv_count(line->host->missed, !line->host->source->has_passes);
	csv_count(line->host->incomplete, !line->host->source->has_passes);
	csv_end(&csv);
}

/* ---- JSON ---- */

static void json_count(struct json *json, const char *key, uint64_t value, bool unknown)
{
	if (unknown)
		json_null(json, key);
	else
		json_u64(json, key, value);
}

static void counters_json(struct json *json, const struct line_of *line)
{
	const struct interval_counters *now = line->now;

	json_u64(json, "span_ns", line_span_ns(line));
	json_count(json, "unknown_ns", now->usage.unknown_ns, !line->host->source->has_times);
	json_count(json, "offline_ns", now->offline_ns, !line->host->source->has_times);
	json_bool(json, "lost", now->lost);
	json_bool(json, "exact", now->exact);
	json_count(json, "busy_ns", line_busy_ns(line), busy_unknown(line));
	json_double(json, "runnable", runnable_unknown(line) ? NAN : line->runnable, 6);
	json_count(json, "runnable_max", now->runnable_max, runnable_unknown(line));
	json_double(json, "waiting", runnable_unknown(line) ? NAN : line->waiting, 6);
	json_count(json, "runnable_ns", now->runnable_ns, runnable_ns_unknown(line));
	json_count(json, "waiting_ns", interval_waiting_ns(now),
		   runnable_ns_unknown(line));
	json_count(json, "switches", now->switches, is_unknown(line, SCHED_SWITCHES));
	json_count(json, "migrations_in", now->migrations_in, is_unknown(line, SCHED_MIGRATIONS));
	json_count(json, "migrations_out", now->migrations_out, is_unknown(line, SCHED_MIGRATIONS));
	json_count(json, "forks", now->forks, is_unknown(line, SCHED_FORKS));
	json_count(json, "exits", now->exits, is_unknown(line, SCHED_EXITS));
}

static void host_json(struct json *json, const struct interval_host *host)
{
	struct line_of line;

	json_object(json, NULL);
	json_string(json, "host", host->name);
	json_string(json, "source", host->source->name);
	json_count(json, "passes", host->passes, !host->source->has_passes);
	json_count(json, "passes_missed", host->missed, !host->source->has_passes);
	json_count(json, "passes_incomplete", host->incomplete, !host->source->has_passes);
	json_array(json, "cpus");
	for (unsigned int i = 0; i < host->replay.cpu_count; i++) {
		if (!host->cpus[i].wanted)
			continue;
		line = line_of_cpu(host, i);
		json_object(json, NULL);
		json_u64(json, "cpu", line.cpu->number);
		counters_json(json, &line);
		json_end(json);
	}
	json_end(json);
	line = line_of_all(host);
	json_object(json, "total");
	counters_json(json, &line);
	json_end(json);
	json_end(json);
}

static void row_json(const struct interval_row *row)
{
	struct json json;

	json_start(&json, stdout, true);
	json_object(&json, NULL);
	json_u64(&json, "from_ns", row->from_ns);
	json_u64(&json, "to_ns", row->to_ns);
	json_array(&json, "hosts");
	for (size_t i = 0; i < row->host_count; i++)
		if (row->part[i])
			host_json(&json, &row->hosts[i]);
	json_end(&json);
	json_end(&json);
}

/* ---- Forms ---- */

void interval_report_begin(const struct interval_options *options,
			   const struct interval_host *hosts, size_t count)
{
	if (options->form == INTERVAL_TEXT)
		show_head(options, hosts, count);
	else if (options->form == INTERVAL_CSV)
		csv_head(&csv, stdout, "from_ns,to_ns,host,cpu,source,span_ns,unknown_ns,offline_ns,"
			 "lost,exact,busy_ns,runnable,runnable_max,waiting,runnable_ns,waiting_ns,"
			 "switches,migrations_in,migrations_out,forks,exits,passes,passes_missed,"
			 "passes_incomplete");
}

void interval_report_row(const struct interval_options *options, const struct interval_row *row)
{
	switch (options->form) {
	case INTERVAL_TEXT:
		for_lines(row, show_line);
		break;
	case INTERVAL_CSV:
		for_lines(row, csv_line);
		break;
	case INTERVAL_JSON:
		row_json(row);
		break;
	}
}
