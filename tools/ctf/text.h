/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in payloads.
 */
#ifndef EVTLOG_CTF_TEXT_H
#define EVTLOG_CTF_TEXT_H

#include "export/text.h"
#include "stream.h"

/* Text and a NUL */
static inline uint8_t *put_string(uint8_t *at, const void *bytes, size_t most)
{
	return put_u8(at + text_copy(at, bytes, most), 0);
}

#endif /* EVTLOG_CTF_TEXT_H */
