// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the sums of `evtlog stat` as tables.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/histogram.h"
#include "common/linebuf.h"
#include "input/types.h"
#include "print/fields.h"
#include "print/names.h"
#include "stat.h"

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/* Prints a column; "-" if it is @unknown. */
static void put_percent(uint64_t part, uint64_t whole, int digits, bool unknown)
{
	if (unknown)
		printf(" %7s", "-");
	else
		printf(" %7.*f", digits, percent(part, whole));
}

static void put_count(uint64_t count, int width, bool unknown)
{
	if (unknown)
		printf(" %*s", width, "-");
	else
		printf(" %*" PRIu64, width, count);
}

static void show_usage(const char *label, const struct usage *usage,
		       const struct stat_unknown *unknown, uint64_t switches, uint64_t migrations,
		       bool with_stolen)
{
	uint64_t span_ns = usage_span_ns(usage);

	printf("%5s", label);
	put_percent(usage_busy_ns(usage), span_ns, 2, unknown->tasks);
	put_percent(usage->task_ns, span_ns, 2, unknown->tasks);
	put_percent(usage->logger_ns, span_ns, 3, unknown->tasks || unknown->others);
	put_percent(usage->softirq_ns, span_ns, 2, unknown->softirqs);
	put_percent(usage->irq_ns, span_ns, 2, unknown->irqs);
	put_percent(unknown->others ? usage->outside_ns : usage->idle_ns, span_ns, 2,
		    unknown->tasks);
	put_percent(usage->unknown_ns, span_ns, 2, false);
	if (with_stolen)
		put_percent(usage->stolen_ns, span_ns, 2, !usage->knows_stolen);
	put_count(switches, 12, unknown->tasks);
	put_count(migrations, 10, unknown->migrations);
	putchar('\n');
}

static void show_cpus(const struct stat *stat)
{
	uint64_t switches = 0, migrations = 0;
	struct usage sum = { 0 };
	unsigned int shown = 0;
	char label[16];

	for (unsigned int i = 0; i < stat->cpu_count; i++) {
		const struct stat_cpu *cpu = &stat->cpus[i];

		if (!cpu->wanted)
			continue;
		usage_add(&sum, &cpu->usage);
		switches += cpu->switches;
		migrations += cpu->migrations;
		shown++;
	}
	printf("CPU time in %% (busy = tasks + logger + softirq + irq%s)\n"
	       "%5s %7s %7s %7s %7s %7s %7s %7s%s %12s %10s\n",
	       sum.knows_stolen ? "; stolen is included in the other columns" : "", "CPU", "busy",
	       "tasks", "logger", "softirq", "irq", stat->unknown.others ? "outside" : "idle",
	       "unknown", sum.knows_stolen ? "  stolen" : "",
	       "switches", "migrations");
	for (unsigned int i = 0; i < stat->cpu_count; i++) {
		const struct stat_cpu *cpu = &stat->cpus[i];

		if (!cpu->wanted)
			continue;
		snprintf(label, sizeof(label), "%u", cpu->cpu);
		show_usage(label, &cpu->usage, &stat->unknown, cpu->switches, cpu->migrations,
			   sum.knows_stolen);
	}
	if (shown > 1)
		show_usage("all", &sum, &stat->unknown, switches, migrations, sum.knows_stolen);
	putchar('\n');
}

/* Prints microseconds with a number of digits that keeps columns readable. */
static void show_us(double ns)
{
	double us = ns / 1000;

	printf(" %8.*f", us < 100 ? 2 : us < 10000 ? 1 : 0, us);
}

static void show_latency(const struct histogram *h)
{
	static const double percents[] = { 50, 90, 99, 99.9 };

	if (!h->count) {
		printf(" %8s\n", "-");
		return;
	}
	show_us(h->min);
	show_us((double)h->sum / h->count);
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
		if (sample_size_is_enough(h->count, percents[i]))
			show_us(histogram_percentile(h, percents[i] / 100));
		else
			printf(" %8s", "-");
	show_us(h->max);
	putchar('\n');
}

/* If there are more than NAMES_SHOWN names, names in the middle are left out. */
#define NAMES_SHOWN	4
#define NAME_WIDTH	18

