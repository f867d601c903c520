/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes through the records of a kernel buffer.
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
 * A record that a client is told.
 *
 * @raw_ns, @real_ns: CLOCK_MONOTONIC_RAW and CLOCK_REALTIME when it was made
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
 * sensor_records_add() - adds a buffer's records to the table
 * @buffer:	of @buffer->used_bytes
 * @tell:	called for the records of events that are subscribed
 *
 * Return: 0; -EBADMSG: there is a record that is none, and the rest is not read; -EPROTO: the
 * kernel's format is another; -ENOENT: an event is not known, whose records are counted as such;
 * -ENOMEM.
 */
int sensor_records_add(struct sensor_table *table, const struct evtlog_buffer_header *buffer,
		       sensor_tell *tell, void *context);

/** sensor_records_learn_builtin() - of a type of built-in events; as sensor_table_learn(), or -ENOENT */
int sensor_records_learn_builtin(struct sensor_table *table, unsigned int type);

/*
 * ---- builtin.c: the kernel's built-in events as if they had been registered ----
 *
 * They have types of records of their own: here they get a format, and a payload that it describes.
 */

/* Longer than any built-in event's */
#define SENSOR_BUILTIN_FORMAT_BYTES	512
#define SENSOR_BUILTIN_PAYLOAD_BYTES	128

/**
 * sensor_builtin_format() - what a format would say of a type of records
 * @text:	of SENSOR_BUILTIN_FORMAT_BYTES
 *
 * Softirq vectors become numbers that are no amount, task states a letter.  Returns its bytes;
 * 0: there is no such type.
 */
size_t sensor_builtin_format(unsigned int type, char *text);

/**
 * sensor_builtin_payload() - a record's fields as that format has them
 * @words:	of a record of one of EVTLOG_TYPES, whole
 * @payload:	of SENSOR_BUILTIN_PAYLOAD_BYTES
 *
 * Returns its bytes.
 */
size_t sensor_builtin_payload(const uint64_t *words, void *payload);

/** sensor_builtin_type() - the type of a name; 0: none has it */
unsigned int sensor_builtin_type(const char *name);

#endif /* EVTLOG_SENSOR_RECORDS_H */
