// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converts records of built-in events to payloads with a format.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <evtlog/record.h>

#include "records.h"

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

size_t sensor_builtin_format(unsigned int type, char *text)
{
	const struct builtin *b = find(type);
	size_t used, offset = 0;

	if (!b->name)
		return 0;
	used = sprintf(text, "%s\n", b->name);
	for (unsigned int i = 0; i < b->field_count; i++) {
		const struct evtlog_field *field = &b->fields[i];
		size_t bytes = bytes_of(field);

		used += snprintf(text + used, SENSOR_BUILTIN_FORMAT_BYTES - used, "%s%s:%zu:%zu:%c",
				 i ? " " : "", field->name, offset, bytes, kind_of(field));
		if (used + 2 > SENSOR_BUILTIN_FORMAT_BYTES)
			return 0;
		offset += bytes;
	}
	text[used++] = '\n';
	return offset <= SENSOR_BUILTIN_PAYLOAD_BYTES ? used : 0;
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

size_t sensor_builtin_payload(const uint64_t *words, void *payload)
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
