/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in payloads.
 */
#ifndef EVTLOG_CTF_TEXT_H
#define EVTLOG_CTF_TEXT_H

#include "export/text.h"
#include "stream.h"

/* @size bytes, with NULs behind the text */
static inline uint8_t *put_text(uint8_t *at, const void *bytes, size_t size)
{
	size_t length = text_copy(at, bytes, size);

	memset(at + length, 0, size - length);
	return at + size;
}

/* Text and a NUL */
static inline uint8_t *put_string(uint8_t *at, const void *bytes, size_t most)
{
	return put_u8(at + text_copy(at, bytes, most), 0);
}

#endif /* EVTLOG_CTF_TEXT_H */
