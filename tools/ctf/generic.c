// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes events that LTTng has no name for.
 *
 * The fields of a record become numbers of the smallest size that fits.  Text ends with a NUL.
 * The fields of a registered event are copied from the payload.  Fields after its end are zero;
 * evtlog_bytes is its length.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

/* Replaces text that could not be read, as in the kernel's trace probes; cut to the field's size */
#define UNREAD	"(fault)"
/* Limit on the fields of an event, as the header and the formats of a log have no such limit */
#define FIELDS_BYTES_MAX	4096

static void type_init(struct ctf_type *type)
{
	const struct evtlog_type_info *info = type->info;

	for (unsigned int i = 0; i < info->field_count; i++) {
		struct ctf_field *field = &type->fields[i];

		field->field = &info->fields[i];
		field->is_text = field->field->kind == 'c' || field->field->bits > 64;
		if (field->is_text)
			field->bytes = (field->field->bits + 7) / 8;
		else
			field->bytes = field->field->bits <= 8 ? 1 : field->field->bits <= 16 ? 2 :
				       field->field->bits <= 32 ? 4 : 8;
		if (type->bytes + field->bytes + 1 > FIELDS_BYTES_MAX)
			return;
		type->bytes += field->bytes + field->is_text;
		type->field_count++;
	}
}

void ctf_types_init(struct ctf_host *host)
{
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		host->types[i].info = evtlog_type_info(host->file, i);
		if (host->types[i].info)
			type_init(&host->types[i]);
	}
}

static uint8_t *put_number(uint8_t *at, const struct ctf_field *field, const uint64_t *words)
{
	uint64_t value = field->field->kind == 'd' ?
			 (uint64_t)evtlog_field_s64(field->field, words) :
			 evtlog_field_u64(field->field, words);

	memcpy(at, &value, field->bytes);
	return at + field->bytes;
}

/* Writes the bytes after the fixed words of a type of variable size. */
static uint8_t *put_rest(uint8_t *at, const struct evtlog_event *event)
{
	size_t bytes;
	const void *payload = evtlog_event_payload(event, &bytes);

	at = put_u16(at, bytes);
	return put_bytes(at, payload, bytes);
}

static bool has_rest(const struct evtlog_event *event)
{
	return event->known == EVTLOG_EVENT || event->known == EVTLOG_EVENT_FORMAT;
}

void ctf_write_type(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event)
{
	struct ctf_type *type = &host->types[event->number & EVTLOG_TYPE_MAX];
	uint8_t *at;

	if (!type->info)
		return;
	at = ctf_stream_event(stream, CTF_OF_TYPE + event->number, time_ns,
			      type->bytes + EVTLOG_EVENT_BYTES_MAX + 2);
	for (unsigned int i = 0; i < type->field_count; i++) {
		const struct ctf_field *field = &type->fields[i];

		at = field->is_text ?
		     put_string(at, event->file_words + field->field->word, field->bytes) :
		     put_number(at, field, event->file_words);
	}
	if (has_rest(event))
		at = put_rest(at, event);
	ctf_stream_done(stream, at);
}

/* ---- Registered events ---- */

/* Returns false if metadata cannot declare the format: its events are written as evtlog_event. */
static bool can_declare(const struct evtlog_event_format *format, uint16_t *fixed)
{
	unsigned int open_ended = 0;
	size_t bytes = 0;

	for (uint32_t i = 0; i < format->field_count; i++) {
		/* One more for the NUL of a text. */
		bytes += format->fields[i].bytes + 1;
		open_ended += !format->fields[i].bytes;
	}
	*fixed = bytes;
	return bytes <= FIELDS_BYTES_MAX && open_ended <= 1;
}

static const struct ctf_event *look_up(struct ctf_host *host, uint32_t id)
{
	struct ctf_event *known;

	if (!host->events)
		host->events = calloc(EVTLOG_EVENT_ID_MAX + 1, sizeof(*host->events));
	if (!host->events)
		return NULL;
	known = &host->events[id & EVTLOG_EVENT_ID_MAX];
	if (known->looked)
		return known;
	known->looked = true;
	known->format = evtlog_event_format(host->file, id);
	if (known->format && !can_declare(known->format, &known->fixed))
		known->format = NULL;
	return known;
}

/* Writes text, a fixed number of bytes, or the remaining bytes with their length in front. */
static uint8_t *put_span(uint8_t *at, const struct evtlog_event_field *field, const void *from,
			 size_t bytes)
{
	if (!from)
		bytes = 0;
	else if (evtlog_event_field_is_unread(field, from, bytes))
		return put_string(at, UNREAD, sizeof(UNREAD) < bytes ? sizeof(UNREAD) : bytes);
	if (field->kind == 'c')
		return put_string(at, from ? from : "", bytes);
	if (!field->bytes) {
		at = put_u16(at, bytes);
		return put_bytes(at, from ? from : "", bytes);
	}
	memset(at, 0, field->bytes);
	memcpy(at, from ? from : "", bytes);
	return at + field->bytes;
}

int ctf_write_event(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event)
{
	uint32_t id = evtlog_event_id(event);
	const struct ctf_event *known = look_up(host, id);
	const struct evtlog_event_format *format;
	size_t bytes;
	const void *payload;
	uint8_t *at;

	if (!known)
		return -ENOMEM;
	format = known->format;
	if (!format) {
		ctf_note(host, CTF_NOTE_EVENT);
		ctf_write_type(host, stream, time_ns, event);
		return 0;
	}
	payload = evtlog_event_payload(event, &bytes);
	at = ctf_stream_event(stream, CTF_OF_EVENT + id, time_ns, 2 + known->fixed + bytes + 16);
	at = put_u16(at, bytes);
	for (uint32_t i = 0; i < format->field_count; i++) {
		const struct evtlog_event_field *field = &format->fields[i];
		size_t length = 0;
		const void *from = evtlog_event_field_at(field, payload, bytes, &length);

		if (strchr("cb6m", field->kind) || !field->bytes) {
			at = put_span(at, field, from, length);
			continue;
		}
		memset(at, 0, field->bytes);
		if (from)
			memcpy(at, from, length < field->bytes ? length : field->bytes);
		at += field->bytes;
	}
	ctf_stream_done(stream, at);
	return 0;
}
