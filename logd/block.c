// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes blocks: header, checksums, optional deflating.
 *
 * Stage: between a kernel buffer and the run file.  Does no input or output.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "block.h"
#include "crc.h"

struct packer {
	z_stream stream;
	unsigned char *bytes;
	size_t capacity;
};

struct packer *packer_new(unsigned int level)
{
	struct packer *packer = calloc(1, sizeof(*packer));

	if (!packer)
		return NULL;
	if (deflateInit(&packer->stream, level) != Z_OK) {
		free(packer);
		return NULL;
	}
	return packer;
}

void packer_free(struct packer *packer)
{
	if (!packer)
		return;
	deflateEnd(&packer->stream);
	free(packer->bytes);
	free(packer);
}

/* Returns the deflated length, or 0 if that would not be less than @bytes. */
static size_t pack(struct packer *packer, const void *payload, size_t bytes)
{
	z_stream *stream = &packer->stream;

	if (packer->capacity < bytes) {
		unsigned char *grown = realloc(packer->bytes, bytes);

		if (!grown)
			return 0;
		packer->bytes = grown;
		packer->capacity = bytes;
	}
	if (deflateReset(stream) != Z_OK)
		return 0;
	stream->next_in = (unsigned char *)(uintptr_t)payload;
	stream->avail_in = bytes;
	stream->next_out = packer->bytes;
	stream->avail_out = bytes - 1;
	if (deflate(stream, Z_FINISH) != Z_STREAM_END)
		return 0;
	return stream->total_out;
}

static void seal(struct block *block)
{
	struct evtlog_block_header *header = &block->header;

	header->magic = EVTLOG_BLOCK_MAGIC;
	header->payload_crc32 = crc_of(0, block->payload, header->stored_bytes);
	header->header_crc32 = 0;
	header->header_crc32 = crc_of(0, (const void *)header, sizeof(*header));
}

void block_of_buffer(struct block *block, const struct evtlog_buffer_header *buffer,
		     struct packer *packer)
{
	size_t packed = 0;

	memset(block, 0, sizeof(*block));
	block->payload = buffer;
	block->buffer_flags = buffer->flags;
	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
		block->lost += buffer->lost[cause];
	block->header.kind = EVTLOG_BLOCK_BUFFER;
	block->header.stored_bytes = buffer->used_bytes;
	block->header.raw_bytes = buffer->used_bytes;
	block->header.run = buffer->run;
	block->header.sequence = buffer->sequence;
	block->header.begin_ticks = buffer->begin_ticks;
	block->header.end_ticks = buffer->end_ticks;
	block->header.cpu = buffer->cpu;
	if (packer)
		packed = pack(packer, buffer, buffer->used_bytes);
	if (packed) {
		block->payload = packer->bytes;
		block->header.flags = EVTLOG_BLOCK_DEFLATE;
		block->header.stored_bytes = packed;
	}
	seal(block);
}

void block_of_gap(struct block *block, uint64_t run, const struct evtlog_gap *gap)
{
	memset(block, 0, sizeof(*block));
	block->gap = *gap;
	block->payload = &block->gap;
	block->header.kind = EVTLOG_BLOCK_GAP;
	block->header.stored_bytes = sizeof(*gap);
	block->header.raw_bytes = sizeof(*gap);
	block->header.run = run;
	seal(block);
}

void block_of_index(struct block *block, uint64_t run,
		    const struct evtlog_index_entry *entries, size_t count)
{
	memset(block, 0, sizeof(*block));
	block->payload = entries;
	block->header.kind = EVTLOG_BLOCK_INDEX;
	block->header.stored_bytes = count * sizeof(*entries);
	block->header.raw_bytes = block->header.stored_bytes;
	block->header.run = run;
	seal(block);
}

bool block_header_is_good(const struct evtlog_block_header *header)
{
	struct evtlog_block_header copy = *header;

	if (header->magic != EVTLOG_BLOCK_MAGIC ||
	    header->stored_bytes > EVTLOG_BLOCK_MAX_BYTES ||
	    header->raw_bytes > EVTLOG_BLOCK_MAX_BYTES)
		return false;
	copy.header_crc32 = 0;
	return crc_of(0, (const void *)&copy, sizeof(copy)) == header->header_crc32;
}
