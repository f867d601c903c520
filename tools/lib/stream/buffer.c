// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A stream's current buffer: all of it in memory, or one piece after the other.
 *
 * Stage: between blocks of the file, or the spill, and the decoder.  stream.c compares successive
 * buffers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "lib/base/io.h"
#include "stream.h"

/* ---- A nameless file for buffers that do not fit into memory together ---- */

#define SLOT_ALIGN	4096u

void spill_init(struct spill *spill, size_t piece_bytes)
{
	memset(spill, 0, sizeof(*spill));
	spill->fd = -1;
	spill->piece_bytes = piece_bytes;
}

void spill_free(struct spill *spill)
{
	if (spill->fd >= 0)
		close(spill->fd);
	free(spill->loaded.memory);
	scratch_free(&spill->scratch);
	memset(spill, 0, sizeof(*spill));
	spill->fd = -1;
}

uint64_t spill_slot(struct spill *spill, uint64_t bytes)
{
	uint64_t offset = spill->end;

	spill->end += (bytes + SLOT_ALIGN - 1) & ~(uint64_t)(SLOT_ALIGN - 1);
	return offset;
}

/* Slots that are never written take no space. */
static int spill_write(struct spill *spill, uint64_t offset, const void *bytes,
		       size_t length)
{
	if (spill->fd < 0)
		spill->fd = nameless_file();
	if (spill->fd < 0)
		return spill->fd;
	return io_write_at(spill->fd, bytes, length, offset);
}

static int spill_read(const struct spill *spill, uint64_t offset, void *to,
		      size_t length)
{
	struct source source = { .fd = spill->fd };
	ssize_t got = source_read(&source, to, length, offset);

	if (got < 0)
		return got;
	return (size_t)got == length ? 0 : -EIO;
}

/* ---- The current buffer ---- */

/* Loads a whole buffer. */
static int load_whole(struct evtlog_stream *stream, struct block *block,
		      bool copies)
{
	int result = block_load(stream->file, block, copies, &stream->loaded);

	if (result > 0) {
		stream->header = stream->loaded.header;
		stream->decoder.counts.records += stream->loaded.left_out;
	}
	return result;
}

/* Prepares a buffer to be read in pieces. */
static int load_pieces(struct evtlog_stream *stream, struct block *block,
		       bool copies)
{
	struct pieces *pieces = stream->pieces;
	struct loaded *loaded = &pieces->spill->loaded;
	int result;

	pieces->spilled = block->block_flags & EVTLOG_BLOCK_COMPRESSED;
	if (pieces->spilled) {
		result = block_load(stream->file, block, copies, loaded);
		if (result <= 0)
			return result;
		pieces->header = *loaded->header;
		pieces->offset = pieces->slot;
		result = spill_write(pieces->spill, pieces->slot, loaded->header,
				     loaded->header->used_bytes);
		if (result)
			return result;
	} else {
		result = block_inspect(stream->file, block, copies,
				       &pieces->header);
		if (result <= 0)
			return result;
		pieces->offset = block->offset + sizeof(struct evtlog_block_header);
	}
	stream->header = &pieces->header;
	return 1;
}

int stream_next_piece(struct evtlog_stream *stream)
{
	struct pieces *pieces = stream->pieces;
	struct decoder *decoder = &stream->decoder;
	size_t left = (const char *)decoder->end - (const char *)decoder->pos;
	size_t bytes = pieces->header.used_bytes - pieces->position;
	char *to = (char *)pieces->memory + left;
	int error;

	if (left)
		memmove(pieces->memory, decoder->pos, left);
	if (bytes > pieces->spill->piece_bytes - left)
		bytes = pieces->spill->piece_bytes - left;
	if (pieces->spilled) {
		error = spill_read(pieces->spill, pieces->offset + pieces->position,
				   to, bytes);
	} else {
		ssize_t got = source_read(&stream->file->source, to, bytes,
					  pieces->offset + pieces->position);

		error = got < 0 ? got : (size_t)got < bytes ? -EIO : 0;
	}
	if (error)
		return error;
	pieces->position += bytes;
	decode_words(decoder, pieces->memory,
		     pieces->memory + (left + bytes) / sizeof(uint64_t),
		     pieces->position < pieces->header.used_bytes);
	return 0;
}

uint64_t stream_decoded_bytes(const struct evtlog_stream *stream)
{
	const struct decoder *decoder = &stream->decoder;
	uint64_t behind = stream->pieces ? stream->pieces->position :
			  stream->header->used_bytes;

	return behind - ((const char *)decoder->end - (const char *)decoder->pos);
}

void stream_give_words(struct evtlog_stream *stream)
{
	const struct evtlog_buffer_header *header = stream->header;
	const char *start = (const char *)header;

	if (stream->pieces) {
		stream->pieces->position = header->header_bytes;
		decode_words(&stream->decoder, stream->pieces->memory,
			     stream->pieces->memory,
			     header->used_bytes > header->header_bytes);
	} else if (!stream->loaded.left_out) {
		decode_words(&stream->decoder,
			     (const uint64_t *)(start + header->header_bytes),
			     (const uint64_t *)(start + header->used_bytes), false);
	}
}

int stream_load(struct evtlog_stream *stream)
{
	/* Loading frees the memory that the header is in, even if it fails. */
	stream->header = NULL;
	decode_words(&stream->decoder, NULL, NULL, false);
	while (stream->next < stream->end) {
		struct block *block = stream->next++;
		bool copies = stream->next < stream->end &&
			      stream->next->sequence == block->sequence;
		int result = stream->pieces ? load_pieces(stream, block, copies) :
			     load_whole(stream, block, copies);

		stream->bytes_done += block->raw_bytes;
		if (result < 0)
			return result;
		if (!result) {
			if (block->end_ticks > stream->end_ticks)
				stream->end_ticks = block->end_ticks;
			continue;
		}
		/* Skip copies of the buffer: its logger was killed in the meantime. */
		while (stream->next < stream->end &&
		       stream->next->sequence == block->sequence)
			stream->next++;
		stream->block = block;
		return 1;
	}
	return 0;
}
