/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of a log as readers of other formats take it: what is no UTF-8 they refuse, so that a "?"
 * stands for each byte of that.  It gets no longer.
 */
#ifndef EVTLOG_EXPORT_TEXT_H
#define EVTLOG_EXPORT_TEXT_H

#include <string.h>

#include "common/utf8.h"

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

#endif /* EVTLOG_EXPORT_TEXT_H */
