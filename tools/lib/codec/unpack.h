/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the payload of a packed block apart: see <evtlog/packed.h>.
 */
#ifndef EVTLOG_LIB_CODEC_UNPACK_H
#define EVTLOG_LIB_CODEC_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far behind the end of its input unpack_buffer() may read, and not use it */
#define UNPACK_SLACK	16

/* Tables, some 300 KiB: worth keeping from block to block */
struct unpack;

/** unpack_new() - NULL when out of memory */
struct unpack *unpack_new(void);
void unpack_free(struct unpack *unpack);

/**
 * unpack_buffer() - the kernel buffer that a payload was made of
 * @from:	the payload, of @from_bytes, and UNPACK_SLACK readable bytes more
 * @to:		aligned to 8; gets the buffer
 * @to_bytes:	what the block says the buffer has
 *
 * Return: 0; -EBADMSG when @from does not unpack to just @to_bytes, and @to then
 * holds anything.
 */
int unpack_buffer(struct unpack *unpack, const uint8_t *from, size_t from_bytes, void *to,
		  size_t to_bytes);

#endif /* EVTLOG_LIB_CODEC_UNPACK_H */
