// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints Prometheus' text format.
 *
 * The set of labels is bounded: the named buffer, events, their fields, causes of loss.
 * Histograms have the same buckets from the first output on.  A counter must not decrease, so
 * values below 0 have a sum of their own: no summary and no histogram contains both kinds.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/atomic-file.h"
#include "state.h"

/* The last bucket with an upper bound: 2^40. */
#define LAST_BOUND	42

typedef void print_field(FILE *out, const char *labels, const struct sensor_field *field);

static void print_help(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void print_label(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '\\' || *value == '"')
			putc('\\', out);
		if (*value == '\n')
			fputs("\\n", out);
		else
			putc(*value, out);
	}
	putc('"', out);
}

/* name{buffer="..."} value */
static void print_plain(FILE *out, const struct sensor_state *state, const char *name,
			const char *type, const char *help, uint64_t value)
{
	print_help(out, name, type, help);
	fprintf(out, "%s{", name);
	print_label(out, "buffer", state->source->name);
	fprintf(out, "} %" PRIu64 "\n", value);
}

static void print_lost(FILE *out, const struct sensor_state *state)
{
	print_help(out, "evtlog_lost_total", "counter",
		   "Events that are in no record of the named buffer, by cause.");
	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++) {
		fputs("evtlog_lost_total{", out);
		print_label(out, "buffer", state->source->name);
		putc(',', out);
		print_label(out, "cause", named_lost_causes[cause]);
		fprintf(out, "} %" PRIu64 "\n", state->source->lost[cause]);
	}
}

static void print_events(FILE *out, const struct sensor_state *state)
{
	print_help(out, "evtlog_events_total", "counter",
		   "Records of the event since the sensor started.");
	for (size_t i = 0; i < state->table->event_count; i++) {
		const struct sensor_event *event = &state->table->events[i];

		fputs("evtlog_events_total{", out);
		print_label(out, "buffer", state->source->name);
		putc(',', out);
		print_label(out, "event", event->name);
		fprintf(out, "} %" PRIu64 "\n", event->records);
	}
}

/* Names consist of letters, digits and _: see evtlog_event_format_parse(). */
static void for_each_field(FILE *out, const struct sensor_state *state, print_field *print)
{
	for (size_t i = 0; i < state->table->event_count; i++) {
		const struct sensor_event *event = &state->table->events[i];

		for (size_t k = 0; k < event->field_count; k++) {
			const struct sensor_field *field = &event->fields[k];
			char labels[160];

			/* A name that is both signed and unsigned would be one series. */
			if (!field->count || (k && !strcmp(field->name, event->fields[k - 1].name)))
				continue;
			snprintf(labels, sizeof(labels),
				 "buffer=\"%s\",event=\"%s\",field=\"%s\"", state->source->name,
				 event->name, field->name);
			print(out, labels, field);
		}
	}
}

static void print_number(FILE *out, const char *name, const char *labels, bool is_signed,
			 uint64_t value)
{
	if (is_signed)
		fprintf(out, "%s{%s} %" PRId64 "\n", name, labels, (int64_t)value);
	else
		fprintf(out, "%s{%s} %" PRIu64 "\n", name, labels, value);
}

static void print_last(FILE *out, const char *labels, const struct sensor_field *field)
{
	print_number(out, "evtlog_field_last", labels, field->is_signed, field->last);
}

static void print_min(FILE *out, const char *labels, const struct sensor_field *field)
{
	print_number(out, "evtlog_field_min", labels, field->is_signed, field->min);
}

static void print_max(FILE *out, const char *labels, const struct sensor_field *field)
{
	print_number(out, "evtlog_field_max", labels, field->is_signed, field->max);
}

static void print_sums(FILE *out, const char *name, const char *labels,
		       const struct sensor_field *field, bool below)
{
	fprintf(out, "%s_sum{%s} %.17g\n%s_count{%s} %" PRIu64 "\n", name, labels,
		field->side_sum[below], name, labels, field->side_count[below]);
}

static void print_summary(FILE *out, const char *labels, const struct sensor_field *field)
{
	print_sums(out, "evtlog_field", labels, field, false);
}

static void print_negative(FILE *out, const char *labels, const struct sensor_field *field)
{
	if (field->is_signed)
		print_sums(out, "evtlog_field_negative", labels, field, true);
}

