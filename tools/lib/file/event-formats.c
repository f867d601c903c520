// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Learns what registered events are from a log's EVENT_FORMAT records.
 *
 * Stage: beside an open file; it reads streams of it, when it is asked for the first time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event-formats.h"
#include "file.h"
#include "lib/base/array.h"
#include "lib/base/key-table.h"

/* Formats follow a CPU's start: they are over when it wrote that many other records since. */
#define START_PATIENCE	131072
#define FIELDS_MAX	256

/*
 * @at:		each allocated on its own, for readers keep pointers
 * @by_id:	their numbers in @at
 * @read:	how far the log was read ahead
 */
struct event_formats {
	struct evtlog_file *file;
	struct evtlog_event_format **at;
	size_t capacity;
	struct key_table by_id;
	enum { READ_NOTHING, READ_START, READ_ALL } read;
};

struct event_formats *event_formats_new(struct evtlog_file *file)
{
	struct event_formats *formats = calloc(1, sizeof(*formats));

	if (formats)
		formats->file = file;
	return formats;
}

static void format_of_event_free(struct evtlog_event_format *format)
{
	if (!format)
		return;
	free((void *)format->fields);
	free(format);
}

void event_formats_free(struct event_formats *formats)
{
	if (!formats)
		return;
	for (size_t i = 0; i < formats->by_id.count; i++)
		format_of_event_free(formats->at[i]);
	key_table_free(&formats->by_id);
	free(formats->at);
	free(formats);
}

static bool is_name(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return length && length <= EVTLOG_NAME_MAX && !name[length];
}

static bool take_number(const char *text, uint16_t *number)
{
	unsigned long value;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoul(text, &end, 10);
	*number = value;
	return !errno && !*end && value <= UINT16_MAX;
}

static bool kind_has_bytes(char *kind, unsigned int bytes)
{
	bool is_number = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;

	/* Kinds to come read as numbers, or as bytes. */
	if (!strchr("udxpcb4nkt", *kind))
		*kind = is_number ? 'x' : 'b';
	return is_number || *kind == 'c' || *kind == 'b';
}

/* "name:offset:bytes:kind" */
static bool take_field(struct evtlog_event_field *field, char *text)
{
	char *part[4];

	for (int i = 0; i < 4; i++) {
		part[i] = strsep(&text, ":");
		if (!part[i])
			return false;
	}
	if (text || !is_name(part[0]) || strlen(part[3]) != 1 ||
	    !take_number(part[1], &field->offset) || !take_number(part[2], &field->bytes))
		return false;
	strcpy(field->name, part[0]);
	field->kind = part[3][0];
	return kind_has_bytes(&field->kind, field->bytes);
}

/* A decimal fraction, whatever the locale's point is. */
static double number_of(const char *text)
{
	double number = 0, unit = 1;

	for (; *text >= '0' && *text <= '9'; text++)
		number = 10 * number + (*text - '0');
	if (*text == '.') {
		while (*++text >= '0' && *text <= '9')
			number += (unit /= 10) * (*text - '0');
	}
	return number;
}

/* "KIND NUMBER [FIELD]"; of what is not understood nothing but that it is a sample. */
static void take_sample(struct evtlog_event_format *format, char *text)
{
	const char *kind = strsep(&text, " "), *number = text ? strsep(&text, " ") : NULL;
	uint64_t every = number ? strtoull(number, NULL, 10) : 0;
	double probability = number ? number_of(number) : 0;

	format->sampling = EVTLOG_SAMPLING_OTHER;
	if (!strcmp(kind, "probability") && probability > 0 && probability <= 1) {
		format->sampling = EVTLOG_SAMPLING_PROBABILITY;
		format->sample_probability = probability;
	} else if (!every) {
		return;
	} else if (!strcmp(kind, "count")) {
		format->sampling = EVTLOG_SAMPLING_COUNT;
	} else if (!strcmp(kind, "time")) {
		format->sampling = EVTLOG_SAMPLING_TIME;
	} else if (!strcmp(kind, "key") && text && is_name(text)) {
		format->sampling = EVTLOG_SAMPLING_KEY;
		strcpy(format->sample_key, text);
	}
	format->sample_every = every;
}

static void take_lines(struct evtlog_event_format *format, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")) && text) {
		if (!strncmp(line, "sample ", 7))
			take_sample(format, line + 7);
	}
}

static int take_fields(struct evtlog_event_format *format, char *line)
{
	struct evtlog_event_field *fields;
	char *field;

	while ((field = strsep(&line, " "))) {
		if (!*field)
			continue;
		if (format->field_count == FIELDS_MAX)
			return 0;
		fields = reallocarray((void *)format->fields, format->field_count + 1,
				      sizeof(*fields));
		if (!fields)
			return -ENOMEM;
		format->fields = fields;
		if (!take_field(&fields[format->field_count++], field))
			return -EBADMSG;
	}
	return 0;
}

