/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One block of a run file: its header, and a payload that stays where it is.
 */
#ifndef EVTLOG_LOGD_BLOCK_H
#define EVTLOG_LOGD_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/file.h>

/*
 * @payload:	not owned; of @header.stored_bytes
 * @gap:	payload of a gap block
 * @buffer_flags, @lost: of the buffer, for the index
 */
struct block {
	struct evtlog_block_header header;
	const void *payload;
	struct evtlog_gap gap;
	uint32_t buffer_flags;
	uint64_t lost;
};

/* Makes payloads smaller; the memory is got once. */
struct compressor;

#define BLOCK_FILLER_MAX	8192

/** compressor_new() - @how as in struct config, not 0; NULL when out of memory */
struct compressor *compressor_new(unsigned int how);
void compressor_free(struct compressor *compressor);

/**
 * block_of_buffer() - a block that holds one kernel buffer
 * @buffer:	must stay until the block is written
 * @compressor:	NULL stores the buffer as it is; else it is compressed if that is
 *		smaller, and the block is good until the compressor's next use
 */
void block_of_buffer(struct block *block, const struct evtlog_buffer_header *buffer,
		     struct compressor *compressor);

/** block_of_gap() - @gap is copied; the block must not be moved afterwards */
void block_of_gap(struct block *block, uint64_t run, const struct evtlog_gap *gap);

/** block_of_index() - @entries must stay until the block is written */
void block_of_index(struct block *block, uint64_t run,
		    const struct evtlog_index_entry *entries, size_t count);

/**
 * block_of_filler() - a block of zeros
 * @bytes:	of the payload, a multiple of 8 and at most BLOCK_FILLER_MAX
 */
void block_of_filler(struct block *block, uint64_t run, size_t bytes);

/** block_header_is_good() - magic, checksum and lengths are as they must be */
bool block_header_is_good(const struct evtlog_block_header *header);

/** block_padding() - zero bytes that follow a payload of @bytes */
static inline size_t block_padding(size_t bytes)
{
	return -bytes & 7;
}

/** block_file_bytes() - header, payload and padding */
static inline uint64_t block_file_bytes(const struct evtlog_block_header *header)
{
	return sizeof(*header) + (uint64_t)header->stored_bytes +
	       block_padding(header->stored_bytes);
}

#endif /* EVTLOG_LOGD_BLOCK_H */
