/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's built-in events, which have types of records of their own, as if they had been
 * registered: with a format, and a payload that it describes.
 *
 * Stage: between records.h and the table, which knows formats alone.
 */
#ifndef EVTLOG_SENSOR_BUILTIN_H
#define EVTLOG_SENSOR_BUILTIN_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

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

#endif /* EVTLOG_SENSOR_BUILTIN_H */
