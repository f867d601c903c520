// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes events for which Perfetto has no message as GenericFtraceEvent: a name and named fields.
 */
#include <stdio.h>
#include <string.h>

#include "export/values.h"
#include "host.h"
#include "message.h"

/* Bytes of a length field */
#define LENGTH_BYTES	3
#define NAME_BYTES	(2 * EVTLOG_NAME_MAX)

/* An event's message while it is written.  @cut: fields did not fit and are left out */
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

/* Puts bytes as hexadecimal digits. */
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

static void put_value(void *context, const struct value *value)
{
	struct writing *writing = context;

	switch (value->kind) {
	case VALUE_CHARS:
		put_field_text(writing, value->name, value->bytes, value->length);
		return;
	case VALUE_BYTES:
		put_field_bytes(writing, value->name, value->bytes, value->length);
		return;
	default:
		put_field_number(writing, value->name, value->kind == VALUE_SIGNED, value->number);
	}
}

void perfetto_write_generic(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			    const struct evtlog_event *event)
{
	char name[EVTLOG_NAME_MAX + 16];
	struct writing writing;

	snprintf(name, sizeof(name), "evtlog_%s", values_name(host->file, event));
	begin(&writing, bundle, time_ns, event->pid, name);
	values_each(host->file, event, put_value, &writing);
	end(&writing, host, bundle, time_ns);
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
