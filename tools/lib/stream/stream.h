/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Streams that hold only a piece of a buffer.
 *
 * Stage: between a merge of many hosts and stream.c; a merge of one file uses only the public
 * functions.
 */
#ifndef EVTLOG_LIB_STREAM_STREAM_H
#define EVTLOG_LIB_STREAM_STREAM_H

#include "context.h"
#include "lib/file/file.h"

/*
 * Storage for whole buffers that are read piece by piece: buffer.c.  A buffer that is stored as it
 * is stays in its own file, and the stream reads it there.
 * @fd:		created when first needed; -1 until then
 * @end:	of all slots
 * @piece_bytes: size of the piece of a buffer that a stream holds
 * @loaded:	a buffer on its way to the spill
 * @scratch:	shared by all files that are read like this
 */
struct spill {
	int fd;
	uint64_t end;
	size_t piece_bytes;
	struct loaded loaded;
	struct scratch scratch;
};

void spill_init(struct spill *spill, size_t piece_bytes);
void spill_free(struct spill *spill);

/* Reserves @bytes, which can be overwritten again and again.  Returns their offset. */
uint64_t spill_slot(struct spill *spill, uint64_t bytes);

/* As evtlog_stream_new(); @spill must live longer than the stream, and many can share it. */
int stream_new_pieces(struct evtlog_file *file, unsigned int slot,
		      struct spill *spill, struct evtlog_stream **streamp);

/*
 * Returns records of the types in @wanted only, bits by the numbers in abi.h, and records of
 * variable size; their pid and context are not valid.  evtlog_stream_counts() counts all records.
 * Call it before the first event.
 */
void stream_only(struct evtlog_stream *stream, uint64_t wanted);

/*
 * stream_block_at() and stream_block() return the number, from 0, of the CPU's buffer that is at
 * @raw_ns, and of the current one.  stream_go() continues from a buffer, as evtlog_stream_seek().
 */
size_t stream_block_at(const struct evtlog_stream *stream, uint64_t raw_ns);
size_t stream_block(const struct evtlog_stream *stream);
int stream_go(struct evtlog_stream *stream, size_t number);

/*
 * To be called after a buffer's first event.  stream_places() stores the contexts of the stream;
 * returns true if they differ from the contexts in the buffer's header, false also if no buffer is
 * loaded.  stream_set_places() restores them after stream_go().
 */
bool stream_places(const struct evtlog_stream *stream, struct context_stack *contexts);
void stream_set_places(struct evtlog_stream *stream, const struct context_stack *contexts);

/*
 * Prefetches what the next event needs: with thousands of streams, a stream is no longer in the
 * processor's caches at its next event.  @record is the result of stream_next_record() after the
 * last event.
 */
void stream_prefetch(const struct evtlog_stream *stream, const void *record);
const void *stream_next_record(const struct evtlog_stream *stream);

#endif /* EVTLOG_LIB_STREAM_STREAM_H */
