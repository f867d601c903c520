// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sampled events of a log: reads weights, keys and values from records, and prints estimates.
 *
 * Stage: count.c passes it each record of a registered event. estimate.c has the formulas.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/event-format.h>
#include <evtlog/evtlog.h>

#include "estimate.h"
#include "stat.h"

/*
 * struct sampled_event - a sampled event
 * @weight:	field with the weight
 * @key:	field by which the event is sampled, or NULL
 * @fields:	fields of the values, from 1 on
 * @records:	number of records, without those that are too short for a weight
 */
struct sampled_event {
	const struct evtlog_event_format *format;
	const struct evtlog_event_field *weight;
	const struct evtlog_event_field *key;
	const struct evtlog_event_field *fields[ESTIMATE_VALUES_MAX];
	unsigned int values;
	uint64_t records;
	struct estimate *estimate;
};

/* @known: @events is set for this id; NULL there means not sampled */
struct sampled {
	const struct evtlog_file *file;
	unsigned int cpus;
	uint64_t end_ns;
	bool known[EVTLOG_EVENT_ID_MAX + 1];
	struct sampled_event *events[EVTLOG_EVENT_ID_MAX + 1];
};

struct sampled *sampled_new(const struct evtlog_file *file, unsigned int cpus)
{
	struct sampled *s = calloc(1, sizeof(*s));

	if (s) {
		s->file = file;
		s->cpus = cpus;
	}
	return s;
}

static void event_free(struct sampled_event *e)
{
	if (!e)
		return;
	estimate_free(e->estimate);
	free(e);
}

void sampled_free(struct sampled *s)
{
	if (!s)
		return;
	for (uint32_t id = 0; id <= EVTLOG_EVENT_ID_MAX; id++)
		event_free(s->events[id]);
	free(s);
}

static bool is_number(const struct evtlog_event_field *field)
{
	return (field->kind == 'u' || field->kind == 'd' || field->kind == 'n') &&
	       (field->bytes == 1 || field->bytes == 2 || field->bytes == 4 || field->bytes == 8);
}

static void choose_fields(struct sampled_event *e)
{
	const struct evtlog_event_format *format = e->format;

	e->values = 1;
	for (uint32_t i = 0; i < format->field_count; i++) {
		const struct evtlog_event_field *field = &format->fields[i];

		if (!e->weight && !strcmp(field->name, "weight") && is_number(field))
			e->weight = field;
		else if (is_number(field) && e->values < ESTIMATE_VALUES_MAX)
			e->fields[e->values++] = field;
		if (format->sampling == EVTLOG_SAMPLING_KEY && !e->key &&
		    !strcmp(field->name, format->sample_key))
			e->key = field;
	}
}

/* Stores NULL if the event is not sampled, or has no usable weight or key. */
static int event_new(const struct sampled *s, uint32_t id, struct sampled_event **eventp)
{
	const struct evtlog_event_format *format = evtlog_event_format(s->file, id);
	struct estimate_how how;
	struct sampled_event *e;

	*eventp = NULL;
	if (!format || format->sampling == EVTLOG_SAMPLING_NONE)
		return 0;
	e = calloc(1, sizeof(*e));
	if (!e)
		return -ENOMEM;
	e->format = format;
	choose_fields(e);
	if (!e->weight || (format->sampling == EVTLOG_SAMPLING_KEY && !e->key)) {
		event_free(e);
		return 0;
	}
	how = (struct estimate_how){
		.sampling = format->sampling,
		.every = format->sample_every,
		.probability = format->sample_probability,
		.values = e->values,
	};
	e->estimate = estimate_new(&how, s->cpus);
	if (!e->estimate) {
		event_free(e);
		return -ENOMEM;
	}
	*eventp = e;
	return 0;
}

/* Two keys have the same hash with a probability of 2^-64. */
static uint64_t key_of(const struct evtlog_event_field *field, const void *payload, size_t bytes)
{
	size_t length = 0;
	const void *at = evtlog_event_field_at(field, payload, bytes, &length);

	return key_table_hash(at, at ? length : 0);
}

static double value_of(const struct evtlog_event_field *field, const void *payload, size_t bytes)
{
	size_t length;
	const void *at = evtlog_event_field_at(field, payload, bytes, &length);

	if (!at)
		return 0;
	if (field->kind == 'd')
		return evtlog_event_field_s64(at, length);
	if (field->kind == 'n')
		return __builtin_bswap64(evtlog_event_field_u64(at, length)) >> (64 - 8 * length);
	return evtlog_event_field_u64(at, length);
}

int sampled_add(struct sampled *s, unsigned int slot, const struct evtlog_event *event)
{
	uint32_t id = evtlog_event_id(event);
	double values[ESTIMATE_VALUES_MAX] = { 1 };
	struct sampled_event *e;
	const void *payload, *weight;
	size_t bytes, length;

	if (!s->known[id]) {
		int error = event_new(s, id, &s->events[id]);

		if (error)
			return error;
		s->known[id] = true;
	}
	e = s->events[id];
	if (!e)
		return 0;
	payload = evtlog_event_payload(event, &bytes);
	weight = evtlog_event_field_at(e->weight, payload, bytes, &length);
	if (!weight)
		return 0;
	for (unsigned int i = 1; i < e->values; i++)
		values[i] = value_of(e->fields[i], payload, bytes);
	e->records++;
	return estimate_add(e->estimate, slot, event->time_ns,
			    evtlog_event_field_u64(weight, length), values,
			    e->key ? key_of(e->key, payload, bytes) : 0);
}

