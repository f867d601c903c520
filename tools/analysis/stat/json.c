// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the sums of `evtlog stat` as JSON.
 *
 * evtlog-stat(1) describes the keys, which do not change.
 */
#include <stdlib.h>
#include <string.h>

#include "common/histogram.h"
#include "common/json.h"
#include "print/fields.h"
#include "print/names.h"
#include "stat.h"

/* Prints null if the value is @unknown. */
static void u64_json(struct json *json, const char *key, uint64_t value, bool unknown)
{
	if (unknown)
		json_null(json, key);
	else
		json_u64(json, key, value);
}

static void usage_json(struct json *json, const struct usage *usage,
		       const struct stat_unknown *unknown)
{
	json_u64(json, "span_ns", usage_span_ns(usage));
	u64_json(json, "busy_ns", usage_busy_ns(usage), unknown->tasks);
	u64_json(json, "task_ns", usage->task_ns, unknown->tasks);
	u64_json(json, "logger_ns", usage->logger_ns, unknown->tasks || unknown->others);
	u64_json(json, "softirq_ns", usage->softirq_ns, unknown->softirqs);
	u64_json(json, "irq_ns", usage->irq_ns, unknown->irqs);
	u64_json(json, "idle_ns", usage->idle_ns, unknown->tasks || unknown->others);
	if (unknown->others)
		u64_json(json, "outside_ns", usage->outside_ns, unknown->tasks);
	json_u64(json, "unknown_ns", usage->unknown_ns);
}

static void cpus_json(const struct stat *stat, struct json *json)
{
	uint64_t switches = 0, migrations = 0;
	struct usage sum = { 0 };

	json_array(json, "cpus");
	for (unsigned int i = 0; i < stat->cpu_count; i++) {
		const struct stat_cpu *cpu = &stat->cpus[i];

		if (!cpu->wanted)
			continue;
		json_object(json, NULL);
		json_u64(json, "cpu", cpu->cpu);
		usage_json(json, &cpu->usage, &stat->unknown);
		u64_json(json, "stolen_ns", cpu->usage.stolen_ns, !cpu->usage.knows_stolen);
		u64_json(json, "switches", cpu->switches, stat->unknown.tasks);
		u64_json(json, "migrations", cpu->migrations, stat->unknown.migrations);
		json_end(json);
		usage_add(&sum, &cpu->usage);
		switches += cpu->switches;
		migrations += cpu->migrations;
	}
	json_end(json);
	json_object(json, "total");
	usage_json(json, &sum, &stat->unknown);
	u64_json(json, "stolen_ns", sum.stolen_ns, !sum.knows_stolen);
	u64_json(json, "switches", switches, stat->unknown.tasks);
	u64_json(json, "migrations", migrations, stat->unknown.migrations);
	json_end(json);
}

static void percentile_json(struct json *json, const char *key, const struct histogram *h,
			    double percent)
{
	if (sample_size_is_enough(h->count, percent))
		json_u64(json, key, histogram_percentile(h, percent / 100));
	else
		json_null(json, key);
}

static void latency_json(struct json *json, const struct histogram *h, bool unknown)
{
	json_object(json, "latency_ns");
	u64_json(json, "count", h->count, unknown);
	if (h->count) {
		json_u64(json, "min", h->min);
		json_double(json, "avg", (double)h->sum / h->count, 1);
		percentile_json(json, "p50", h, 50);
		percentile_json(json, "p90", h, 90);
		percentile_json(json, "p99", h, 99);
		percentile_json(json, "p99_9", h, 99.9);
		json_u64(json, "max", h->max);
	}
	json_end(json);
}

/* Parts of the task's sums, by its name at the time */
static void names_json(const struct stat *stat, struct json *json, const struct stat_task *row)
{
	const struct stat_unknown *unknown = &stat->unknown;
	const struct stat_task *name = NULL;

	json_array(json, "names");
	while ((name = stat_task_next_name(stat, row, name))) {
		json_object(json, NULL);
		json_bytes(json, "comm", name->comm, strnlen(name->comm, sizeof(name->comm)));
		u64_json(json, "run_ns", name->run_ns, unknown->tasks);
		u64_json(json, "switches", name->switches, unknown->tasks);
		u64_json(json, "migrations", name->migrations, unknown->migrations);
		u64_json(json, "wakeups", name->wakeups, unknown->wakings);
		json_end(json);
	}
	json_end(json);
}

