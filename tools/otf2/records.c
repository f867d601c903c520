// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records that are neither states nor messages nor counters, as parameters with attributes.
 *
 * Memory grows with the texts that are different, as the archive's definitions do.
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

/* What is defined of a text: numbers, and one; 0: it is not. @attributes: of enum value_type */
struct record_text {
	uint32_t string;
	uint32_t parameter;
	uint32_t attributes[VALUE_BYTES + 1];
};

/*
 * @at:		by the number of a text in @texts
 * @used:	numbers of the names of the record at hand
 */
struct records {
	struct dictionary texts;
	struct record_text *at;
	size_t count;
	size_t capacity;
	int64_t *used;
	size_t used_count;
	size_t used_capacity;
};

struct records *records_new(void)
{
	return calloc(1, sizeof(struct records));
}

void records_free(struct records *records)
{
	if (!records)
		return;
	dictionary_free(&records->texts);
	free(records->at);
	free(records->used);
	free(records);
}

/* ---- Definitions ---- */

/* The number of a text; -1: no memory, which is the archive's error then. */
static int64_t number_of(struct output *out, const char *bytes, size_t length)
{
	struct records *records = out->records;
	int64_t number = dictionary_add(&records->texts, bytes, length);
	size_t had = records->count;

	if (number >= 0 && (size_t)number >= had) {
		if (array_reserve_more(&records->at, &records->capacity, had, number + 1 - had,
				       sizeof(*records->at)))
			number = -ENOMEM;
		else
			records->count = number + 1;
	}
	if (number < 0) {
		archive_check_errno(&out->archive, -ENOMEM);
		return -1;
	}
	if (records->count > had)
		memset(records->at + had, 0, (records->count - had) * sizeof(*records->at));
	return number;
}

static uint32_t string_of(struct output *out, const char *bytes, size_t length)
{
	int64_t number = number_of(out, bytes, length);
	struct dictionary_text text;
	struct record_text *at;
	char *copy;

	if (number < 0)
		return ARCHIVE_NO_STRING;
	at = &out->records->at[number];
	if (at->string)
		return at->string - 1;
	text = dictionary_text(&out->records->texts, number);
	copy = strndup(text.bytes, text.length);
	if (copy)
		at->string = archive_string(&out->archive, copy) + 1;
	else
		archive_check_errno(&out->archive, -ENOMEM);
	free(copy);
	return copy ? at->string - 1 : ARCHIVE_NO_STRING;
}

static uint32_t parameter_of(struct output *out, const char *name)
{
	struct records *records = out->records;
	int64_t number = number_of(out, name, strlen(name));
	uint32_t string;

	if (number < 0)
		return 0;
	if (!records->at[number].parameter) {
		string = string_of(out, name, strlen(name));
		records->at[number].parameter = archive_parameter(&out->archive, string) + 1;
	}
	return records->at[number].parameter - 1;
}

static OTF2_Type otf2_type(enum value_type kind)
{
	return kind == VALUE_UNSIGNED ? OTF2_TYPE_UINT64 :
	       kind == VALUE_SIGNED ? OTF2_TYPE_INT64 : OTF2_TYPE_STRING;
}

/* @number: of its name in @texts */
static uint32_t attribute_of(struct output *out, int64_t number, enum value_type kind)
{
	struct dictionary_text name = dictionary_text(&out->records->texts, number);
	uint32_t string = string_of(out, name.bytes, name.length);
	struct record_text *text = &out->records->at[number];

	if (!text->attributes[kind])
		text->attributes[kind] = archive_attribute(&out->archive, string,
							   otf2_type(kind)) + 1;
	return text->attributes[kind] - 1;
}

/* ---- Records ---- */

static bool is_used(const struct records *records, int64_t name)
{
	for (size_t i = 0; i < records->used_count; i++)
		if (records->used[i] == name)
			return true;
	return false;
}

/* Of two fields with one name each has an attribute with another. */
static uint32_t free_attribute(struct output *out, const struct value *value)
{
	struct records *records = out->records;
	int64_t number = number_of(out, value->name, strlen(value->name));
	char name[NAME_BYTES];

	for (unsigned int i = 2; number >= 0 && is_used(records, number); i++) {
		int length = snprintf(name, sizeof(name), "%s_%u", value->name, i);

		number = number_of(out, name, length);
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
