// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events that Perfetto has no message for: a GenericFtraceEvent has a name, and fields with names.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "export/text.h"
#include "generic.h"
#include "message.h"
#include "numbers.h"

/* Lengths of what may be long */
#define LENGTH_BYTES	3
#define NAME_BYTES	(2 * EVTLOG_NAME_MAX)

/* The event's message while it is made; what does not fit is left out, and said. */
struct writing {
	uint8_t *event;
	uint8_t *generic;
	uint8_t *at;
	uint8_t *limit;
	bool cut;
};

static void begin(struct writing *writing, struct bundle *bundle, uint64_t time_ns, uint32_t pid,
		  const char *name)
{
	uint8_t *at = bundle_event(bundle, BUNDLE_EVENT_MAX);

	*writing = (struct writing) { .limit = at + BUNDLE_EVENT_MAX - NAME_BYTES };
	writing->event = nested_begin(at, BUNDLE_EVENT, LENGTH_BYTES);
	at = put_number(at, EVENT_TIMESTAMP, time_ns);
	if (pid != EVTLOG_PID_UNKNOWN)
		at = put_number(at, EVENT_PID, pid);
	writing->generic = nested_begin(at, EVENT_GENERIC, LENGTH_BYTES);
	writing->at = put_text(at, GENERIC_NAME, name);
}

static void end(struct writing *writing, struct perfetto_host *host, struct bundle *bundle,
		uint64_t time_ns)
{
	nested_end(writing->generic, writing->at, LENGTH_BYTES);
	nested_end(writing->event, writing->at, LENGTH_BYTES);
	bundle_event_done(bundle, time_ns, writing->at);
	if (writing->cut)
		perfetto_note(host, PERFETTO_NOTE_CUT);
}

static uint8_t *begin_field(struct writing *writing, const char *name, size_t bytes)
{
	uint8_t *field;

	if (writing->at + bytes + NAME_BYTES > writing->limit) {
		writing->cut = true;
		return NULL;
	}
	field = nested_begin(writing->at, GENERIC_FIELD, LENGTH_BYTES);
	writing->at = put_text(writing->at, FIELD_NAME, name);
	return field;
}

static void put_field_number(struct writing *writing, const char *name, bool is_signed,
			     uint64_t value)
{
	uint8_t *field = begin_field(writing, name, 32);

	if (!field)
		return;
	writing->at = put_number(writing->at, is_signed ? FIELD_SIGNED : FIELD_UNSIGNED, value);
	nested_end(field, writing->at, LENGTH_BYTES);
}

static void put_field_text(struct writing *writing, const char *name, const void *bytes, size_t size)
{
	size_t length = strnlen(bytes, size);
	uint8_t *field = begin_field(writing, name, length + 32), *begin;

	if (!field)
		return;
	begin = nested_begin(writing->at, FIELD_TEXT, LENGTH_BYTES);
	writing->at += text_copy(writing->at, bytes, length);
	nested_end(begin, writing->at, LENGTH_BYTES);
	nested_end(field, writing->at, LENGTH_BYTES);
}

/* Bytes as hexadecimal digits */
static void put_field_bytes(struct writing *writing, const char *name, const uint8_t *bytes,
			    size_t count)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t *field = begin_field(writing, name, 2 * count + 32), *begin;

	if (!field)
		return;
	begin = nested_begin(writing->at, FIELD_TEXT, LENGTH_BYTES);
	for (size_t i = 0; i < count; i++) {
		*writing->at++ = digits[bytes[i] >> 4];
		*writing->at++ = digits[bytes[i] & 0xf];
	}
	nested_end(begin, writing->at, LENGTH_BYTES);
	nested_end(field, writing->at, LENGTH_BYTES);
}

static void put_field_address(struct writing *writing, const char *name, uint32_t address)
{
	char text[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, &address, text, sizeof(text));
	put_field_text(writing, name, text, sizeof(text));
}

/* The first byte is the most significant. */
static uint64_t big_endian(uint64_t value, unsigned int bytes)
{
	return __builtin_bswap64(value) >> (64 - 8 * bytes);
}

/* ---- Records ---- */

