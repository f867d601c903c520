// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Learns the formats of registered events from a log's EVENT_FORMAT records.
 *
 * Stage: next to an open file.  It reads blocks ahead of the streams, in the order of time, up to
 * the format that is requested.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lib/base/array.h"
#include "lib/base/key-table.h"

#define FIELDS_MAX	256

/*
 * @at:		formats, each allocated separately, because callers keep pointers
 * @by_id:	indices in @at
 * @next:	for each CPU, the index in @file->blocks of its next block to read; NULL: none
 *		was read yet
 * @loaded:	the last block that was read
 * @failed:	true: blocks cannot be read
 */
struct event_formats {
	struct evtlog_file *file;
	struct evtlog_event_format **at;
	size_t capacity;
	struct key_table by_id;
	size_t *next;
	struct loaded loaded;
	bool failed;
};

struct event_formats *event_formats_new(struct evtlog_file *file)
{
	struct event_formats *formats = calloc(1, sizeof(*formats));

	if (formats)
		formats->file = file;
	return formats;
}

void evtlog_event_format_free(struct evtlog_event_format *format)
{
	if (!format)
		return;
	free((void *)format->fields);
	free((void *)format->filter);
	free(format);
}

void event_formats_free(struct event_formats *formats)
{
	if (!formats)
		return;
	for (size_t i = 0; i < formats->by_id.count; i++)
		evtlog_event_format_free(formats->at[i]);
	key_table_free(&formats->by_id);
	free(formats->at);
	free(formats->next);
	free(formats->loaded.memory);
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

	/* Fields of unknown kinds are read as numbers or as bytes. */
	if ((*kind == '6' && bytes != 16) || (*kind == 'm' && bytes != 6) ||
	    !strchr("udxpcb4nkt6m", *kind))
		*kind = is_number ? 'x' : 'b';
	return is_number || strchr("cb6m", *kind);
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

/* Parses a decimal fraction with a point, in any locale. */
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

/* Parses "KIND NUMBER [FIELD]"; if it is not understood, it is EVTLOG_SAMPLING_OTHER. */
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

/* Returns 0 or -ENOMEM. */
static int take_lines(struct evtlog_event_format *format, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")) && text) {
		if (!strncmp(line, "sample ", 7))
			take_sample(format, line + 7);
		if (!strncmp(line, "filter ", 7) && !format->filter) {
			format->filter = strdup(line + 7);
			if (!format->filter)
				return -ENOMEM;
		}
	}
	return 0;
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

/* Parses "NAME\nFIELD FIELD ...\n", and further lines.  Returns 0; -EBADMSG; -ENOMEM. */
static int parse(struct evtlog_event_format *format, char *text)
{
	char *name = strsep(&text, "\n"), *line = text ? strsep(&text, "\n") : NULL;
	int error;

	if (!line || !text || !is_name(name))
		return -EBADMSG;
	strcpy(format->name, name);
	error = take_fields(format, line);
	return error ? error : take_lines(format, text);
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

int evtlog_event_format_parse(uint32_t id, const void *text, size_t bytes,
			      struct evtlog_event_format **formatp)
{
	struct evtlog_event_format *format = calloc(1, sizeof(*format));
	char *copy = strndup(text, bytes);
	int error = copy && format ? 0 : -ENOMEM;

	if (!error) {
		format->id = id;
		error = parse(format, copy);
	}
	free(copy);
	if (error)
		evtlog_event_format_free(format);
	else
		*formatp = format;
	return error;
}

int event_formats_learn_text(struct event_formats *formats, uint32_t id, const void *text,
			     size_t bytes)
{
	struct evtlog_event_format *format;
	int error;

	if (key_table_find(&formats->by_id, id) != KEY_NONE)
		return 0;
	error = evtlog_event_format_parse(id, text, bytes, &format);
	if (!error) {
		error = add(formats, format);
		if (error)
			evtlog_event_format_free(format);
	}
	return error == -ENOMEM ? error : 0;
}

/* Takes the EVENT_FORMATs of a buffer, and skips all other records. */
static int look_through(struct event_formats *formats, const struct evtlog_buffer_header *header)
{
	const struct format *format = &formats->file->format;
	const uint64_t *at = (const void *)((const char *)header + header->header_bytes);
	const uint64_t *end = (const void *)((const char *)header + header->used_bytes);

	while (at < end) {
		unsigned int number = *at >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
		unsigned int words = format->types[number].words;
		int error;

		if (format->sizes[number].bits)
			words = format_record_words(format, *at);
		/* The stream reports the damage. */
		if (!words || words > (size_t)(end - at))
			return 0;
		if (format->types[number].known == EVTLOG_EVENT_FORMAT && format->same[number]) {
			error = event_formats_learn_text(formats,
							 evtlog_data(at, 0, EVTLOG_EVENT_ID_BITS),
							 at + 1, evtlog_event_bytes(*at));
			if (error)
				return error;
		}
		at += words;
	}
	return 0;
}

static int start_reading(struct event_formats *formats)
{
	const struct evtlog_file *file = formats->file;

	formats->next = calloc(file->part_count + 1, sizeof(*formats->next));
	if (!formats->next)
		return -ENOMEM;
	for (unsigned int slot = 0; slot < file->part_count; slot++)
		formats->next[slot] = file->parts[slot].first;
	return 0;
}

/* Chooses the CPU whose next block begins first: formats follow soon after their first events. */
static unsigned int choose_slot(const struct event_formats *formats)
{
	const struct evtlog_file *file = formats->file;
	unsigned int chosen = file->part_count;
	uint64_t first = UINT64_MAX;

	for (unsigned int slot = 0; slot < file->part_count; slot++) {
		const struct cpu_part *part = &file->parts[slot];
		size_t next = formats->next[slot];

		if (next < part->first + part->count && file->blocks[next].begin_ticks < first) {
			first = file->blocks[next].begin_ticks;
			chosen = slot;
		}
	}
	return chosen;
}

/* Reads one more block.  Returns 1; 0 if there are no more; -ENOMEM; -errno of read(). */
static int read_block(struct event_formats *formats)
{
	struct evtlog_file *file = formats->file;
	unsigned int slot;
	size_t number, end;
	bool copies;
	int result;

	if (!formats->next && start_reading(formats))
		return -ENOMEM;
	slot = choose_slot(formats);
	if (slot == file->part_count)
		return 0;
	number = formats->next[slot]++;
	end = file->parts[slot].first + file->parts[slot].count;
	copies = number + 1 < end && file->blocks[number + 1].sequence == file->blocks[number].sequence;
	result = block_load(file, &file->blocks[number], copies, &formats->loaded);
	if (result > 0)
		result = look_through(formats, formats->loaded.header);
	return result < 0 ? result : 1;
}

const struct evtlog_event_format *evtlog_event_format(const struct evtlog_file *file,
						      uint32_t id)
{
	struct event_formats *formats = file->event_formats;

	for (;;) {
		uint32_t number = key_table_find(&formats->by_id, id);
		int result;

		if (number != KEY_NONE)
			return formats->at[number];
		result = formats->failed ? 0 : read_block(formats);
		formats->failed |= result < 0;
		if (result <= 0)
			return NULL;
	}
}

const struct evtlog_event_format *evtlog_event_format_at(const struct evtlog_file *file,
							 size_t number)
{
	struct event_formats *formats = file->event_formats;
	int result = formats->failed ? -EIO : 1;

	while (result > 0)
		result = read_block(formats);
	formats->failed |= result < 0;
	return !result && number < formats->by_id.count ? formats->at[number] : NULL;
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

size_t evtlog_event_field_address(const struct evtlog_event_field *field, const void *at,
				  size_t field_bytes, char *text)
{
	const uint8_t *byte = at;

	if (field->kind == '4' && field_bytes == 4)
		inet_ntop(AF_INET, at, text, EVTLOG_ADDRESS_BYTES);
	else if (field->kind == '6' && field_bytes == 16)
		inet_ntop(AF_INET6, at, text, EVTLOG_ADDRESS_BYTES);
	else if (field->kind == 'm' && field_bytes == 6)
		snprintf(text, EVTLOG_ADDRESS_BYTES, "%02x:%02x:%02x:%02x:%02x:%02x", byte[0], byte[1],
			 byte[2], byte[3], byte[4], byte[5]);
	else
		return 0;
	return strlen(text);
}

bool evtlog_event_field_is_unread(const struct evtlog_event_field *field, const void *at,
				  size_t field_bytes)
{
	const uint8_t *byte = at;

	if (field->kind != 'c' || field_bytes < 2 || byte[0])
		return false;
	for (size_t i = 1; i < field_bytes; i++)
		if (byte[i] != 0xff)
			return false;
	return true;
}