void sampled_set_end(struct sampled *s, uint64_t end_ns)
{
	s->end_ns = end_ns;
}

static const char *const kinds[] = {
	[EVTLOG_SAMPLING_COUNT] = "count",
	[EVTLOG_SAMPLING_PROBABILITY] = "probability",
	[EVTLOG_SAMPLING_TIME] = "time",
	[EVTLOG_SAMPLING_KEY] = "key",
	[EVTLOG_SAMPLING_OTHER] = "other",
};

static void format_how(const struct evtlog_event_format *format, char *text, size_t size)
{
	uint64_t every = format->sample_every;

	switch (format->sampling) {
	case EVTLOG_SAMPLING_COUNT:
		snprintf(text, size, "1/%" PRIu64, every);
		break;
	case EVTLOG_SAMPLING_PROBABILITY:
		snprintf(text, size, "p=%.9g", format->sample_probability);
		break;
	case EVTLOG_SAMPLING_TIME:
		snprintf(text, size, "%.9g ms", every / 1e6);
		break;
	case EVTLOG_SAMPLING_KEY:
		snprintf(text, size, "1/%" PRIu64 " by %s", every, format->sample_key);
		break;
	default:
		snprintf(text, size, "?");
		break;
	}
}

static const char *value_name(const struct sampled_event *e, unsigned int value)
{
	return value ? e->fields[value]->name : "events";
}

/* Returns true if a sum was marked as possibly biased. */
static bool show_event(const struct sampled *s, const struct sampled_event *e)
{
	char how[64], label[80], sum[40];
	bool marked = false;

	format_how(e->format, how, sizeof(how));
	for (unsigned int i = 0; i < e->values; i++) {
		double error, total = estimate_total(e->estimate, i, s->end_ns, &error);
		bool biased = estimate_may_be_biased(e->estimate, i);

		marked |= biased;
		snprintf(sum, sizeof(sum), "%s%.0f", biased ? "~" : "", total);
		snprintf(label, sizeof(label), i ? "  sum of %s" : "%s",
			 i ? value_name(e, i) : e->format->name);
		printf("%-32s %-18s %12" PRIu64 " %16s", label, i ? "" : how, e->records, sum);
		if (error < 0)
			printf(" %14s\n", "?");
		else
			printf(" %14.0f\n", ceil(ESTIMATE_Z * error));
	}
	return marked;
}

void sampled_show(const struct sampled *s)
{
	bool headed = false, marked = false;

	for (uint32_t id = 0; s && id <= EVTLOG_EVENT_ID_MAX; id++) {
		if (!s->events[id] || !s->events[id]->records)
			continue;
		if (!headed)
			printf("\n%-32s %-18s %12s %16s %14s\n", "Sampled event", "sample", "records",
			       "estimated total", "+- (95 %)");
		headed = true;
		marked |= show_event(s, s->events[id]);
	}
	if (marked)
		puts("~ sampled by time: the error is larger if hits come in bursts; use sample 1/N or p=P for sums");
}

/* The number of events is not less than the number of records. */
static void estimate_json(const struct sampled *s, const struct sampled_event *e,
			  unsigned int value, struct json *json)
{
	double error, total = estimate_total(e->estimate, value, s->end_ns, &error);
	double low = total - ESTIMATE_Z * error;

	if (!value && low < e->records)
		low = e->records;
	json_object(json, NULL);
	json_string(json, "of", value_name(e, value));
	json_double(json, "total", total, 3);
	json_double(json, "error", error < 0 ? NAN : error, 3);
	json_double(json, "low", error < 0 ? NAN : low, 3);
	json_double(json, "high", error < 0 ? NAN : total + ESTIMATE_Z * error, 3);
	json_bool(json, "may_be_biased", estimate_may_be_biased(e->estimate, value));
	json_end(json);
}

void sampled_json(const struct sampled *s, uint32_t id, struct json *json)
{
	const struct sampled_event *e = s ? s->events[id] : NULL;

	if (!e || !e->records)
		return;
	json_object(json, "sample");
	json_string(json, "by", kinds[e->format->sampling]);
	switch (e->format->sampling) {
	case EVTLOG_SAMPLING_PROBABILITY:
		json_double(json, "probability", e->format->sample_probability, 9);
		break;
	case EVTLOG_SAMPLING_TIME:
		json_u64(json, "interval_ns", e->format->sample_every);
		break;
	case EVTLOG_SAMPLING_COUNT:
	case EVTLOG_SAMPLING_KEY:
		json_u64(json, "every", e->format->sample_every);
		break;
	default:
		break;
	}
	if (e->key)
		json_string(json, "key", e->key->name);
	json_array(json, "estimates");
	for (unsigned int i = 0; i < e->values; i++)
		estimate_json(s, e, i, json);
	json_end(json);
	json_end(json);
}
