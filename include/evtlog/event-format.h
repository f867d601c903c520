/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events registered by kernel modules and probes: their names and the fields of their payloads.
 *
 * Stage: converts an event of the type EVTLOG_EVENT (event.h) to numbers and names.  The header of
 * the log describes all other types: see record.h.
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
 * struct evtlog_event_field - position of a field in a payload
 * @offset: offset of the first byte
 * @bytes: 1, 2, 4 or 8; 16 for kind 6, 6 for kind m; any number for c and b, 0: all remaining bytes
 * @kind: see abi.h
 */
struct evtlog_event_field {
	char name[EVTLOG_NAME_MAX + 1];
	uint16_t offset;
	uint16_t bytes;
	char kind;
};

/**
 * enum evtlog_sampling - which hits of an event are recorded
 * @EVTLOG_SAMPLING_NONE: all
 * @EVTLOG_SAMPLING_COUNT: one of @sample_every successive hits on a CPU, chosen at random
 * @EVTLOG_SAMPLING_PROBABILITY: each hit with the probability @sample_probability
 * @EVTLOG_SAMPLING_TIME: at most one hit on a CPU in @sample_every nanoseconds
 * @EVTLOG_SAMPLING_KEY: all hits that have one value of the field @sample_key, for one of
 *	@sample_every values, on all CPUs
 * @EVTLOG_SAMPLING_OTHER: a kind of sampling that this library does not know
 *
 * With sampling, the field "weight" is the number of hits that a record represents.
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
 * struct evtlog_event_format - a registered event as described in a log
 * @id: id in records
 * @fields: array of @field_count fields; may be empty
 * @sampling, @sample_every, @sample_probability, @sample_key: see enum evtlog_sampling
 * @filter: only events for which this condition is true were recorded; the text may be truncated;
 *	NULL: all events were recorded
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
 * evtlog_event_format() - find a registered event by its id
 * @file: the log
 * @id: id of the event
 *
 * The log is read for formats in the order of time, until the requested format is found.  The
 * search for an id without a format reads the whole log, once.
 *
 * Return: the description, valid as long as @file; NULL if the log does not describe the event or
 * cannot be read, or if memory is exhausted.
 */
const struct evtlog_event_format *evtlog_event_format(const struct evtlog_file *file,
						      uint32_t id);

/**
 * evtlog_event_format_at() - get a registered event by its number
 * @file: the log
 * @number: from 0
 *
 * The first call reads the whole log.
 *
 * Return: a description as from evtlog_event_format(), in no particular order; NULL after the last
 * event, if the log cannot be read, or if memory is exhausted.
 */
const struct evtlog_event_format *evtlog_event_format_at(const struct evtlog_file *file,
							 size_t number);

/**
 * evtlog_event_format_parse() - parse the text of an EVENT_FORMAT
 * @id: id of the event
 * @text: the text, not NUL-terminated
 * @bytes: length of the text
 * @formatp: where the format is stored; free it with evtlog_event_format_free()
 *
 * This function is for programs that read buffers directly from the kernel.
 *
 * Return: 0; -EBADMSG the text is not a format; -ENOMEM.
 */
int evtlog_event_format_parse(uint32_t id, const void *text, size_t bytes,
			      struct evtlog_event_format **formatp);

/**
 * evtlog_event_format_free() - free a format from evtlog_event_format_parse()
 * @format: NULL is allowed
 */
void evtlog_event_format_free(struct evtlog_event_format *format);

/**
 * evtlog_event_id() - get the id of a registered event
 * @event: event of the known type EVTLOG_EVENT or EVTLOG_EVENT_FORMAT
 *
 * Return: the id.
 */
uint32_t evtlog_event_id(const struct evtlog_event *event);

/**
 * evtlog_event_payload() - get the payload of a registered event
 * @event: event of the known type EVTLOG_EVENT or EVTLOG_EVENT_FORMAT
 * @bytes: where the length of the payload is stored
 *
 * Return: the payload, valid as long as the words of @event.
 */
const void *evtlog_event_payload(const struct evtlog_event *event, size_t *bytes);

/**
 * evtlog_event_field_at() - find a field in a payload
 * @field: field of the event's format
 * @payload: from evtlog_event_payload()
 * @bytes: length of @payload
 * @field_bytes: where the length of the field is stored
 *
 * Return: the first byte of the field, at any alignment; NULL if the payload is too short for it.
 */
const void *evtlog_event_field_at(const struct evtlog_event_field *field, const void *payload,
				  size_t bytes, size_t *field_bytes);

/**
 * evtlog_event_field_u64() - read an unsigned field of 1, 2, 4 or 8 bytes
 * @at: from evtlog_event_field_at()
 * @field_bytes: from evtlog_event_field_at()
 *
 * Return: the value, zero-extended; 0 for other lengths.
 */
uint64_t evtlog_event_field_u64(const void *at, size_t field_bytes);

/**
 * evtlog_event_field_s64() - read a signed field of 1, 2, 4 or 8 bytes
 * @at: from evtlog_event_field_at()
 * @field_bytes: from evtlog_event_field_at()
 *
 * Return: the value, sign-extended; 0 for other lengths.
 */
int64_t evtlog_event_field_s64(const void *at, size_t field_bytes);

/* Length of the longest text that evtlog_event_field_address() stores, with its NUL */
#define EVTLOG_ADDRESS_BYTES	46

/**
 * evtlog_event_field_address() - store an IPv4, IPv6 or MAC address as text
 * @field: field of the event's format
 * @at: from evtlog_event_field_at()
 * @field_bytes: from evtlog_event_field_at()
 * @text: where the text is stored, with its NUL; space for EVTLOG_ADDRESS_BYTES
 *
 * Return: the length of the text; 0 with @text unchanged if the field is not an address.
 */
size_t evtlog_event_field_address(const struct evtlog_event_field *field, const void *at,
				  size_t field_bytes, char *text);

/**
 * evtlog_event_field_is_unread() - check whether the kernel failed to read the text of a field
 * @field: field of the event's format
 * @at: from evtlog_event_field_at()
 * @field_bytes: from evtlog_event_field_at()
 *
 * Without this check, such a text looks empty.
 *
 * Return: true if the kernel could not read the text; false otherwise, and for other fields.
 */
bool evtlog_event_field_is_unread(const struct evtlog_event_field *field, const void *at,
				  size_t field_bytes);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_EVENT_FORMAT_H */
