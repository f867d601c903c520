// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints lines of JSON, for the socket's clients and for standard output.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "common/json.h"
#include "state.h"

/* Number of bytes shown of a field of bytes. */
#define HEX_BYTES	64

static void print_host(struct json *json)
{
	char host[65] = "localhost";

	gethostname(host, sizeof(host) - 1);
	json_string(json, "host", host);
}

void sensor_print_hello(FILE *out, const struct sensor_state *state)
{
	struct json json;

	json_start(&json, out, true);
	json_object(&json, NULL);
	json_string(&json, "type", "hello");
	print_host(&json);
	json_string(&json, "buffer", state->source->name);
	json_string(&json, "version", EVTLOG_VERSION);
	json_u64(&json, "interval_ms", state->interval_ms);
	json_end(&json);
}

static void print_value(struct json *json, const char *key, uint64_t value, bool is_signed)
{
	if (is_signed)
		json_exact_s64(json, key, value);
	else
		json_exact_u64(json, key, value);
}

/* A sum of integers is printed as an integer if a double can represent it. */
static void print_sum(struct json *json, double sum)
{
	if (fabs(sum) < 9007199254740992.0)
		json_s64(json, "sum", sum);
	else
		json_double(json, "sum", sum, 0);
}

/* Prints [[upper bound, count], ...] of the buckets that are not empty. */
static void print_histogram(struct json *json, const uint64_t *buckets)
{
	json_array(json, "histogram");
	for (int i = 0; i < SENSOR_BUCKETS; i++) {
		if (!buckets[i])
			continue;
		json_array(json, NULL);
		if (i == 0)
			json_s64(json, NULL, -1);
		else if (i == SENSOR_BUCKETS - 1)
			json_null(json, NULL);
		else
			json_u64(json, NULL, i == 1 ? 0 : UINT64_C(1) << (i - 2));
		json_u64(json, NULL, buckets[i]);
		json_end(json);
	}
	json_end(json);
}

static void print_field(struct json *json, const struct sensor_field *field)
{
	json_object(json, field->name);
	json_u64(json, "count", field->count);
	if (field->count) {
		print_value(json, "last", field->last, field->is_signed);
		print_value(json, "min", field->min, field->is_signed);
		print_value(json, "max", field->max, field->is_signed);
		print_sum(json, field->sum);
		if (field->has_mean)
			json_double(json, "interval_mean", field->mean, 3);
		else
			json_null(json, "interval_mean");
		if (field->buckets)
			print_histogram(json, field->buckets);
	}
	json_end(json);
}

static void print_event(struct json *json, const struct sensor_event *event)
{
	json_object(json, event->name);
	json_u64(json, "count", event->records);
	json_double(json, "rate", event->rate, 3);
	json_object(json, "fields");
	for (size_t i = 0; i < event->field_count; i++)
		print_field(json, &event->fields[i]);
	json_end(json);
	json_end(json);
}

static void print_losses(struct json *json, const struct sensor_state *state)
{
	json_u64(json, "lost", sensor_lost(state));
	json_object(json, "lost_by_cause");
	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
		json_u64(json, named_lost_causes[cause], state->source->lost[cause]);
	json_end(json);
	json_u64(json, "rejected", state->source->rejected);
	json_u64(json, "unknown", state->table->unknown);
	json_u64(json, "damaged", state->table->damaged);
}

void sensor_print_stats(FILE *out, const struct sensor_state *state, bool is_last)
{
	struct json json;

	json_start(&json, out, true);
	json_object(&json, NULL);
	json_string(&json, "type", "stats");
	print_host(&json);
	json_string(&json, "buffer", state->source->name);
	json_u64(&json, "real_ns", state->now_ns);
	json_double(&json, "interval_s", state->interval_s, 6);
	json_bool(&json, "last", is_last);
	print_losses(&json, state);
	json_u64(&json, "clients", state->clients);
	json_u64(&json, "skipped", state->skipped);
	json_u64(&json, "dropped", state->dropped);
	json_u64(&json, "ganglia_errors", state->ganglia_errors);
	json_u64(&json, "textfile_errors", state->textfile_errors);
	json_object(&json, "events");
	for (size_t i = 0; i < state->table->event_count; i++)
		print_event(&json, &state->table->events[i]);
	json_end(&json);
	json_end(&json);
}

static void print_bytes(struct json *json, const char *key, const uint8_t *at, size_t bytes)
{
	char text[2 * HEX_BYTES + 1];

	bytes = bytes < HEX_BYTES ? bytes : HEX_BYTES;
	for (size_t i = 0; i < bytes; i++)
		sprintf(text + 2 * i, "%02x", at[i]);
	json_bytes(json, key, text, 2 * bytes);
}

static uint64_t big_endian(const uint8_t *at, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++)
		value = value << 8 | at[i];
	return value;
}

static void print_payload_field(struct json *json, const struct evtlog_event_field *field,
				const void *at, size_t bytes)
{
	char text[32], address[EVTLOG_ADDRESS_BYTES];

	if (evtlog_event_field_is_unread(field, at, bytes)) {
		json_null(json, field->name);
		return;
	}
	if (evtlog_event_field_address(field, at, bytes, address)) {
		json_string(json, field->name, address);
		return;
	}
	switch (field->kind) {
	case 'c':
		json_bytes(json, field->name, at, strnlen(at, bytes));
		return;
	case 'd':
		json_exact_s64(json, field->name, evtlog_event_field_s64(at, bytes));
		return;
	case 'n':
		json_exact_u64(json, field->name, big_endian(at, bytes));
		return;
	case 'x':
		snprintf(text, sizeof(text), "%" PRIx64, evtlog_event_field_u64(at, bytes));
		json_string(json, field->name, text);
		return;
	case '4':
	case 'b':
		print_bytes(json, field->name, at, bytes);
		return;
	default:
		json_exact_u64(json, field->name, evtlog_event_field_u64(at, bytes));
	}
}

void sensor_print_record(FILE *out, const struct sensor_record *record)
{
	const struct evtlog_event_format *format = record->format->format;
	struct json json;

	json_start(&json, out, true);
	json_object(&json, NULL);
	json_string(&json, "type", "event");
	json_string(&json, "event", format->name);
	json_u64(&json, "cpu", record->cpu);
	json_u64(&json, "raw_ns", record->raw_ns);
	json_u64(&json, "real_ns", record->real_ns);
	json_object(&json, "fields");
	for (uint32_t i = 0; i < format->field_count; i++) {
		const struct evtlog_event_field *field = &format->fields[i];
		size_t bytes;
		const void *at = evtlog_event_field_at(field, record->payload, record->bytes,
						       &bytes);

		if (at)
			print_payload_field(&json, field, at, bytes);
	}
	json_end(&json);
	json_end(&json);
}
