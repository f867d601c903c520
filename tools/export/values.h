/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of any record as numbers and texts, for records without a matching event in a format.
 *
 * Stage: between an event and the writer of a format.
 */
#ifndef EVTLOG_EXPORT_VALUES_H
#define EVTLOG_EXPORT_VALUES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <evtlog/evtlog.h>

#include "common/utf8.h"

enum value_type {
	VALUE_UNSIGNED,
	VALUE_SIGNED,
	VALUE_CHARS,
	VALUE_BYTES,
};

/*
 * @number:	for VALUE_UNSIGNED and VALUE_SIGNED
 * @bytes, @length: for VALUE_CHARS and VALUE_BYTES; chars can be any bytes and have no final NUL
 */
struct value {
	const char *name;
	enum value_type kind;
	uint64_t number;
	const void *bytes;
	size_t length;
};

/* The name of the registered event if the log has its format, else of the record type */
const char *values_name(const struct evtlog_file *file, const struct evtlog_event *event);

/* Calls @take with each field of a record. Fields after the end of the payload are left out. */
void values_each(const struct evtlog_file *file, const struct evtlog_event *event,
		 void (*take)(void *context, const struct value *value), void *context);

/* ---- Text ---- */

/*
 * Copies text up to a NUL or @size bytes, without a NUL. Each byte of invalid UTF-8 becomes "?",
 * because readers of other formats refuse invalid UTF-8. Returns the number of bytes.
 */
static inline size_t text_copy(uint8_t *at, const void *bytes, size_t size)
{
	const unsigned char *text = bytes;
	size_t length = strnlen(bytes, size), i = 0;

	while (i < length) {
		size_t count = text[i] < 0x80 ? 1 : utf8_length(text + i, length - i);

		if (count)
			memcpy(at + i, text + i, count);
		else
			at[i] = '?';
		i += count ? count : 1;
	}
	return length;
}

#endif /* EVTLOG_EXPORT_VALUES_H */
