// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fields of any record as numbers and texts.
 */
#include <arpa/inet.h>
#include <string.h>

#include "values.h"

/* Replaces text that could not be read, as in the kernel's trace probes */
#define UNREAD	"(fault)"

/* The callback that receives the values */
struct taker {
	void (*take)(void *context, const struct value *value);
	void *context;
};

static void give_bytes(const struct taker *taker, const char *name, enum value_type kind,
		       const void *bytes, size_t length)
{
	taker->take(taker->context, &(struct value) {
		.name = name, .kind = kind, .bytes = bytes,
		.length = kind == VALUE_CHARS ? strnlen(bytes, length) : length,
	});
}

/* @kind: a letter of abi.h; @number: the lower @bits are used; signed numbers are sign-extended */
static void give_number(const struct taker *taker, const char *name, char kind, uint64_t number,
			unsigned int bits)
{
	struct value value = { .name = name, .number = number };
	char text[INET_ADDRSTRLEN];
	uint32_t address = number;

	if (kind == '4') {
		inet_ntop(AF_INET, &address, text, sizeof(text));
		give_bytes(taker, name, VALUE_CHARS, text, sizeof(text));
		return;
	}
	if (kind == 'd')
		value.kind = VALUE_SIGNED;
	/* Network byte order */
	if (kind == 'n' && bits >= 8)
		value.number = __builtin_bswap64(number) >> (64 - bits / 8 * 8);
	taker->take(taker->context, &value);
}

static void give_field(const struct taker *taker, const struct evtlog_field *field,
		       const uint64_t *words)
{
	if (field->bits > 64 || field->kind == 'c')
		give_bytes(taker, field->name, VALUE_CHARS, words + field->word, (field->bits + 7) / 8);
	else
		give_number(taker, field->name, field->kind, field->kind == 'd' ?
			    (uint64_t)evtlog_field_s64(field, words) :
			    evtlog_field_u64(field, words), field->bits);
}

static void give_payload_field(const struct taker *taker, const struct evtlog_event_field *field,
			       const void *payload, size_t bytes)
{
	char address[EVTLOG_ADDRESS_BYTES];
	size_t length;
	const void *at = evtlog_event_field_at(field, payload, bytes, &length);

	if (!at)
		return;
	if (evtlog_event_field_is_unread(field, at, length))
		give_bytes(taker, field->name, VALUE_CHARS, UNREAD, sizeof(UNREAD));
	else if (evtlog_event_field_address(field, at, length, address))
		give_bytes(taker, field->name, VALUE_CHARS, address, sizeof(address));
	else if (field->kind == 'c' || field->kind == 'b')
		give_bytes(taker, field->name, field->kind == 'c' ? VALUE_CHARS : VALUE_BYTES, at,
			   length);
	else
		give_number(taker, field->name, field->kind, field->kind == 'd' ?
			    (uint64_t)evtlog_event_field_s64(at, length) :
			    evtlog_event_field_u64(at, length), length <= 8 ? 8 * length : 64);
}

static const struct evtlog_event_format *format_of(const struct evtlog_file *file,
						   const struct evtlog_event *event)
{
	return event->known == EVTLOG_EVENT ?
	       evtlog_event_format(file, evtlog_event_id(event)) : NULL;
}

const char *values_name(const struct evtlog_file *file, const struct evtlog_event *event)
{
	const struct evtlog_event_format *format = format_of(file, event);
	const struct evtlog_type_info *type = evtlog_type_info(file, event->number);

	return format ? format->name : type ? type->name : "unknown";
}

void values_each(const struct evtlog_file *file, const struct evtlog_event *event,
		 void (*take)(void *context, const struct value *value), void *context)
{
	const struct evtlog_event_format *format = format_of(file, event);
	const struct evtlog_type_info *type = evtlog_type_info(file, event->number);
	const struct taker taker = { take, context };
	const void *payload = NULL;
	size_t bytes = 0;

	if (event->known == EVTLOG_EVENT || event->known == EVTLOG_EVENT_FORMAT)
		payload = evtlog_event_payload(event, &bytes);
	for (uint32_t i = 0; format && i < format->field_count; i++)
		give_payload_field(&taker, &format->fields[i], payload, bytes);
	if (format)
		return;
	for (unsigned int i = 0; type && i < type->field_count; i++)
		give_field(&taker, &type->fields[i], event->file_words);
	if (payload && event->known == EVTLOG_EVENT)
		give_bytes(&taker, "payload", VALUE_BYTES, payload, bytes);
	else if (payload)
		give_bytes(&taker, "text", VALUE_CHARS, payload, bytes);
}
