// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts events and adds up their numbers.
 *
 * Numbers that are not amounts are skipped: pids, addresses, times, and hexadecimal numbers,
 * which may be addresses in the kernel.
 */
#include <endian.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "table.h"

bool sensor_glob(const char *globs, const char *name)
{
	while (*globs) {
		size_t length = strcspn(globs, ",");
		char *glob = strndup(globs, length);
		bool same = glob && !fnmatch(glob, name, 0);

		free(glob);
		if (same)
			return true;
		globs += length + (globs[length] == ',');
	}
	return false;
}

struct sensor_table *sensor_table_new(const char *field_globs, const char *histogram_globs)
{
	struct sensor_table *table = calloc(1, sizeof(*table));

	if (table) {
		table->field_globs = field_globs;
		table->histogram_globs = histogram_globs;
	}
	return table;
}

static void free_format(struct sensor_format *format)
{
	evtlog_event_format_free(format->format);
	free(format->text);
	free(format->takes);
}

void sensor_table_free(struct sensor_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->format_count; i++)
		free_format(&table->formats[i]);
	for (size_t i = 0; i < table->event_count; i++) {
		for (size_t k = 0; k < table->events[i].field_count; k++)
			free(table->events[i].fields[k].buckets);
		free(table->events[i].fields);
	}
	free(table->formats);
	free(table->events);
	free(table);
}

/* Returns the event's index; -ENOSPC if there are too many; -ENOMEM. */
static int find_event(struct sensor_table *table, const char *name)
{
	struct sensor_event *events;
	size_t i;

	for (i = 0; i < table->event_count; i++)
		if (!strcmp(table->events[i].name, name))
			return i;
	if (i == SENSOR_EVENTS_MAX)
		return -ENOSPC;
	events = reallocarray(table->events, i + 1, sizeof(*events));
	if (!events)
		return -ENOMEM;
	table->events = events;
	events[i] = (struct sensor_event){ 0 };
	strcpy(events[i].name, name);
	table->event_count++;
	return i;
}

static bool is_amount(const struct evtlog_event_field *field)
{
	return strchr("udn", field->kind) &&
	       (field->bytes == 1 || field->bytes == 2 || field->bytes == 4 || field->bytes == 8);
}

/* Returns the field's index; -1 if it is not used; -ENOMEM. */
static int find_field(const struct sensor_table *table, struct sensor_event *event,
		      const struct evtlog_event_field *field)
{
	char name[2 * EVTLOG_NAME_MAX + 2];
	struct sensor_field *fields, *new;
	size_t i;

	if (!is_amount(field))
		return -1;
	for (i = 0; i < event->field_count; i++)
		if (!strcmp(event->fields[i].name, field->name) &&
		    event->fields[i].is_signed == (field->kind == 'd'))
			return i;
	snprintf(name, sizeof(name), "%s.%s", event->name, field->name);
	if (i == SENSOR_FIELDS_MAX || (table->field_globs && !sensor_glob(table->field_globs, name)))
		return -1;
	fields = reallocarray(event->fields, i + 1, sizeof(*fields));
	if (!fields)
		return -ENOMEM;
	event->fields = fields;
	new = &fields[i];
	*new = (struct sensor_field){ .is_signed = field->kind == 'd' };
	strcpy(new->name, field->name);
	if (table->histogram_globs && sensor_glob(table->histogram_globs, name)) {
		new->buckets = calloc(SENSOR_BUCKETS, sizeof(*new->buckets));
		if (!new->buckets)
			return -ENOMEM;
	}
	event->field_count++;
	return i;
}

static int make_format(struct sensor_table *table, struct sensor_format *format, uint32_t id,
		       const void *text, size_t bytes)
{
	int error = evtlog_event_format_parse(id, text, bytes, &format->format);
	int event;

	if (error)
		return error;
	event = find_event(table, format->format->name);
	if (event < 0)
		return event;
	format->event = event;
	format->bytes = bytes;
	format->text = malloc(bytes);
	format->takes = calloc(format->format->field_count + 1, sizeof(*format->takes));
	if (!format->text || !format->takes)
		return -ENOMEM;
	memcpy(format->text, text, bytes);
	for (uint32_t i = 0; i < format->format->field_count; i++) {
		const struct evtlog_event_field *from = &format->format->fields[i];
		int field = find_field(table, &table->events[event], from);

		if (field == -ENOMEM)
			return field;
		/* No payload is that long. */
		if (field < 0 || from->offset + from->bytes > EVTLOG_EVENT_BYTES_MAX)
			continue;
		format->takes[format->take_count++] = (struct sensor_take){
			.offset = from->offset, .end = from->offset + from->bytes,
			.bytes = from->bytes, .kind = from->kind, .field = field,
		};
	}
	return 0;
}

