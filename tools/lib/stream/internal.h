/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stream: where it is in its CPU's buffers, and in the one at hand.
 *
 * Stage: shared by stream.c, which gives events, buffer.c, which loads buffers, and
 * seek.c, which goes elsewhere.  Others have stream.h.
 */
#ifndef EVTLOG_LIB_STREAM_INTERNAL_H
#define EVTLOG_LIB_STREAM_INTERNAL_H

#include "decode.h"
#include "lib/file/file.h"
#include "stream.h"

enum stream_state {
	STREAM_LOAD,		/* the next buffer is to be loaded */
	STREAM_BEGUN,		/* the event of the buffer's begin is to be given */
	STREAM_TASKS,		/* so is the file's list of tasks */
	STREAM_DECODE,		/* within a buffer */
	STREAM_END,		/* END is to be given */
	STREAM_DONE,
};

/*
 * What a stream holds of its buffer, when that is not all of it.
 * @slot:	offset in the spill for what is inflated or unpacked
 * @spilled:	the buffer is there, else in the file itself
 * @offset:	of the buffer, in the one or the other
 * @position:	in the buffer: behind what was read last
 * @memory:	a piece, of spill->piece_bytes
 */
struct pieces {
	struct spill *spill;
	uint64_t slot;
	bool spilled;
	uint64_t offset;
	uint32_t position;
	struct evtlog_buffer_header header;
	uint64_t memory[];
};

/*
 * @header:	of the buffer; NULL while none is loaded
 * @loaded:	the whole buffer, or @pieces of it
 * @next:	block to be loaded next
 * @block:	the one being decoded
 * @next_sequence: of the buffer that would follow without a hole
 * @known_ticks: everything up to here was given
 * @end_ticks:	end of the last buffer, be it readable or not
 * @begun:	BEGIN was given
 * @absent:	it was that of a CPU of which no buffer can be read
 * @final:	the CPU's last buffer was read
 * @tasks_due:	the file's list of tasks is still to be given, by this CPU
 * @held:	meanwhile, the buffer's records, as of the decoder
 */
struct evtlog_stream {
	struct evtlog_file *file;
	const struct cpu_part *part;
	struct decoder decoder;
	const struct evtlog_buffer_header *header;
	struct loaded loaded;
	struct pieces *pieces;
	struct block *next;
	struct block *end;
	struct block *block;
	uint64_t next_sequence;
	uint64_t known_ticks;
	uint64_t end_ticks;
	uint64_t bytes_done;
	enum stream_state state;
	bool begun;
	bool absent;
	bool final;
	bool tasks_due;
	struct {
		const uint64_t *pos, *end;
		bool more;
	} held;
};

/* Starts on the loaded buffer, with an event for it: stream.c.  0 or -errno. */
int stream_start_buffer(struct evtlog_stream *stream);

/* Whether the CPU gives the file's list of tasks if it begins with its @number'th block: stream.c. */
bool stream_gives_tasks(const struct evtlog_stream *stream, size_t number);

/* ---- buffer.c ---- */

/* Loads the next buffer that can be used.  Returns 1, 0 at the end, -errno. */
int stream_load(struct evtlog_stream *stream);

/* Makes the buffer's records the decoder's, all; pieces come when they are needed. */
void stream_give_words(struct evtlog_stream *stream);

/* Gives the decoder the next piece, behind what is left of the last.  0 or -errno. */
int stream_next_piece(struct evtlog_stream *stream);

/* How far in its buffer the decoder is. */
uint64_t stream_decoded_bytes(const struct evtlog_stream *stream);

/*
 * EVTLOG_CONTEXT_* in which the buffer at hand was opened, but for those whose end would not be seen: they may be
 * left at the next instruction.
 */
static inline uint32_t stream_header_context(const struct evtlog_stream *stream)
{
	return stream->header->context & ~stream->file->format.no_exits;
}

#endif /* EVTLOG_LIB_STREAM_INTERNAL_H */
