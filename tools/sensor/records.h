/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of a kernel buffer.
 *
 * Stage: between record/source.h, which reads buffers, and the table.
 */
#ifndef EVTLOG_SENSOR_RECORDS_H
#define EVTLOG_SENSOR_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

#include "table.h"

/*
 * A record for clients.
 *
 * @raw_ns, @real_ns:	CLOCK_MONOTONIC_RAW and CLOCK_REALTIME of the record
 */
struct sensor_record {
	const struct sensor_format *format;
	uint32_t cpu;
	uint64_t raw_ns;
	uint64_t real_ns;
	const void *payload;
	size_t bytes;
};

typedef void sensor_tell(void *context, const struct sensor_record *record);

/**
 * sensor_records_add() - add a buffer's records to the table
 * @buffer:	@buffer->used_bytes long
 * @tell:	called for records of subscribed events
 *
 * Return: 0; -EBADMSG if a record is damaged, the rest is not read; -EPROTO if the kernel has
 * another version of the format; -ENOENT if an event is unknown, its records are counted as
 * unknown; -ENOMEM.
 */
int sensor_records_add(struct sensor_table *table, const struct evtlog_buffer_header *buffer,
		       sensor_tell *tell, void *context);

/** sensor_records_learn_builtin() - learn a built-in event; as sensor_table_learn(), or -ENOENT */
int sensor_records_learn_builtin(struct sensor_table *table, unsigned int type);

/*
 * ---- builtin.c: built-in events of the kernel, in the form of registered events ----
 *
 * Built-in events have record types of their own.  Here they get a format and payloads.
 */

/* Enough for each built-in event. */
#define SENSOR_BUILTIN_FORMAT_BYTES	512
#define SENSOR_BUILTIN_PAYLOAD_BYTES	128

/**
 * sensor_builtin_format() - make a format for a type of records
 * @text:	SENSOR_BUILTIN_FORMAT_BYTES
 *
 * Softirq vectors become numbers that are not summed, task states become letters.  Returns the
 * length; 0 if there is no such type.
 */
size_t sensor_builtin_format(unsigned int type, char *text);

/**
 * sensor_builtin_payload() - convert a record to a payload in this format
 * @words:	a complete record of one of EVTLOG_TYPES
 * @payload:	SENSOR_BUILTIN_PAYLOAD_BYTES
 *
 * Returns the length.
 */
size_t sensor_builtin_payload(const uint64_t *words, void *payload);

/** sensor_builtin_type() - return the type with this name, 0 if there is none */
unsigned int sensor_builtin_type(const char *name);

#endif /* EVTLOG_SENSOR_RECORDS_H */