/* "NAME\nFIELD FIELD ...\n", and further lines.  Returns 0; -EBADMSG; -ENOMEM. */
static int parse(struct evtlog_event_format *format, char *text)
{
	char *name = strsep(&text, "\n"), *line = text ? strsep(&text, "\n") : NULL;
	int error;

	if (!line || !text || !is_name(name))
		return -EBADMSG;
	strcpy(format->name, name);
	error = take_fields(format, line);
	if (!error)
		take_lines(format, text);
	return error;
}

static int add(struct event_formats *formats, struct evtlog_event_format *format)
{
	size_t count = formats->by_id.count;

	if (array_reserve(&formats->at, &formats->capacity, count, sizeof(*formats->at)) ||
	    key_table_add(&formats->by_id, format->id, count))
		return -ENOMEM;
	formats->at[count] = format;
	return 0;
}

int event_formats_learn_text(struct event_formats *formats, uint32_t id, const void *text,
			     size_t bytes)
{
	struct evtlog_event_format *format;
	char *copy;
	int error;

	if (key_table_find(&formats->by_id, id) != KEY_NONE)
		return 0;
	copy = strndup(text, bytes);
	format = calloc(1, sizeof(*format));
	error = copy && format ? 0 : -ENOMEM;
	if (!error) {
		format->id = id;
		error = parse(format, copy);
	}
	if (!error)
		error = add(formats, format);
	free(copy);
	if (error)
		format_of_event_free(format);
	return error == -ENOMEM ? error : 0;
}

int event_formats_learn(struct event_formats *formats, const struct evtlog_event *event)
{
	const void *text;
	size_t bytes;

	if (event->kind != EVTLOG_EVENT_RECORD || event->known != EVTLOG_EVENT_FORMAT)
		return 0;
	text = evtlog_event_payload(event, &bytes);
	return event_formats_learn_text(formats, evtlog_event_id(event), text, bytes);
}

static int read_cpu(struct event_formats *formats, unsigned int slot, uint64_t patience)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	uint64_t others = 0;
	int result = evtlog_stream_new(formats->file, slot, &stream);

	if (result)
		return result;
	while (others < patience && (result = evtlog_stream_next(stream, &event)) > 0) {
		others = event->known == EVTLOG_EVENT_FORMAT ? 0 : others + 1;
		result = event_formats_learn(formats, event);
		if (result)
			break;
	}
	evtlog_stream_free(stream);
	return result < 0 ? result : 0;
}

static int read_ahead(struct event_formats *formats, uint64_t patience)
{
	int error = 0;

	for (unsigned int slot = 0; !error && slot < formats->file->part_count; slot++)
		error = read_cpu(formats, slot, patience);
	return error;
}

const struct evtlog_event_format *evtlog_event_format(const struct evtlog_file *file,
						      uint32_t id)
{
	struct event_formats *formats = file->event_formats;

	for (;;) {
		uint32_t number = key_table_find(&formats->by_id, id);

		if (number != KEY_NONE)
			return formats->at[number];
		if (formats->read == READ_ALL)
			return NULL;
		formats->read++;
		if (read_ahead(formats, formats->read == READ_ALL ? UINT64_MAX :
			       START_PATIENCE))
			return NULL;
	}
}

const struct evtlog_event_format *evtlog_event_format_at(const struct evtlog_file *file,
							 size_t number)
{
	struct event_formats *formats = file->event_formats;

	if (formats->read != READ_ALL) {
		formats->read = READ_ALL;
		if (read_ahead(formats, UINT64_MAX))
			return NULL;
	}
	return number < formats->by_id.count ? formats->at[number] : NULL;
}

uint32_t evtlog_event_id(const struct evtlog_event *event)
{
	return evtlog_data(event->words, 0, EVTLOG_EVENT_ID_BITS);
}

const void *evtlog_event_payload(const struct evtlog_event *event, size_t *bytes)
{
	*bytes = evtlog_event_bytes(event->words[0]);
	return event->words + 1;
}

const void *evtlog_event_field_at(const struct evtlog_event_field *field, const void *payload,
				  size_t bytes, size_t *field_bytes)
{
	*field_bytes = 0;
	if (field->offset > bytes || field->bytes > bytes - field->offset)
		return NULL;
	*field_bytes = field->bytes ? field->bytes : bytes - field->offset;
	return (const char *)payload + field->offset;
}

uint64_t evtlog_event_field_u64(const void *at, size_t field_bytes)
{
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	switch (field_bytes) {
	case 1:
		memcpy(&u8, at, sizeof(u8));
		return u8;
	case 2:
		memcpy(&u16, at, sizeof(u16));
		return u16;
	case 4:
		memcpy(&u32, at, sizeof(u32));
		return u32;
	case 8:
		memcpy(&u64, at, sizeof(u64));
		return u64;
	default:
		return 0;
	}
}

int64_t evtlog_event_field_s64(const void *at, size_t field_bytes)
{
	uint64_t value = evtlog_event_field_u64(at, field_bytes);
	unsigned int unused = field_bytes < 8 ? 64 - 8 * field_bytes : 0;

	return field_bytes ? (int64_t)(value << unused) >> unused : 0;
}
