/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stream: its position in its CPU's buffers, and in the current buffer.
 *
 * Stage: shared by stream.c, which returns events, buffer.c, which loads buffers, and seek.c,
 * which changes the position.  All other files use stream.h.
 */
#ifndef EVTLOG_LIB_STREAM_INTERNAL_H
#define EVTLOG_LIB_STREAM_INTERNAL_H

#include "decode.h"
#include "lib/file/file.h"
#include "stream.h"

enum stream_state {
	STREAM_LOAD,		/* next: load a buffer */
	STREAM_BEGUN,		/* next: return the event of the buffer's begin */
	STREAM_TASKS,		/* next: return the file's list of tasks */
	STREAM_DECODE,		/* within a buffer */
	STREAM_END,		/* next: return END */
	STREAM_DONE,
};

/*
 * The current buffer of a stream that holds only a piece of it.
 * @slot:	offset in the spill for buffers that are inflated or unpacked
 * @spilled:	true: the buffer is in the spill, else in the file
 * @offset:	of the buffer, in the spill or in the file
 * @position:	in the buffer: the end of what was read
 * @memory:	the piece, of spill->piece_bytes
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
 * What is in front of @translated is used for each record.
 * @loaded:	the whole buffer, or @pieces of it
 * @header:	of the buffer; NULL if none is loaded
 * @next:	next block to load
 * @block:	block that is decoded
 * @next_sequence: sequence of the next buffer if none is missing
 * @known_ticks: all events up to here were returned
 * @end_ticks:	end of the last buffer, even if it is unreadable
 * @begun:	BEGIN was returned
 * @absent:	the CPU has no readable buffer
 * @final:	the CPU's last buffer was read
 * @tasks_due:	the file's list of tasks is still to be returned by this stream
 * @held:	the buffer's records, as in the decoder, while the list is returned
 */
struct evtlog_stream {
	struct evtlog_file *file;
	const struct cpu_part *part;
	enum stream_state state;
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
	bool begun;
	bool absent;
	bool final;
	bool tasks_due;
	struct {
		const uint64_t *pos, *end;
		bool more;
	} held;
};

/* Starts the loaded buffer and fills in an event for it: stream.c.  Returns 0 or -errno. */
int stream_start_buffer(struct evtlog_stream *stream);

/* Returns true if the stream, started at its block @number, returns the list of tasks: stream.c. */
bool stream_gives_tasks(const struct evtlog_stream *stream, size_t number);

/* ---- buffer.c ---- */

/* Loads the next usable buffer.  Returns 1; 0 at the end; -errno. */
int stream_load(struct evtlog_stream *stream);

/* Gives all records of the buffer to the decoder; pieces are read when they are needed. */
void stream_give_words(struct evtlog_stream *stream);

/* Gives the next piece to the decoder, after the remainder of the last.  Returns 0 or -errno. */
int stream_next_piece(struct evtlog_stream *stream);

/* Returns the position of the decoder in its buffer, in bytes. */
uint64_t stream_decoded_bytes(const struct evtlog_stream *stream);

/*
 * Returns the EVTLOG_CONTEXT_* in which the current buffer was opened, without contexts whose
 * exits are not recorded: these may end at the next instruction.
 */
static inline uint32_t stream_header_context(const struct evtlog_stream *stream)
{
	return stream->header->context & ~stream->file->format.no_exits;
}

#endif /* EVTLOG_LIB_STREAM_INTERNAL_H */
