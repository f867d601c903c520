// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decodes a kernel buffer: registered events, and built-in ones, which get a format and payloads.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <evtlog/record.h>

#include "table.h"

/* ---- Built-in events have record types of their own ---- */

/* Enough for each of them. */
#define FORMAT_BYTES	512
#define PAYLOAD_BYTES	128

/* A type of records.  @text: its fields as in abi.h, parsed into @fields at the first use. */
struct builtin {
	const char *name;
	const char *text;
	struct evtlog_field fields[EVTLOG_FIELDS_MAX];
	unsigned int field_count;
	bool is_read;
};

static struct builtin builtins[EVTLOG_TYPE_MAX + 1] = {
#define X(number, NAME, name_, words, fields_) [number] = { .name = #name_, .text = fields_ },
	EVTLOG_TYPES(X)
#undef X
};

static const struct builtin *find(unsigned int type)
{
	struct builtin *b = &builtins[type];
	const char *at = b->text;

	while (!b->is_read && at && *at && b->field_count < EVTLOG_FIELDS_MAX) {
		struct evtlog_field *field = &b->fields[b->field_count];
		unsigned int word, bit, bits;
		char kind;

		if (sscanf(at, "%31[^:]:%u:%u:%u:%c", field->name, &word, &bit, &bits, &kind) != 5)
			break;
		field->word = word;
		field->bit = bit;
		field->bits = bits;
		field->kind = kind;
		b->field_count++;
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	b->is_read = true;
	return b;
}

static unsigned int bytes_of(const struct evtlog_field *field)
{
	if (field->kind == 'c')
		return field->bits / 8;
	if (field->kind == 's')
		return 1;
	return field->bits > 32 ? 8 : 4;
}

/* The corresponding kind for the bytes of a payload. */
static char kind_of(const struct evtlog_field *field)
{
	switch (field->kind) {
	case 'v':
		return 'p';
	case 's':
		return 'c';
	case 'n':
		/* The bytes are converted to our order. */
		return 'u';
	default:
		return field->kind;
	}
}

/*
 * Makes a format for a type of records, at most FORMAT_BYTES.  Softirq vectors become numbers that
 * are not summed, task states become letters.  Returns the length; 0 if there is no such type.
 */
static size_t make_format(unsigned int type, char *text)
{
	const struct builtin *b = find(type);
	size_t used, offset = 0;

	if (!b->name)
		return 0;
	used = sprintf(text, "%s\n", b->name);
	for (unsigned int i = 0; i < b->field_count; i++) {
		const struct evtlog_field *field = &b->fields[i];
		size_t bytes = bytes_of(field);

		used += snprintf(text + used, FORMAT_BYTES - used, "%s%s:%zu:%zu:%c",
				 i ? " " : "", field->name, offset, bytes, kind_of(field));
		if (used + 2 > FORMAT_BYTES)
			return 0;
		offset += bytes;
	}
	text[used++] = '\n';
	return offset <= PAYLOAD_BYTES ? used : 0;
}

static uint64_t value_of(const struct evtlog_field *field, const uint64_t *words)
{
	uint64_t value = evtlog_field_u64(field, words);

	switch (field->kind) {
	case 'd':
		return evtlog_field_s64(field, words);
	case 'n':
		return field->bits == 16 ? __builtin_bswap16(value) : __builtin_bswap32(value);
	case 's':
		return value < sizeof(EVTLOG_STATES) - 1 ? EVTLOG_STATES[value] : '?';
	default:
		return value;
	}
}

/*
 * Converts a complete record of one of EVTLOG_TYPES to a payload in this format, of PAYLOAD_BYTES.
 * Returns the length.
 */
static size_t make_payload(const uint64_t *words, void *payload)
{
	const struct builtin *b = find(words[0] >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX);
	char *at = payload;

	for (unsigned int i = 0; i < b->field_count; i++) {
		const struct evtlog_field *field = &b->fields[i];
		unsigned int bytes = bytes_of(field);
		uint64_t value = value_of(field, words);
		uint32_t narrow = value;
		char letter = value;

		if (field->kind == 'c')
			memcpy(at, &words[field->word], bytes);
		else if (bytes == 1)
			memcpy(at, &letter, 1);
		else if (bytes == 4)
			memcpy(at, &narrow, 4);
		else
			memcpy(at, &value, 8);
		at += bytes;
	}
	return at - (char *)payload;
}

unsigned int sensor_builtin_type(const char *name)
{
	for (unsigned int type = 1; type <= EVTLOG_TYPE_MAX; type++)
		if (builtins[type].name && !strcmp(builtins[type].name, name))
			return type;
	return 0;
}

/* ---- Buffers ---- */

/*
 * @high:	upper half of the time, from the last record with a full time
 * @cpu:	of the buffer; in a global buffer, from the last ON_CPU record
 */
struct walk {
	struct sensor_table *table;
	const struct evtlog_buffer_header *buffer;
	sensor_emit *emit;
	void *context;
	uint64_t high;
	uint32_t cpu;
	int error;
};

/* Returns the time from the first clock reading to @ticks, which may be negative. */
static int64_t since_begin(const struct evtlog_buffer_header *buffer, uint64_t ticks)
{
	double from = (int64_t)(ticks - buffer->begin.ticks);
	double ticks_between = (int64_t)(buffer->end.ticks - buffer->begin.ticks);
	double ns_between = (int64_t)(buffer->end.raw_ns - buffer->begin.raw_ns);

	/* If passed on at once, the two clock readings of the buffer are too close. */
	if (ns_between > 1e6 && ticks_between > 0)
		return from * ns_between / ticks_between;
	return buffer->ticks_hz ? from * 1e9 / buffer->ticks_hz : 0;
}

static void emit(struct walk *walk, const struct sensor_format *format, uint64_t first,
		 const void *payload, size_t bytes)
{
	const struct evtlog_buffer_header *buffer = walk->buffer;
	int64_t since = since_begin(buffer, walk->high | (uint32_t)first);
	struct sensor_record record = {
		.format = format,
		.cpu = walk->cpu,
		.raw_ns = buffer->begin.raw_ns + since,
		.real_ns = buffer->begin.real_ns + since,
		.payload = payload,
		.bytes = bytes,
	};

	walk->emit(walk->context, &record);
}

static void take_event(struct walk *walk, const uint64_t *words)
{
	uint32_t id = evtlog_data(words, 0, EVTLOG_EVENT_ID_BITS);
	size_t bytes = evtlog_event_bytes(words[0]);
	const struct sensor_format *format = sensor_table_format(walk->table, id);

	if (!format) {
		walk->table->unknown++;
		walk->error = -ENOENT;
		return;
	}
	sensor_table_add(walk->table, format, words + 1, bytes);
	if (walk->table->events[format->event].is_subscribed)
		emit(walk, format, words[0], words + 1, bytes);
}

/* The payload is decoded only if it is used. */
static int take_builtin(struct walk *walk, unsigned int type, const uint64_t *words)
{
	const struct sensor_format *format = sensor_table_format(walk->table,
								 SENSOR_BUILTIN_ID(type));
	uint64_t payload[PAYLOAD_BYTES / 8];
	bool is_subscribed;
	size_t bytes = 0;
	int error;

	if (!format) {
		error = sensor_records_learn_builtin(walk->table, type);
		format = sensor_table_format(walk->table, SENSOR_BUILTIN_ID(type));
		walk->table->unknown += !format;
		if (!format)
			return error == -ENOMEM ? error : 0;
	}
	is_subscribed = walk->table->events[format->event].is_subscribed;
	if (is_subscribed || format->take_count)
		bytes = make_payload(words, payload);
	sensor_table_add(walk->table, format, payload, bytes);
	if (is_subscribed)
		emit(walk, format, words[0], payload, bytes);
	return 0;
}

static int take(struct walk *walk, const uint64_t *words)
{
	unsigned int type = words[0] >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
	int error;

	switch (type) {
	case EVTLOG_EVENT:
		take_event(walk, words);
		return 0;
	case EVTLOG_EVENT_FORMAT:
		error = sensor_table_learn(walk->table,
					   evtlog_data(words, 0, EVTLOG_EVENT_ID_BITS), words + 1,
					   evtlog_event_bytes(words[0]));
		/* The records of the event are counted as unknown. */
		return error == -ENOMEM ? error : 0;
	case EVTLOG_TIME:
		walk->high = words[1] & ~(uint64_t)UINT32_MAX;
		return 0;
	case EVTLOG_ON_CPU:
		walk->cpu = evtlog_data(words, 0, EVTLOG_DATA_BITS);
		return 0;
	case EVTLOG_LOST:
	case EVTLOG_COUNTER:
	case EVTLOG_TASK:
		/* These describe the log, they are not events. */
		return 0;
	default:
		return take_builtin(walk, type, words);
	}
}

int sensor_records_learn_builtin(struct sensor_table *table, unsigned int type)
{
	char text[FORMAT_BYTES];
	size_t bytes = make_format(type, text);

	return bytes ? sensor_table_learn(table, SENSOR_BUILTIN_ID(type), text, bytes) : -ENOENT;
}

int sensor_records_add(struct sensor_table *table, const struct evtlog_buffer_header *buffer,
		       sensor_emit *emit, void *context)
{
	struct walk walk = {
		.table = table, .buffer = buffer, .emit = emit, .context = context,
		.high = buffer->begin_ticks & ~(uint64_t)UINT32_MAX, .cpu = buffer->cpu,
	};
	const uint64_t *at, *end;
	int error;

	if (buffer->abi_version != EVTLOG_ABI_VERSION || buffer->header_bytes % 8 ||
	    buffer->header_bytes < sizeof(*buffer) || buffer->used_bytes < buffer->header_bytes)
		return -EPROTO;
	at = (const void *)((const char *)buffer + buffer->header_bytes);
	end = at + (buffer->used_bytes - buffer->header_bytes) / 8;
	while (at < end) {
		size_t words = evtlog_record_words(*at);

		if (!words || words > (size_t)(end - at))
			return -EBADMSG;
		error = take(&walk, at);
		if (error)
			return error;
		at += words;
	}
	return walk.error;
}