static void put_names(struct line *line, const struct stat *stat, const struct stat_task *row)
{
	const struct stat_task *name = NULL;
	unsigned int count = 0, at = 0;

	while ((name = stat_task_next_name(stat, row, name)))
		count++;
	while ((name = stat_task_next_name(stat, row, name))) {
		at++;
		if (count > NAMES_SHOWN && at == NAMES_SHOWN)
			line_text(line, " > ...");
		if (count > NAMES_SHOWN && at >= NAMES_SHOWN && at < count)
			continue;
		line_text(line, at > 1 ? " > " : "");
		if (name->comm[0])
			line_escaped(line, name->comm, strnlen(name->comm, sizeof(name->comm)));
		else
			line_char(line, '?');
	}
}

static void put_label(struct line *line, const struct stat *stat, const struct stat_task *task)
{
	line->length = 0;
	put_names(line, stat, task);
	if (task->folded) {
		line_text(line, " x");
		line_u64(line, task->folded, 0, ' ');
	}
}

static void show_task(const struct stat *stat, const struct stat_task *task, int width,
		      uint64_t span_ns)
{
	struct line line;

	put_label(&line, stat, task);
	line_char(&line, '\0');
	printf("%-*s ", width, line.text);
	if (task->folded)
		printf("%7s", "exited");
	else
		printf("%7u", task->pid);
	if (stat->unknown.tasks)
		printf(" %11s %6s", "-", "-");
	else
		printf(" %11.3f %6.2f", task->run_ns / 1e6, percent(task->run_ns, span_ns));
	put_count(task->switches, 9, stat->unknown.tasks);
	put_count(task->voluntary, 9, stat->unknown.tasks);
	put_count(task->preempted, 9, stat->unknown.tasks);
	put_count(task->migrations, 6, stat->unknown.migrations);
	put_count(task->wakeups, 9, stat->unknown.wakings);
	show_latency(&task->latency);
}

static void show_tasks(const struct stat *stat, unsigned int top)
{
	uint64_t span_ns = stat->end_ns - stat->begin_ns;
	uint32_t shown = top && top < stat->row_count ? top : stat->row_count;
	int width = NAME_WIDTH;
	struct line line;

	for (uint32_t i = 0; i < shown; i++) {
		put_label(&line, stat, &stat->rows[i]);
		if ((int)line.length > width)
			width = line.length;
	}
	printf("Tasks; latency is from wake-up to running, in us\n"
	       "%-*s %7s %11s %6s %9s %9s %9s %6s %9s %8s %8s %8s %8s %8s %8s %8s\n",
	       width, "name", "pid", "run ms", "CPU %", "switches", "blocked", "preempted",
	       "migr.", "wake-ups", "min", "avg", "p50", "p90", "p99", "p99.9",
	       "max");
	for (uint32_t i = 0; i < shown; i++)
		show_task(stat, &stat->rows[i], width, span_ns);
	if (shown < stat->row_count)
		printf("... %u more; --top 0 shows all\n", stat->row_count - shown);
	putchar('\n');
}

static void show_count(const struct stat *stat, const char *kind, const char *name,
		       unsigned int number, const struct stat_count *by_cpu)
{
	struct stat_count sum = stat_count_sum(stat, by_cpu);
	char label[48];

	if (!sum.count && !sum.time_ns)
		return;
	if (name)
		snprintf(label, sizeof(label), "%s %s", kind, name);
	else
		snprintf(label, sizeof(label), "%s %u", kind, number);
	printf("%-32s %12" PRIu64 " %12.3f", label, sum.count, sum.time_ns / 1e6);
	if (sum.count)
		printf(" %10.3f", sum.time_ns / 1e3 / sum.count);
	else
		printf(" %10s", "-");
	if (sum.whole)
		printf(" %10.3f\n", sum.max_ns / 1e3);
	else
		printf(" %10s\n", "-");
}

/*
 * Prints time of interrupts that were entered before the CPU's part began, or during a loss: their
 * numbers and their count are unknown.
 */
