/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events that the kernel's modules and probes registered: their names, and fields of a payload.
 *
 * Stage: from an event of the type EVTLOG_EVENT (event.h) to numbers and names.  Other
 * types are described by the log's header: record.h.
 */
#ifndef EVTLOG_EVENT_FORMAT_H
#define EVTLOG_EVENT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>
#include <evtlog/record.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_event;
struct evtlog_file;

/**
 * struct evtlog_event_field - where a field stands in a payload
 * @offset: of its first byte
 * @bytes: 1, 2, 4 or 8; 16 for the kind 6, 6 for m; any number for c and b, 0: all that is left
 * @kind: see abi.h
 */
struct evtlog_event_field {
	char name[EVTLOG_NAME_MAX + 1];
	uint16_t offset;
	uint16_t bytes;
	char kind;
};

/**
 * enum evtlog_sampling - which of an event's hits are recorded
 * @EVTLOG_SAMPLING_NONE: all
 * @EVTLOG_SAMPLING_COUNT: one of each @sample_every of a CPU, any of them alike
 * @EVTLOG_SAMPLING_PROBABILITY: each by itself, with @sample_probability
 * @EVTLOG_SAMPLING_TIME: at most one of a CPU in @sample_every nanoseconds
 * @EVTLOG_SAMPLING_KEY: all that have one value of the field @sample_key, of one of @sample_every
 *	values, wherever they are recorded
 * @EVTLOG_SAMPLING_OTHER: in a way that this library does not know
 *
 * If it is not EVTLOG_SAMPLING_NONE, the field "weight" says how many hits a record stands for.
 */
enum evtlog_sampling {
	EVTLOG_SAMPLING_NONE,
	EVTLOG_SAMPLING_COUNT,
	EVTLOG_SAMPLING_PROBABILITY,
	EVTLOG_SAMPLING_TIME,
	EVTLOG_SAMPLING_KEY,
	EVTLOG_SAMPLING_OTHER,
};

/**
 * struct evtlog_event_format - what a log says of a registered event
 * @id: as records have it
 * @fields: @field_count of them; may be none
 * @sampling: and @sample_every, @sample_probability, @sample_key: see there
 * @filter: the condition of those that were recorded, perhaps cut off; NULL: all were
 */
struct evtlog_event_format {
	uint32_t id;
	uint32_t field_count;
	char name[EVTLOG_NAME_MAX + 1];
	const struct evtlog_event_field *fields;
	enum evtlog_sampling sampling;
	uint64_t sample_every;
	double sample_probability;
	char sample_key[EVTLOG_NAME_MAX + 1];
	const char *filter;
};

/**
 * evtlog_event_format() - look up a registered event
 * @file: the log
 * @id: of the event
 *
 * The log is read ahead for formats, by time, up to the one that is asked for; an id that has none
 * costs a look through all of the log, once.
 *
 * Return: what the log says of it, which lives as long as @file; NULL: nothing, or it cannot be
 * read, or there is no memory.
 */
const struct evtlog_event_format *evtlog_event_format(const struct evtlog_file *file,
						      uint32_t id);

/**
 * evtlog_event_format_at() - go through the registered events of a log
 * @file: the log
 * @number: from 0 on
 *
 * All of the log is read for formats when it is called for the first time.
 *
 * Return: a format, as evtlog_event_format() has it, in no particular order; NULL: there are no
 * more, or the log cannot be read, or there is no memory.
 */
const struct evtlog_event_format *evtlog_event_format_at(const struct evtlog_file *file,
							 size_t number);

/**
 * evtlog_event_format_parse() - read the text of an EVENT_FORMAT
 * @id: that it has
 * @text: not NUL-terminated
 * @bytes: of it
 * @formatp: where the format is stored; free it with evtlog_event_format_free()
 *
 * For a program that reads buffers of the kernel itself.
 *
 * Return: 0; -EBADMSG it is not a format; -ENOMEM.
 */
int evtlog_event_format_parse(uint32_t id, const void *text, size_t bytes,
			      struct evtlog_event_format **formatp);

/**
 * evtlog_event_format_free() - free what evtlog_event_format_parse() stored
 * @format: NULL is allowed
 */
void evtlog_event_format_free(struct evtlog_event_format *format);

/**
 * evtlog_event_id() - id of a registered event
 * @event: of the known type EVTLOG_EVENT or EVTLOG_EVENT_FORMAT
 *
 * Return: the id.
 */
uint32_t evtlog_event_id(const struct evtlog_event *event);

/**
 * evtlog_event_payload() - what a registered event holds
 * @event: of the known type EVTLOG_EVENT or EVTLOG_EVENT_FORMAT
 * @bytes: where its length is stored
 *
 * Return: the payload, which lives as long as @event's words.
 */
const void *evtlog_event_payload(const struct evtlog_event *event, size_t *bytes);

/**
 * evtlog_event_field_at() - a field in a payload
 * @field: of the event's format
 * @payload: of evtlog_event_payload()
 * @bytes: of @payload
 * @field_bytes: where the field's length is stored
 *
 * Return: its first byte, at any address; NULL: the payload is too short for it.
 */
const void *evtlog_event_field_at(const struct evtlog_event_field *field, const void *payload,
				  size_t bytes, size_t *field_bytes);

/**
 * evtlog_event_field_u64() - an unsigned field of 1, 2, 4 or 8 bytes
 * @at: of evtlog_event_field_at()
 * @field_bytes: ditto
 *
 * Return: the value, zero-extended; of other lengths 0.
 */
uint64_t evtlog_event_field_u64(const void *at, size_t field_bytes);

/**
 * evtlog_event_field_s64() - a signed field of 1, 2, 4 or 8 bytes
 * @at: of evtlog_event_field_at()
 * @field_bytes: ditto
 *
 * Return: the value, sign-extended; of other lengths 0.
 */
int64_t evtlog_event_field_s64(const void *at, size_t field_bytes);

/* The longest text that evtlog_event_field_address() stores, with its NUL */
#define EVTLOG_ADDRESS_BYTES	46

/**
 * evtlog_event_field_address() - store an address as text
 * @field: of the event's format
 * @at: of evtlog_event_field_at()
 * @field_bytes: ditto
 * @text: where the text is stored, with its NUL; room for EVTLOG_ADDRESS_BYTES
 *
 * Return: the length of the text; 0: the field is not an IPv4, IPv6 or MAC address, and @text is
 * not changed.
 */
size_t evtlog_event_field_address(const struct evtlog_event_field *field, const void *at,
				  size_t field_bytes, char *text);

/**
 * evtlog_event_field_is_unread() - could the kernel not read the text of a field?
 * @field: of the event's format
 * @at: of evtlog_event_field_at()
 * @field_bytes: ditto
 *
 * To a program that does not call this function, such a text looks empty.
 *
 * Return: true if the kernel could not read it; false for fields that are not texts.
 */
bool evtlog_event_field_is_unread(const struct evtlog_event_field *field, const void *at,
				  size_t field_bytes);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_EVENT_FORMAT_H */
