/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the payload of a packed block: see <evtlog/packed.h>.
 */
#ifndef EVTLOG_LIB_CODEC_PACK_H
#define EVTLOG_LIB_CODEC_PACK_H

#include <stdbool.h>
#include <stddef.h>

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

#endif /* EVTLOG_LIB_CODEC_PACK_H */