static void task_json(const struct stat *stat, struct json *json, const struct stat_task *task)
{
	const struct stat_unknown *unknown = &stat->unknown;

	json_object(json, NULL);
	if (task->folded)
		json_null(json, "pid");
	else
		json_u64(json, "pid", task->pid);
	json_bytes(json, "comm", task->comm,
		   strnlen(task->comm, sizeof(task->comm)));
	names_json(stat, json, task);
	json_u64(json, "tasks", task->folded ? task->folded : 1);
	json_bool(json, "kernel_thread", task->kernel_thread);
	u64_json(json, "run_ns", task->run_ns, unknown->tasks);
	u64_json(json, "switches", task->switches, unknown->tasks);
	u64_json(json, "voluntary", task->voluntary, unknown->tasks);
	u64_json(json, "preempted", task->preempted, unknown->tasks);
	u64_json(json, "migrations", task->migrations, unknown->migrations);
	u64_json(json, "wakeups", task->wakeups, unknown->wakings);
	latency_json(json, &task->latency, unknown->tasks || unknown->wakings);
	json_end(json);
}

static void tasks_json(const struct stat *stat, struct json *json,
		       unsigned int top)
{
	json_array(json, "tasks");
	for (uint32_t i = 0; i < stat->row_count && (!top || i < top); i++)
		task_json(stat, json, &stat->rows[i]);
	json_end(json);
}

static void count_json(const struct stat *stat, struct json *json,
		       const struct stat_count *count)
{
	json_u64(json, "count", count->count);
	json_u64(json, "time_ns", count->time_ns);
	u64_json(json, "max_ns", count->max_ns, !count->whole);
	u64_json(json, "max_from_ns", count->max_from_ns - evtlog_begin_ns(stat->file),
		 !count->whole);
}

