/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of any record as numbers and texts, for records that have no event of their own in a format.
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
 * @number:	of the first two kinds
 * @bytes, @length: of the others; chars may be anything, and no NUL ends them
 */
struct value {
	const char *name;
	enum value_type kind;
	uint64_t number;
	const void *bytes;
	size_t length;
};

/* The name of a record: that of a registered event, or that of its type */
const char *values_name(const struct evtlog_file *file, const struct evtlog_event *event);

/* Gives @take each field of a record. A payload that is too short for a field lacks it. */
void values_each(const struct evtlog_file *file, const struct evtlog_event *event,
		 void (*take)(void *context, const struct value *value), void *context);

/* ---- Text ---- */

/*
 * Of a log as readers of other formats take it: what is no UTF-8 they refuse, so that a "?" stands
 * for each byte of that. It gets no longer.
 */

/* Up to a NUL or @size bytes; returns how many. */
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