static void show_unseen(const struct stat *stat, const char *kind,
			const struct stat_count *by_cpu)
{
	struct stat_count sum = stat_count_sum(stat, by_cpu);
	char label[48];

	if (sum.count) {
		show_count(stat, kind, "other numbers", 0, by_cpu);
	} else if (sum.time_ns) {
		snprintf(label, sizeof(label), "%s, entry not seen", kind);
		printf("%-32s %12s %12.3f %10s %10s\n", label, "-", sum.time_ns / 1e6, "-", "-");
	}
}

static void show_vectors(const struct stat *stat)
{
	for (unsigned int i = 0; i < STAT_TYPES; i++) {
		char name[EVTLOG_NAME_MAX + 1];
		const struct stat_count *by_cpu = stat_vector(stat, i, name);

		if (by_cpu)
			show_count(stat, "vector", name, 0, by_cpu);
	}
}

static void show_interrupts(const struct stat *stat)
{
	struct fields fields;

	printf("%-32s %12s %12s %10s %10s\n", "Interrupts", "count", "time ms", "mean us",
	       "max us");
	for (unsigned int i = 0; i < STAT_SOFTIRQS; i++)
		show_count(stat, "softirq", evtlog_softirq_name(stat->file, i), i,
			   stat->softirqs[i]);
	show_unseen(stat, "softirq", stat->softirqs[STAT_SOFTIRQS]);
	if (!fields_init(&fields, stat->file, NULL))
		for (unsigned int i = 0; i < STAT_IRQS; i++) {
			const char *name = fields_irq_name(&fields, i);
			struct line line;

			line.length = 0;
			line_u64(&line, i, 0, ' ');
			if (name) {
				line_char(&line, ' ');
				line_escaped(&line, name, strlen(name));
			}
			line_char(&line, '\0');
			show_count(stat, "irq", line.text, i, stat->irqs[i]);
		}
	fields_free(&fields);
	show_unseen(stat, "irq", stat->irqs[STAT_IRQS]);
	show_vectors(stat);
}

void stat_vector_name(const struct evtlog_type_info *type, char *name)
{
	sprintf(name, "%.*s", (int)types_stem_length(type->name), type->name);
}

const struct stat_count *stat_vector(const struct stat *stat, unsigned int type, char *name)
{
	const struct evtlog_type_info *info = evtlog_type_info(stat->file, type);

	if (!info || !info->known)
		return NULL;
	stat_vector_name(info, name);
	return stat->vectors[info->known];
}

static void show_icmp(const struct stat *stat)
{
	bool headed = false;

	for (unsigned int i = 0; i < 256; i++) {
		const char *name = icmp_name(i);

		if (!stat->icmp_rx[i] && !stat->icmp_tx[i])
			continue;
		if (!headed)
			printf("\n%-32s %12s %12s\n", "ICMP", "received",
			       "sent");
		headed = true;
		printf("type %3u %-23s %12" PRIu64 " %12" PRIu64 "\n", i,
		       name ? name : "", stat->icmp_rx[i], stat->icmp_tx[i]);
	}
}

/* Fields without a count are not shown: they are not numbers, or no event was long enough. */
static void show_fields(const struct stat_registered *registered)
{
	for (uint32_t i = 0; registered->fields && i < registered->format->field_count; i++) {
		const struct stat_field *field = &registered->fields[i];

		if (field->count)
			printf("  %-30s %12" PRIu64 " %20.0Lf %20.2Lf %20.0Lf\n",
			       registered->format->fields[i].name, field->count,
			       (long double)field->least,
			       (long double)field->sum / field->count, (long double)field->most);
	}
}

static void show_filter(const struct evtlog_event_format *format)
{
	struct line line;

	if (!format || !format->filter)
		return;
	line.length = 0;
	line_escaped(&line, format->filter, strlen(format->filter));
	line_char(&line, '\0');
	printf("  recorded only if %s\n", line.text);
}