static void put_record_field(struct writing *writing, const struct evtlog_field *field,
			     const uint64_t *words)
{
	uint64_t value;

	if (field->bits > 64 || field->kind == 'c') {
		put_field_text(writing, field->name, words + field->word, (field->bits + 7) / 8);
		return;
	}
	value = field->kind == 'd' ? (uint64_t)evtlog_field_s64(field, words) :
				     evtlog_field_u64(field, words);
	if (field->kind == '4')
		put_field_address(writing, field->name, value);
	else if (field->kind == 'n' && field->bits >= 8)
		put_field_number(writing, field->name, false, big_endian(value, field->bits / 8));
	else
		put_field_number(writing, field->name, field->kind == 'd', value);
}

static void write_type(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
		       const struct evtlog_event *event)
{
	const struct evtlog_type_info *type = evtlog_type_info(host->file, event->number);
	char name[EVTLOG_NAME_MAX + 16];
	struct writing writing;

	snprintf(name, sizeof(name), "evtlog_%s", type ? type->name : "unknown");
	begin(&writing, bundle, time_ns, event->pid, name);
	for (unsigned int i = 0; type && i < type->field_count; i++)
		put_record_field(&writing, &type->fields[i], event->file_words);
	if (event->known == EVTLOG_EVENT || event->known == EVTLOG_EVENT_FORMAT) {
		size_t bytes;
		const void *payload = evtlog_event_payload(event, &bytes);

		if (event->known == EVTLOG_EVENT)
			put_field_bytes(&writing, "payload", payload, bytes);
		else
			put_field_text(&writing, "text", payload, bytes);
	}
	end(&writing, host, bundle, time_ns);
}

/* ---- Registered events ---- */

/* A text that could not be read, as tracing's probes have it */
#define UNREAD	"(fault)"

static void put_event_field(struct writing *writing, const struct evtlog_event_field *field,
			    const void *payload, size_t bytes)
{
	char address[EVTLOG_ADDRESS_BYTES];
	size_t length;
	const void *at = evtlog_event_field_at(field, payload, bytes, &length);

	/* The payload is too short for it. */
	if (!at)
		return;
	if (evtlog_event_field_is_unread(field, at, length)) {
		put_field_text(writing, field->name, UNREAD, sizeof(UNREAD));
		return;
	}
	if (evtlog_event_field_address(field, at, length, address)) {
		put_field_text(writing, field->name, address, sizeof(address));
		return;
	}
	switch (field->kind) {
	case 'c':
		put_field_text(writing, field->name, at, length);
		return;
	case 'b':
		put_field_bytes(writing, field->name, at, length);
		return;
	case 'd':
		put_field_number(writing, field->name, true, evtlog_event_field_s64(at, length));
		return;
	case '4':
		put_field_address(writing, field->name, evtlog_event_field_u64(at, length));
		return;
	case 'n':
		put_field_number(writing, field->name, false,
				 length && length <= 8 ?
				 big_endian(evtlog_event_field_u64(at, length), length) : 0);
		return;
	default:
		put_field_number(writing, field->name, false, evtlog_event_field_u64(at, length));
	}
}

static void write_event(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			const struct evtlog_event *event, const struct evtlog_event_format *format)
{
	char name[EVTLOG_NAME_MAX + 16];
	struct writing writing;
	size_t bytes;
	const void *payload = evtlog_event_payload(event, &bytes);

	snprintf(name, sizeof(name), "evtlog_%s", format->name);
	begin(&writing, bundle, time_ns, event->pid, name);
	for (uint32_t i = 0; i < format->field_count; i++)
		put_event_field(&writing, &format->fields[i], payload, bytes);
	end(&writing, host, bundle, time_ns);
}

void perfetto_write_generic(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			    const struct evtlog_event *event)
{
	const struct evtlog_event_format *format =
		event->known == EVTLOG_EVENT ?
		evtlog_event_format(host->file, evtlog_event_id(event)) : NULL;

	if (format)
		write_event(host, bundle, time_ns, event, format);
	else
		write_type(host, bundle, time_ns, event);
}

void perfetto_write_gap(struct perfetto_host *host, struct bundle *bundle, uint64_t from_ns,
			uint64_t time_ns, uint64_t lost, uint64_t lost_buffers)
{
	struct writing writing;

	begin(&writing, bundle, time_ns, EVTLOG_PID_UNKNOWN, "evtlog_gap");
	put_field_number(&writing, "from", false, from_ns);
	put_field_number(&writing, "lost", false, lost);
	put_field_number(&writing, "lost_buffers", false, lost_buffers);
	end(&writing, host, bundle, time_ns);
}
