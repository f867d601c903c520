// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows the payload of a registered event by its format; without a format, shows its bytes.
 *
 * walk() goes through the fields; one writer makes text, another JSON.
 */
#include <string.h>

#include "common/json.h"
#include "fields.h"

/*
 * @begin, @end: called before and after all fields of a format; both may be NULL
 * @number:	like a field of a record; @word is the record's only word
 */
struct writer {
	void (*begin)(void *to);
	void (*end)(void *to);
	void (*text)(void *to, const char *name, const char *text, size_t length);
	void (*unread)(void *to, const char *name);
	void (*address)(void *to, const char *name, const char *address);
	void (*hex)(void *to, const char *name, const void *bytes, size_t length);
	void (*number)(void *to, const struct fields *fields, const struct evtlog_field *number,
		       uint64_t word);
};

/* ---- The walk ---- */

static void show_field(const struct fields *fields, const struct writer *writer, void *to,
		       const struct evtlog_event_field *field, const void *at, size_t bytes)
{
	struct evtlog_field number = { .bits = 8 * bytes, .kind = field->kind };
	char address[EVTLOG_ADDRESS_BYTES];

	if (evtlog_event_field_is_unread(field, at, bytes)) {
		writer->unread(to, field->name);
		return;
	}
	if (evtlog_event_field_address(field, at, bytes, address)) {
		writer->address(to, field->name, address);
		return;
	}
	switch (field->kind) {
	case 'c':
		writer->text(to, field->name, at, strnlen(at, bytes));
		break;
	case 'b':
		writer->hex(to, field->name, at, bytes);
		break;
	default:
		strcpy(number.name, field->name);
		writer->number(to, fields, &number, evtlog_event_field_u64(at, bytes));
	}
}

static void walk(const struct fields *fields, const struct evtlog_event *event,
		 const struct writer *writer, void *to)
{
	const struct evtlog_event_format *format;
	const void *payload;
	size_t bytes;

	if (event->known != EVTLOG_EVENT && event->known != EVTLOG_EVENT_FORMAT)
		return;
	payload = evtlog_event_payload(event, &bytes);
	if (event->known == EVTLOG_EVENT_FORMAT) {
		writer->text(to, "text", payload, strnlen(payload, bytes));
		return;
	}
	format = evtlog_event_format(fields->file, evtlog_event_id(event));
	if (!format || !format->field_count) {
		if (!format || bytes)
			writer->hex(to, "payload", payload, bytes);
		return;
	}
	if (writer->begin)
		writer->begin(to);
	for (uint32_t i = 0; i < format->field_count; i++) {
		const struct evtlog_event_field *field = &format->fields[i];
		size_t field_bytes;
		const void *at = evtlog_event_field_at(field, payload, bytes, &field_bytes);

		if (at)
			show_field(fields, writer, to, field, at, field_bytes);
	}
	if (writer->end)
		writer->end(to);
}

static void add_hex(struct line *line, const void *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *byte = bytes;

	for (size_t i = 0; i < length; i++) {
		line_char(line, digits[byte[i] >> 4]);
		line_char(line, digits[byte[i] & 15]);
	}
}

/* ---- Text ---- */

/* @apart: put a blank in front of the next field */
struct text {
	struct line *line;
	bool apart;
};

static struct line *start_text(struct text *text, const char *name)
{
	if (text->apart)
		line_char(text->line, ' ');
	text->apart = true;
	line_text(text->line, name);
	line_char(text->line, '=');
	return text->line;
}

static void text_text(void *to, const char *name, const char *text, size_t length)
{
	struct line *line = start_text(to, name);

	line_char(line, '"');
	line_escaped(line, text, length);
	line_char(line, '"');
}

/* As in the kernel's trace probes */
static void text_unread(void *to, const char *name)
{
	line_text(start_text(to, name), "(fault)");
}

static void text_address(void *to, const char *name, const char *address)
{
	line_text(start_text(to, name), address);
}

static void text_hex(void *to, const char *name, const void *bytes, size_t length)
{
	add_hex(start_text(to, name), bytes, length);
}

static void text_number(void *to, const struct fields *fields, const struct evtlog_field *number,
			uint64_t word)
{
	fields_show_value(fields, start_text(to, number->name), number, &word);
}

void payload_show(const struct fields *fields, struct line *line, bool apart,
		  const struct evtlog_event *event)
{
	static const struct writer writer = {
		.text = text_text, .unread = text_unread, .address = text_address, .hex = text_hex,
		.number = text_number,
	};
	struct text text = { line, apart };

	walk(fields, event, &writer, &text);
}

/* ---- JSON ---- */

static void json_begin(void *to)
{
	json_object(to, "payload");
}

static void json_done(void *to)
{
	json_end(to);
}

static void json_text(void *to, const char *name, const char *text, size_t length)
{
	json_bytes(to, name, text, length);
}

static void json_unread(void *to, const char *name)
{
	json_null(to, name);
}

static void json_address(void *to, const char *name, const char *address)
{
	json_string(to, name, address);
}

static void json_hex(void *to, const char *name, const void *bytes, size_t length)
{
	struct line text;

	text.length = 0;
	add_hex(&text, bytes, length);
	json_bytes(to, name, text.text, text.length);
}

static void json_number(void *to, const struct fields *fields, const struct evtlog_field *number,
			uint64_t word)
{
	fields_json_value(fields, to, number->name, number, &word);
}

void payload_json(const struct fields *fields, struct json *json,
		  const struct evtlog_event *event)
{
	static const struct writer writer = {
		.begin = json_begin, .end = json_done, .text = json_text, .unread = json_unread,
		.address = json_address, .hex = json_hex, .number = json_number,
	};

	walk(fields, event, &writer, json);
}