static void show_registered(const struct stat *stat)
{
	bool headed = false;

	for (uint32_t id = 0; stat->registered && id <= EVTLOG_EVENT_ID_MAX; id++) {
		const struct stat_registered *registered = &stat->registered[id];

		if (!stat_registered_is_there(registered))
			continue;
		if (!headed)
			printf("\n%-32s %12s %20s %20s %20s\n", "Registered event", "count", "min",
			       "mean", "max");
		headed = true;
		printf("%-32s %12" PRIu64 "\n",
		       registered->format ? registered->format->name : "?", registered->count);
		show_filter(registered->format);
		show_fields(registered);
	}
}

/* Explains the "-" in the tables. */
static void show_not_recorded(const struct stat *stat)
{
	char *types = stat_not_recorded(stat);

	if (types)
		printf("Not recorded (shown as -): %s%s\n", types,
		       stat->unknown.filtered ? TYPES_FILTERED_HINT : "");
	free(types);
	if (stat->unknown.is_sampled)
		printf("The log has samples of tasks instead of switches: evtlog stat --interval 100ms shows what ran and waited\n");
}

static bool has_vectors(const struct stat *stat)
{
	for (unsigned int i = 0; i < STAT_TYPES; i++)
		if (stat->vectors[i])
			return true;
	return false;
}

/* A named buffer has only its selected events, often none for these tables. */
static bool has_times(const struct stat *stat)
{
	return !evtlog_meta(stat->file, "named_buffer") || !stat->unknown.tasks ||
	       !stat->unknown.softirqs || !stat->unknown.irqs;
}

void stat_show(const struct stat *stat, unsigned int top)
{
	uint64_t begin_ns = evtlog_begin_ns(stat->file);
	const char *host = evtlog_meta(stat->file, "host");
	struct line line;

	line.length = 0;
	host = host ? host : "?";
	line_escaped(&line, host, strlen(host));
	line_char(&line, '\0');
	printf("Run %" PRIu64 " of %s: %.6f s", evtlog_run(stat->file),
	       line.text, (stat->end_ns - stat->begin_ns) / 1e9);
	if (stat->begin_ns != begin_ns)
		printf(" from %.6f s", (stat->begin_ns - begin_ns) / 1e9);
	printf(", %" PRIu64 " event%s, %" PRIu64 " lost\n", stat->events,
	       stat->events == 1 ? "" : "s", stat->lost);
	if (stat->is_global) {
		printf("Log of a global named buffer: times of CPUs, tasks and interrupts are unknown\n");
	} else if (!has_times(stat)) {
		printf("Log of a named buffer without switches, softirqs and interrupts: times of CPUs and tasks are unknown\n");
		if (has_vectors(stat)) {
			putchar('\n');
			show_interrupts(stat);
		}
	} else {
		show_not_recorded(stat);
		putchar('\n');
		show_cpus(stat);
		show_tasks(stat, top);
		show_interrupts(stat);
	}
	show_icmp(stat);
	show_registered(stat);
	sampled_show(stat->sampled);
}

void stat_total_show(const struct stat_total *total)
{
	const struct usage *usage = &total->usage;
	double percent = usage_span_ns(usage) ? 100.0 / usage_span_ns(usage) : 0;

	printf("\nAll %u files: %" PRIu64 " events, %" PRIu64 " lost, %" PRIu64
	       " switches, %" PRIu64 " migrations\n", total->files, total->events, total->lost,
	       total->switches, total->migrations);
	if (total->unknown.tasks || total->unknown.softirqs || total->unknown.irqs) {
		printf("%.6f s of CPU time, use unknown: some files lack event types\n",
		       usage_span_ns(usage) / 1e9);
		return;
	}
	printf("%.6f s of CPU time: %.2f %% busy (tasks %.2f %%, logger %.3f %%, softirqs %.2f %%, interrupts %.2f %%), idle %.2f %%, ",
	       usage_span_ns(usage) / 1e9,
	       usage_busy_ns(usage) * percent, usage->task_ns * percent,
	       usage->logger_ns * percent, usage->softirq_ns * percent,
	       usage->irq_ns * percent, usage->idle_ns * percent);
	if (total->unknown.others)
		printf("outside the tree %.2f %%, ", usage->outside_ns * percent);
	printf("unknown %.2f %%\n", usage->unknown_ns * percent);
}
