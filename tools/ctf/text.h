/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in payloads.
 */
#ifndef EVTLOG_CTF_TEXT_H
#define EVTLOG_CTF_TEXT_H

#include "export/text.h"
#include "stream.h"

/*
 * Text and a NUL; "?" if it is empty: babeltrace2 2.0.4 shows the text of the event before for one.
 * Takes 2 bytes at least.
 */
static inline uint8_t *put_string(uint8_t *at, const void *bytes, size_t most)
{
	size_t length = text_copy(at, bytes, most);

	if (!length)
		at[length++] = '?';
	return put_u8(at + length, 0);
}

#endif /* EVTLOG_CTF_TEXT_H */
