// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes records that are neither states nor messages nor counters, as parameters with attributes.
 *
 * Each text is defined once.  Texts of values are forgotten after VALUES_BYTES and may then be
 * defined again, so memory does not grow with the log.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "export/values.h"
#include "lib/base/array.h"
#include "lib/tables/dictionary.h"

#define NAME_BYTES	(EVTLOG_NAME_MAX + 16)
#define VALUES_BYTES	(8u << 20)

/* Definitions of a text: numbers plus 1, 0 if not defined. @attributes: by enum value_type */
struct record_text {
	uint32_t string;
	uint32_t parameter;
	uint32_t attributes[VALUE_BYTES + 1];
};

/* @at: by the number of a text in @dictionary; @bytes: memory in use */
struct texts {
	struct dictionary dictionary;
	struct record_text *at;
	size_t count;
	size_t capacity;
	size_t bytes;
};

/*
 * @names:	names of records and fields
 * @values:	values of fields; emptied when they need too much memory
 * @used:	names of fields in the current record
 */
struct records {
	struct texts names;
	struct texts values;
	int64_t *used;
	size_t used_count;
	size_t used_capacity;
};

struct records *records_new(void)
{
	return calloc(1, sizeof(struct records));
}

static void free_texts(struct texts *texts)
{
	dictionary_free(&texts->dictionary);
	free(texts->at);
	*texts = (struct texts) { 0 };
}

void records_free(struct records *records)
{
	if (!records)
		return;
	free_texts(&records->names);
	free_texts(&records->values);
	free(records->used);
	free(records);
}

/* ---- Definitions ---- */

/* Returns the number of a text; -1 without memory, which also sets the archive's error. */
static int64_t number_of(struct output *out, struct texts *texts, const char *bytes, size_t length)
{
	int64_t number = dictionary_add(&texts->dictionary, bytes, length);
	size_t had = texts->count;

	if (number >= 0 && (size_t)number < had)
		return number;
	if (number < 0 || array_reserve_more(&texts->at, &texts->capacity, had, number + 1 - had,
					     sizeof(*texts->at))) {
		archive_check_errno(&out->archive, -ENOMEM);
		return -1;
	}
	texts->count = number + 1;
	texts->bytes += length + sizeof(*texts->at);
	memset(texts->at + had, 0, (texts->count - had) * sizeof(*texts->at));
	return number;
}

static uint32_t string_numbered(struct output *out, struct texts *texts, int64_t number)
{
	struct record_text *at = &texts->at[number];
	struct dictionary_text text;
	char *copy;

	if (at->string)
		return at->string - 1;
	text = dictionary_text(&texts->dictionary, number);
	copy = strndup(text.bytes, text.length);
	if (copy)
		at->string = archive_string(&out->archive, copy) + 1;
	else
		archive_check_errno(&out->archive, -ENOMEM);
	free(copy);
	return copy ? at->string - 1 : ARCHIVE_NO_STRING;
}

/* Defines a value of a field. */
static uint32_t string_of(struct output *out, const char *bytes, size_t length)
{
	struct texts *values = &out->records->values;
	int64_t number;

	if (values->bytes > VALUES_BYTES)
		free_texts(values);
	number = number_of(out, values, bytes, length);
	return number < 0 ? ARCHIVE_NO_STRING : string_numbered(out, values, number);
}

static uint32_t parameter_of(struct output *out, const char *name)
{
	struct texts *names = &out->records->names;
	int64_t number = number_of(out, names, name, strlen(name));
	uint32_t string;

	if (number < 0)
		return 0;
	string = string_numbered(out, names, number);
	if (!names->at[number].parameter)
		names->at[number].parameter = archive_parameter(&out->archive, string) + 1;
	return names->at[number].parameter - 1;
}

static OTF2_Type otf2_type(enum value_type kind)
{
	return kind == VALUE_UNSIGNED ? OTF2_TYPE_UINT64 :
	       kind == VALUE_SIGNED ? OTF2_TYPE_INT64 : OTF2_TYPE_STRING;
}

/* @number: number of its name */
static uint32_t attribute_of(struct output *out, int64_t number, enum value_type kind)
{
	struct texts *names = &out->records->names;
	uint32_t string = string_numbered(out, names, number);
	uint32_t *attribute = &names->at[number].attributes[kind];

	if (!*attribute)
		*attribute = archive_attribute(&out->archive, string, otf2_type(kind)) + 1;
	return *attribute - 1;
}

/* ---- Records ---- */

static bool is_used(const struct records *records, int64_t name)
{
	for (size_t i = 0; i < records->used_count; i++)
		if (records->used[i] == name)
			return true;
	return false;
}

/* If fields of a record have the same name, each gets an attribute with another name. */
static uint32_t free_attribute(struct output *out, const struct value *value)
{
	struct records *records = out->records;
	int64_t number = number_of(out, &records->names, value->name, strlen(value->name));
	char name[NAME_BYTES];

	for (unsigned int i = 2; number >= 0 && is_used(records, number); i++) {
		int length = snprintf(name, sizeof(name), "%s_%u", value->name, i);

		number = number_of(out, &records->names, name, length);
	}
	if (number < 0)
		return 0;
	if (array_reserve(&records->used, &records->used_capacity, records->used_count,
			  sizeof(*records->used)))
		archive_check_errno(&out->archive, -ENOMEM);
	else
		records->used[records->used_count++] = number;
	return attribute_of(out, number, value->kind);
}

static uint32_t hex_string(struct output *out, const uint8_t *bytes, size_t length)
{
	char text[2 * EVTLOG_EVENT_BYTES_MAX];

	if (length > EVTLOG_EVENT_BYTES_MAX)
		length = EVTLOG_EVENT_BYTES_MAX;
	for (size_t i = 0; i < length; i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	return string_of(out, text, 2 * length);
}

struct putting {
	struct output *out;
	struct location *location;
	uint64_t time_ns;
};

static void put_value(void *context, const struct value *value)
{
	struct putting *putting = context;
	struct output *out = putting->out;
	uint32_t attribute = free_attribute(out, value);
	uint64_t number = value->number;

	if (value->kind == VALUE_CHARS)
		number = string_of(out, value->bytes, value->length);
	else if (value->kind == VALUE_BYTES)
		number = hex_string(out, value->bytes, value->length);
	location_attribute(putting->location, &out->archive, putting->time_ns, attribute,
			   otf2_type(value->kind), number);
}

void records_put(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct putting putting = { .out = host->out };
	uint32_t parameter;

	putting.location = cpu_record_location(host, cpu, event->time_ns, &putting.time_ns);
	if (!putting.location)
		return;
	host->out->records->used_count = 0;
	parameter = parameter_of(host->out, values_name(host->file, event));
	values_each(host->file, event, put_value, &putting);
	location_parameter(putting.location, &host->out->archive, putting.time_ns, parameter,
			   event->pid == EVTLOG_PID_UNKNOWN ? -1 : (int64_t)event->pid);
}