static void print_histogram(FILE *out, const char *labels, const struct sensor_field *field)
{
	const char *name = "evtlog_field_values";
	uint64_t below = 0;

	if (!field->buckets)
		return;
	for (int i = 1; i <= LAST_BOUND; i++) {
		below += field->buckets[i];
		fprintf(out, "%s_bucket{%s,le=\"%" PRIu64 "\"} %" PRIu64 "\n", name, labels,
			i == 1 ? 0 : UINT64_C(1) << (i - 2), below);
	}
	fprintf(out, "%s_bucket{%s,le=\"+Inf\"} %" PRIu64 "\n", name, labels, field->side_count[0]);
	print_sums(out, name, labels, field, false);
}

static bool has_histogram(const struct sensor_field *field)
{
	return field->buckets;
}

static bool has_sign(const struct sensor_field *field)
{
	return field->is_signed;
}

static bool has_field(const struct sensor_table *table, bool (*is)(const struct sensor_field *field))
{
	for (size_t i = 0; i < table->event_count; i++)
		for (size_t k = 0; k < table->events[i].field_count; k++)
			if (is(&table->events[i].fields[k]))
				return true;
	return false;
}

static void print_fields(FILE *out, const struct sensor_state *state)
{
	print_help(out, "evtlog_field", "summary", "Numbers in the event's field that are at least 0.");
	for_each_field(out, state, print_summary);
	if (has_field(state->table, has_sign)) {
		print_help(out, "evtlog_field_negative", "summary",
			   "Amounts of numbers below 0 in the event's field.");
		for_each_field(out, state, print_negative);
	}
	print_help(out, "evtlog_field_last", "gauge", "Last number in the event's field.");
	for_each_field(out, state, print_last);
	print_help(out, "evtlog_field_min", "gauge",
		   "Least number in the event's field since the sensor started.");
	for_each_field(out, state, print_min);
	print_help(out, "evtlog_field_max", "gauge",
		   "Greatest number in the event's field since the sensor started.");
	for_each_field(out, state, print_max);
	if (!has_field(state->table, has_histogram))
		return;
	print_help(out, "evtlog_field_values", "histogram",
		   "Numbers in the event's field that are at least 0, by powers of two.");
	for_each_field(out, state, print_histogram);
}

static void print_self(FILE *out, const struct sensor_state *state)
{
	print_plain(out, state, "evtlog_rejected_total", "counter",
		    "Events that the filter of the named buffer rejected.", state->source->rejected);
	print_plain(out, state, "evtlog_sensor_unknown_records_total", "counter",
		    "Records of events whose format the sensor does not know.",
		    state->table->unknown);
	print_plain(out, state, "evtlog_sensor_damaged_buffers_total", "counter",
		    "Buffers that the sensor could not read to their end.", state->table->damaged);
	print_plain(out, state, "evtlog_sensor_clients", "gauge",
		    "Clients of the sensor's socket.", state->clients);
	print_plain(out, state, "evtlog_sensor_skipped_lines_total", "counter",
		    "Lines that clients did not get because they read too slowly.", state->skipped);
	print_plain(out, state, "evtlog_sensor_dropped_clients_total", "counter",
		    "Clients that were dropped because they did not read.", state->dropped);
	print_plain(out, state, "evtlog_sensor_ganglia_errors_total", "counter",
		    "Packets to Ganglia that could not be sent.", state->ganglia_errors);
	print_plain(out, state, "evtlog_sensor_start_time_seconds", "gauge",
		    "When the sensor started, in seconds since 1970.",
		    state->start_ns / 1000000000);
}

void sensor_print_metrics(FILE *out, const struct sensor_state *state)
{
	print_lost(out, state);
	print_events(out, state);
	print_fields(out, state);
	print_self(out, state);
}

int sensor_textfile_write(const char *path, gid_t group, const struct sensor_state *state)
{
	struct atomic_file file;
	int error = atomic_file_new(&file, path, 0600);

	if (error)
		return error;
	/* The replaced file may have had other rights. */
	if (fchown(fileno(file.out), -1, group) ||
	    fchmod(fileno(file.out), group == (gid_t)-1 ? 0600 : 0640)) {
		error = -errno;
		atomic_file_discard(&file);
		return error;
	}
	sensor_print_metrics(file.out, state);
	return atomic_file_replace(&file);
}
