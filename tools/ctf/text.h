/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in payloads: readers refuse what is no UTF-8, so that a "?" stands for each byte of that.
 */
#ifndef EVTLOG_CTF_TEXT_H
#define EVTLOG_CTF_TEXT_H

#include <string.h>

#include "common/utf8.h"
#include "stream.h"

/* Up to a NUL or @size bytes; returns how many. */
static inline size_t copy_text(uint8_t *at, const void *bytes, size_t size)
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

/* @size bytes, with NULs behind the text */
static inline uint8_t *put_text(uint8_t *at, const void *bytes, size_t size)
{
	size_t length = copy_text(at, bytes, size);

	memset(at + length, 0, size - length);
	return at + size;
}

/* Text and a NUL */
static inline uint8_t *put_string(uint8_t *at, const void *bytes, size_t most)
{
	return put_u8(at + copy_text(at, bytes, most), 0);
}

#endif /* EVTLOG_CTF_TEXT_H */
