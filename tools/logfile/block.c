// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes blocks: header, checksums, and optional compression.
 *
 * Stage: between a kernel buffer and the file.  It does no input or output.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "block.h"
#include "lib/base/head.h"
#include "lib/codec/crc32.h"
#include "lib/codec/pack.h"

/* @pack: NULL to deflate with the other members */
struct compressor {
	struct pack *pack;
	z_stream stream;
	unsigned char *bytes;
	size_t capacity;
};

struct compressor *compressor_new(unsigned int how)
{
	struct compressor *compressor = calloc(1, sizeof(*compressor));
	bool is_ready;

	if (!compressor)
		return NULL;
	if (how == COMPRESS_PACK) {
		compressor->pack = pack_new();
		is_ready = compressor->pack;
	} else {
		is_ready = deflateInit(&compressor->stream, how) == Z_OK;
	}
	if (is_ready)
		return compressor;
	free(compressor);
	return NULL;
}

void compressor_free(struct compressor *compressor)
{
	if (!compressor)
		return;
	if (compressor->pack)
		pack_free(compressor->pack);
	else
		deflateEnd(&compressor->stream);
	free(compressor->bytes);
	free(compressor);
}

/* Returns the deflated length, or 0 if it would not be less than @bytes. */
static size_t deflated(struct compressor *compressor, const void *payload, size_t bytes)
{
	z_stream *stream = &compressor->stream;

	if (compressor->capacity < bytes) {
		unsigned char *grown = realloc(compressor->bytes, bytes);

		if (!grown)
			return 0;
		compressor->bytes = grown;
		compressor->capacity = bytes;
	}
	if (deflateReset(stream) != Z_OK)
		return 0;
	stream->next_in = (unsigned char *)(uintptr_t)payload;
	stream->avail_in = bytes;
	stream->next_out = compressor->bytes;
	stream->avail_out = bytes - 1;
	if (deflate(stream, Z_FINISH) != Z_STREAM_END)
		return 0;
	return stream->total_out;
}

/* Replaces the block's payload if the compressed one is smaller. */
static void compress_payload(struct block *block, const struct evtlog_buffer_header *buffer,
			     struct compressor *compressor)
{
	const void *smaller;
	size_t bytes;

	if (compressor->pack) {
		smaller = pack_buffer(compressor->pack, buffer, &bytes);
		if (!smaller)
			return;
		block->header.flags = EVTLOG_BLOCK_PACKED;
	} else {
		bytes = deflated(compressor, buffer, buffer->used_bytes);
		if (!bytes)
			return;
		smaller = compressor->bytes;
		block->header.flags = EVTLOG_BLOCK_DEFLATE;
	}
	block->payload = smaller;
	block->header.stored_bytes = bytes;
}

static void seal(struct block *block)
{
	struct evtlog_block_header *header = &block->header;

	header->magic = EVTLOG_BLOCK_MAGIC;
	header->payload_crc32 = crc_of(0, block->payload, header->stored_bytes);
	header->header_crc32 = 0;
	header->header_crc32 = crc_of(0, (const void *)header, sizeof(*header));
}

static void begin(struct block *block, enum evtlog_block_kind kind, uint64_t run,
		  const void *payload, size_t bytes)
{
	memset(block, 0, sizeof(*block));
	block->payload = payload;
	block->header.kind = kind;
	block->header.stored_bytes = bytes;
	block->header.raw_bytes = bytes;
	block->header.run = run;
}

void block_of_buffer(struct block *block, const struct evtlog_buffer_header *buffer,
		     struct compressor *compressor)
{
	begin(block, EVTLOG_BLOCK_BUFFER, buffer->run, buffer, buffer->used_bytes);
	block->buffer_flags = buffer->flags;
	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
		block->lost += buffer->lost[cause];
	block->header.sequence = buffer->sequence;
	block->header.begin_ticks = buffer->begin_ticks;
	block->header.end_ticks = buffer->end_ticks;
	block->header.cpu = buffer->cpu;
	if (compressor)
		compress_payload(block, buffer, compressor);
	seal(block);
}

void block_of_gap(struct block *block, uint64_t run, const struct evtlog_gap *gap)
{
	begin(block, EVTLOG_BLOCK_GAP, run, &block->gap, sizeof(*gap));
	block->gap = *gap;
	seal(block);
}

void block_of_tasks(struct block *block, uint64_t run, const void *words, size_t bytes,
		    uint64_t ticks)
{
	begin(block, EVTLOG_BLOCK_TASKS, run, words, bytes);
	block->header.begin_ticks = block->header.end_ticks = ticks;
	seal(block);
}

void block_of_index(struct block *block, uint64_t run,
		    const struct evtlog_index_entry *entries, size_t count)
{
	begin(block, EVTLOG_BLOCK_INDEX, run, entries, count * sizeof(*entries));
	seal(block);
}

void block_of_filler(struct block *block, uint64_t run, size_t bytes)
{
	static const char zeros[BLOCK_FILLER_MAX];

	begin(block, EVTLOG_BLOCK_FILLER, run, zeros, bytes);
	seal(block);
}

bool block_header_is_good(const struct evtlog_block_header *header)
{
	return !head_check(&head_of_block, header, sizeof(*header)) &&
	       header->stored_bytes <= EVTLOG_BLOCK_MAX_BYTES &&
	       header->raw_bytes <= EVTLOG_BLOCK_MAX_BYTES &&
	       head_sum_is_good(&head_of_block, header, NULL, 0);
}
