/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One block of a file: its header and a pointer to its payload.
 */
#ifndef EVTLOG_LOGFILE_BLOCK_H
#define EVTLOG_LOGFILE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/file.h>

/*
 * @payload:	not owned; @header.stored_bytes long
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

/* Compresses payloads; its memory is allocated once. */
struct compressor;

#define COMPRESS_PACK	10	/* by <evtlog/packed.h>; above zlib's levels */

#define BLOCK_FILLER_MAX	8192

/** compressor_new() - @how: a level of zlib, or COMPRESS_PACK; returns NULL if out of memory */
struct compressor *compressor_new(unsigned int how);
void compressor_free(struct compressor *compressor);

/**
 * block_of_buffer() - make a block that contains one kernel buffer
 * @buffer:	must not change until the block is written
 * @compressor:	NULL: store the buffer unchanged.  Else it is compressed if that is smaller, and
 *		the block is valid until the next use of @compressor
 */
void block_of_buffer(struct block *block, const struct evtlog_buffer_header *buffer,
		     struct compressor *compressor);

/** block_of_gap() - @gap is copied; the block must not be moved afterwards */
void block_of_gap(struct block *block, uint64_t run, const struct evtlog_gap *gap);

/**
 * block_of_tasks() - make a block of TASK records, for the file of a named buffer
 * @words:	must not change until the block is written
 * @ticks:	time of the records: 0, or UINT64_MAX if they are newer than all events
 */
void block_of_tasks(struct block *block, uint64_t run, const void *words, size_t bytes,
		    uint64_t ticks);

/** block_of_index() - @entries must not change until the block is written */
void block_of_index(struct block *block, uint64_t run,
		    const struct evtlog_index_entry *entries, size_t count);

/**
 * block_of_filler() - make a block of zeros
 * @bytes:	of the payload, a multiple of 8, at most BLOCK_FILLER_MAX
 */
void block_of_filler(struct block *block, uint64_t run, size_t bytes);

/** block_header_is_good() - returns true if magic, checksum and lengths are valid */
bool block_header_is_good(const struct evtlog_block_header *header);

/** block_padding() - return the number of zero bytes after a payload of @bytes */
static inline size_t block_padding(size_t bytes)
{
	return -bytes & 7;
}

/** block_file_bytes() - return the length of header, payload and padding */
static inline uint64_t block_file_bytes(const struct evtlog_block_header *header)
{
	return sizeof(*header) + (uint64_t)header->stored_bytes +
	       block_padding(header->stored_bytes);
}

#endif /* EVTLOG_LOGFILE_BLOCK_H */
