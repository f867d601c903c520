// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows the payload of a registered event by its format; without one, its bytes.
 */
#include <string.h>

#include "payload.h"

static void show_hex(struct line *line, const void *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *byte = bytes;

	for (size_t i = 0; i < length; i++) {
		line_char(line, digits[byte[i] >> 4]);
		line_char(line, digits[byte[i] & 15]);
	}
}

/* A number, as if it were a field of a record: @word is its one word. */
static struct evtlog_field as_field(const struct evtlog_event_field *field, const void *at,
				    size_t bytes, uint64_t *word)
{
	struct evtlog_field number = { .bits = 8 * bytes, .kind = field->kind };

	strcpy(number.name, field->name);
	*word = evtlog_event_field_u64(at, bytes);
	return number;
}

static void show_value(const struct fields *fields, struct line *line,
		       const struct evtlog_event_field *field, const void *at, size_t bytes)
{
	struct evtlog_field number;
	uint64_t word;

	switch (field->kind) {
	case 'c':
		line_char(line, '"');
		line_escaped(line, at, strnlen(at, bytes));
		line_char(line, '"');
		break;
	case 'b':
		show_hex(line, at, bytes);
		break;
	default:
		number = as_field(field, at, bytes, &word);
		fields_show_value(fields, line, &number, &word);
	}
}

void payload_show(const struct fields *fields, struct line *line,
		  const struct evtlog_event *event)
{
	const struct evtlog_event_format *format;
	const void *payload;
	size_t bytes;

	if (event->known != EVTLOG_EVENT && event->known != EVTLOG_EVENT_FORMAT)
		return;
	payload = evtlog_event_payload(event, &bytes);
	if (event->known == EVTLOG_EVENT_FORMAT) {
		line_text(line, " text=\"");
		line_escaped(line, payload, strnlen(payload, bytes));
		line_char(line, '"');
		return;
	}
	format = evtlog_event_format(fields->file, evtlog_event_id(event));
	if (!format || !format->field_count) {
		line_text(line, " payload=");
		show_hex(line, payload, bytes);
		return;
	}
	for (uint32_t i = 0; i < format->field_count; i++) {
		const struct evtlog_event_field *field = &format->fields[i];
		size_t field_bytes;
		const void *at = evtlog_event_field_at(field, payload, bytes, &field_bytes);

		if (!at)
			continue;
		line_char(line, ' ');
		line_text(line, field->name);
		line_char(line, '=');
		show_value(fields, line, field, at, field_bytes);
	}
}

static void hex_json(struct json *json, const char *key, const void *bytes, size_t length)
{
	struct line text;

	text.length = 0;
	show_hex(&text, bytes, length);
	json_bytes(json, key, text.text, text.length);
}

static void value_json(const struct fields *fields, struct json *json,
		       const struct evtlog_event_field *field, const void *at, size_t bytes)
{
	struct evtlog_field number;
	uint64_t word;

	switch (field->kind) {
	case 'c':
		json_bytes(json, field->name, at, strnlen(at, bytes));
		break;
	case 'b':
		hex_json(json, field->name, at, bytes);
		break;
	default:
		number = as_field(field, at, bytes, &word);
		fields_json_value(fields, json, &number, &word);
	}
}

void payload_json(const struct fields *fields, struct json *json,
		  const struct evtlog_event *event)
{
	const struct evtlog_event_format *format;
	const void *payload;
	size_t bytes;

	if (event->known != EVTLOG_EVENT && event->known != EVTLOG_EVENT_FORMAT)
		return;
	payload = evtlog_event_payload(event, &bytes);
	if (event->known == EVTLOG_EVENT_FORMAT) {
		json_bytes(json, "text", payload, strnlen(payload, bytes));
		return;
	}
	format = evtlog_event_format(fields->file, evtlog_event_id(event));
	if (!format || !format->field_count) {
		hex_json(json, "payload", payload, bytes);
		return;
	}
	/* Their names are their maker's: they may be those of the record's own fields. */
	json_object(json, "payload");
	for (uint32_t i = 0; i < format->field_count; i++) {
		const struct evtlog_event_field *field = &format->fields[i];
		size_t field_bytes;
		const void *at = evtlog_event_field_at(field, payload, bytes, &field_bytes);

		if (at)
			value_json(fields, json, field, at, field_bytes);
	}
	json_end(json);
}
