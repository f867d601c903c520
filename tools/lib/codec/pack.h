/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Packs a kernel buffer into the payload of a block, and unpacks it: see <evtlog/packed.h>.
 */
#ifndef EVTLOG_LIB_CODEC_PACK_H
#define EVTLOG_LIB_CODEC_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

/* Its memory is reused, and grows with the largest buffer. */
struct pack;

/** pack_new() - returns NULL if out of memory */
struct pack *pack_new(void);
void pack_free(struct pack *pack);

/**
 * pack_buffer() - packs one kernel buffer
 * @buffer:	of @buffer->used_bytes, all readable
 * @packed_bytes: length of the result
 *
 * Return: the packed payload, valid until the next call.  NULL: store the buffer as it is: the
 * payload would not be shorter, or by an eighth at most (payloads of EVENTs), the type of a record
 * is unknown here, or memory is short.
 */
const void *pack_buffer(struct pack *pack, const struct evtlog_buffer_header *buffer,
			size_t *packed_bytes);

/* ---- unpack.c ---- */

/* unpack_buffer() may read this many bytes after the end of its input; it does not use them. */
#define UNPACK_SLACK	16

/* Tables of about 300 KiB, reused from block to block */
struct unpack;

/** unpack_new() - returns NULL if out of memory */
struct unpack *unpack_new(void);
void unpack_free(struct unpack *unpack);

/**
 * unpack_buffer() - restores the kernel buffer from a payload
 * @from:	the payload, of @from_bytes, and then UNPACK_SLACK readable bytes
 * @to:		aligned to 8; gets the buffer
 * @to_bytes:	size of the buffer, from the block's header
 *
 * Return: 0; -EBADMSG if @from does not unpack to exactly @to_bytes: the contents of @to are
 * then undefined.
 */
int unpack_buffer(struct unpack *unpack, const uint8_t *from, size_t from_bytes, void *to,
		  size_t to_bytes);

/**
 * unpack_types() - finds the types of the records in a payload, without unpacking it
 * @records:	result: number of records
 *
 * Return: bits of the types; all bits if the payload is invalid
 */
uint64_t unpack_types(const uint8_t *from, size_t from_bytes, uint64_t *records);

#endif /* EVTLOG_LIB_CODEC_PACK_H */
