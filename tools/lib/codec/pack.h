/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the payload of a packed block, and takes it apart: see <evtlog/packed.h>.
 */
#ifndef EVTLOG_LIB_CODEC_PACK_H
#define EVTLOG_LIB_CODEC_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

/* Its memory is got once, and grows with the largest buffer. */
struct pack;

/** pack_new() - NULL when out of memory */
struct pack *pack_new(void);
void pack_free(struct pack *pack);

/**
 * pack_buffer() - packs one kernel buffer
 * @buffer:	of @buffer->used_bytes, which must be there
 * @packed_bytes: length of the result
 *
 * Return: the packed payload, good until the next call.  NULL: store the buffer as it is, for it
 * would not be shorter, or by an eighth at most (payloads of EVENTs), a record is of a type
 * unknown here, or memory is short.
 */
const void *pack_buffer(struct pack *pack, const struct evtlog_buffer_header *buffer,
			size_t *packed_bytes);

/* ---- unpack.c ---- */

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

#endif /* EVTLOG_LIB_CODEC_PACK_H */