/* @number_key: NULL: no number */
static void counts_json(const struct stat *stat, struct json *json, const char *number_key,
			unsigned int number, const char *name, const struct stat_count *by_cpu)
{
	struct stat_count sum = stat_count_sum(stat, by_cpu);

	if (!sum.count && !sum.time_ns)
		return;
	json_object(json, NULL);
	if (number_key)
		json_u64(json, number_key, number);
	json_string(json, "name", name);
	count_json(stat, json, &sum);
	json_array(json, "cpus");
	for (unsigned int i = 0; i < stat->cpu_count; i++) {
		if (!by_cpu[i].count && !by_cpu[i].time_ns)
			continue;
		json_object(json, NULL);
		json_u64(json, "cpu", stat->cpus[i].cpu);
		count_json(stat, json, &by_cpu[i]);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void interrupts_json(const struct stat *stat, struct json *json)
{
	struct fields fields;

	json_array(json, "softirqs");
	for (unsigned int i = 0; i < STAT_SOFTIRQS; i++)
		counts_json(stat, json, "vec", i, evtlog_softirq_name(stat->file, i),
			    stat->softirqs[i]);
	counts_json(stat, json, NULL, 0, NULL, stat->softirqs[STAT_SOFTIRQS]);
	json_end(json);

	json_array(json, "irqs");
	/* If this fails, some names are unknown. */
	fields_init(&fields, stat->file, NULL);
	for (unsigned int i = 0; i < STAT_IRQS; i++)
		counts_json(stat, json, "irq", i, fields_irq_name(&fields, i), stat->irqs[i]);
	fields_free(&fields);
	counts_json(stat, json, NULL, 0, NULL, stat->irqs[STAT_IRQS]);
	json_end(json);

	json_array(json, "vectors");
	for (unsigned int i = 0; i < STAT_TYPES; i++) {
		char name[EVTLOG_NAME_MAX + 1];
		const struct stat_count *by_cpu = stat_vector(stat, i, name);

		if (by_cpu)
			counts_json(stat, json, NULL, 0, name, by_cpu);
	}
	json_end(json);
}

static void icmp_json(struct json *json, const char *key,
		      const uint64_t *counts)
{
	json_array(json, key);
	for (unsigned int i = 0; i < 256; i++) {
		if (!counts[i])
			continue;
		json_object(json, NULL);
		json_u64(json, "type", i);
		json_string(json, "name", icmp_name(i));
		json_u64(json, "count", counts[i]);
		json_end(json);
	}
	json_end(json);
}

static void exact_json(struct json *json, const char *key, __int128 value)
{
	if (value < 0)
		json_exact_s64(json, key, value);
	else
		json_exact_u64(json, key, value);
}

static void field_sums_json(const struct stat_registered *registered, struct json *json)
{
	json_object(json, "fields");
	for (uint32_t i = 0; registered->fields && i < registered->format->field_count; i++) {
		const struct stat_field *field = &registered->fields[i];

		if (!field->count)
			continue;
		json_object(json, registered->format->fields[i].name);
		json_u64(json, "count", field->count);
		exact_json(json, "min", field->least);
		json_double(json, "mean", (double)((long double)field->sum / field->count), 3);
		exact_json(json, "max", field->most);
		json_end(json);
	}
	json_end(json);
}

static void registered_json(const struct stat *stat, struct json *json)
{
	if (!stat->registered)
		return;
	json_array(json, "registered");
	for (uint32_t id = 0; id <= EVTLOG_EVENT_ID_MAX; id++) {
		const struct stat_registered *registered = &stat->registered[id];

		if (!stat_registered_is_there(registered))
			continue;
		json_object(json, NULL);
		json_u64(json, "id", id);
		json_string(json, "name", registered->format ? registered->format->name : NULL);
		json_u64(json, "count", registered->count);
		if (registered->format && registered->format->filter)
			json_string(json, "filter", registered->format->filter);
		field_sums_json(registered, json);
		sampled_json(stat->sampled, id, json);
		json_end(json);
	}
	json_end(json);
}

/* @types: freed */
static void types_json(struct json *json, const char *key, char *types)
{
	char *rest = types, *type;

	json_array(json, key);
	while (rest && (type = strsep(&rest, ",")))
		json_string(json, NULL, type + strspn(type, " "));
	json_end(json);
	free(types);
}

void stat_json(const struct stat *stat, unsigned int top, FILE *out)
{
	static const char *const of_cpus[] = { "cpus", "tasks", "softirqs", "irqs", "vectors" };
	uint64_t begin_ns = evtlog_begin_ns(stat->file);
	struct json json;

	json_start(&json, out, false);
	json_object(&json, NULL);
	json_string(&json, "file", stat->path);
	json_string(&json, "host", evtlog_meta(stat->file, "host"));
	json_u64(&json, "run", evtlog_run(stat->file));
	json_u64(&json, "from_ns", stat->begin_ns - begin_ns);
	json_u64(&json, "to_ns", stat->end_ns - begin_ns);
	json_u64(&json, "events", stat->events);
	json_u64(&json, "lost", stat->lost);
	json_u64(&json, "clock_error_ns", evtlog_clock_error_ns(stat->file));
	types_json(&json, "not_recorded", stat_not_recorded(stat));
	types_json(&json, "filtered", stat_filtered(stat));
	json_bool(&json, "is_sampled", stat->unknown.is_sampled);
	if (stat->is_global) {
		for (size_t i = 0; i < sizeof(of_cpus) / sizeof(*of_cpus); i++)
			json_null(&json, of_cpus[i]);
	} else {
		cpus_json(stat, &json);
		tasks_json(stat, &json, top);
		interrupts_json(stat, &json);
	}
	json_object(&json, "icmp");
	icmp_json(&json, "rx", stat->icmp_rx);
	icmp_json(&json, "tx", stat->icmp_tx);
	json_end(&json);
	registered_json(stat, &json);
	json_end(&json);
}

void stat_total_json(const struct stat_total *total)
{
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_u64(&json, "files", total->files);
	json_u64(&json, "events", total->events);
	json_u64(&json, "lost", total->lost);
	json_object(&json, "total");
	usage_json(&json, &total->usage, &total->unknown);
	u64_json(&json, "switches", total->switches, total->unknown.tasks);
	u64_json(&json, "migrations", total->migrations, total->unknown.migrations);
	json_end(&json);
	json_end(&json);
}