int sensor_table_learn(struct sensor_table *table, uint32_t id, const void *text, size_t bytes)
{
	const struct sensor_format *known = sensor_table_format(table, id);
	struct sensor_format format = { 0 };
	int error;

	if (known && known->bytes == bytes && !memcmp(known->text, text, bytes))
		return 0;
	error = make_format(table, &format, id, text, bytes);
	if (error) {
		free_format(&format);
		return error;
	}
	if (known) {
		free_format(&table->formats[table->by_id[id] - 1]);
		table->formats[table->by_id[id] - 1] = format;
		return 0;
	}
	if (array_reserve(&table->formats, &table->format_capacity, table->format_count,
			  sizeof(*table->formats))) {
		free_format(&format);
		return -ENOMEM;
	}
	table->formats[table->format_count++] = format;
	table->by_id[id] = table->format_count;
	return 0;
}

static unsigned int bucket_of(uint64_t value, bool is_signed)
{
	if (is_signed && (int64_t)value < 0)
		return 0;
	if (value < 2)
		return 1 + value;
	return 2 + 64 - __builtin_clzll(value - 1);
}

static void add_value(struct sensor_field *field, uint64_t value)
{
	bool less = field->is_signed ? (int64_t)value < (int64_t)field->min : value < field->min;
	bool greater = field->is_signed ? (int64_t)value > (int64_t)field->max :
					  value > field->max;
	double amount = field->is_signed ? (double)(int64_t)value : (double)value;

	if (!field->count || less)
		field->min = value;
	if (!field->count || greater)
		field->max = value;
	field->last = value;
	field->count++;
	field->sum += amount;
	field->side_count[amount < 0]++;
	field->side_sum[amount < 0] += fabs(amount);
	if (field->buckets)
		field->buckets[bucket_of(value, field->is_signed)]++;
}

/* A number of 1, 2, 4 or 8 bytes at any address; kind n is in network order. */
static uint64_t load(const struct sensor_take *take, const void *at)
{
	bool swaps = take->kind == 'n', is_signed = take->kind == 'd';
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	switch (take->bytes) {
	case 1:
		memcpy(&u8, at, sizeof(u8));
		return is_signed ? (uint64_t)(int8_t)u8 : u8;
	case 2:
		memcpy(&u16, at, sizeof(u16));
		u16 = swaps ? be16toh(u16) : u16;
		return is_signed ? (uint64_t)(int16_t)u16 : u16;
	case 4:
		memcpy(&u32, at, sizeof(u32));
		u32 = swaps ? be32toh(u32) : u32;
		return is_signed ? (uint64_t)(int32_t)u32 : u32;
	default:
		memcpy(&u64, at, sizeof(u64));
		return swaps ? be64toh(u64) : u64;
	}
}

void sensor_table_add(struct sensor_table *table, const struct sensor_format *format,
		      const void *payload, size_t bytes)
{
	struct sensor_event *event = &table->events[format->event];

	event->records++;
	for (uint32_t i = 0; i < format->take_count; i++) {
		const struct sensor_take *take = &format->takes[i];

		if (take->end <= bytes)
			add_value(&event->fields[take->field],
				  load(take, (const char *)payload + take->offset));
	}
}

void sensor_table_tick(struct sensor_table *table, double seconds)
{
	for (size_t i = 0; i < table->event_count; i++) {
		struct sensor_event *event = &table->events[i];

		event->rate = seconds > 0 ? (event->records - event->before) / seconds : 0;
		event->before = event->records;
		for (size_t k = 0; k < event->field_count; k++) {
			struct sensor_field *field = &event->fields[k];

			field->has_mean = field->count != field->count_before;
			field->mean = field->has_mean ? (field->sum - field->sum_before) /
				      (field->count - field->count_before) : 0;
			field->count_before = field->count;
			field->sum_before = field->sum;
		}
	}
}
