/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Streams that hold a piece of a buffer only.
 *
 * Stage: between a merge of many hosts and stream.c; a merge of one file needs
 * no more than the public functions.
 */
#ifndef EVTLOG_LIB_STREAM_STREAM_H
#define EVTLOG_LIB_STREAM_STREAM_H

#include "context.h"
#include "lib/file/file.h"

/*
 * Where whole buffers wait that are read a piece at a time: buffer.c.  What is stored as it is a
 * stream reads from its own file.
 */

/*
 * @fd:		made when first needed; -1 until then
 * @end:	of all slots
 * @piece_bytes: how much of a buffer a stream holds
 * @loaded:	a buffer on its way
 * @scratch:	of all files that are read so
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

/* Room for @bytes that may be written again and again: its offset. */
uint64_t spill_slot(struct spill *spill, uint64_t bytes);

/* As evtlog_stream_new(); @spill must live longer, and may be that of many. */
int stream_new_pieces(struct evtlog_file *file, unsigned int slot,
		      struct spill *spill, struct evtlog_stream **streamp);

/*
 * A CPU's buffers by number from 0: the one that is at @raw_ns, that which the stream is
 * in; and going on from one, as evtlog_stream_seek().
 */
size_t stream_block_at(const struct evtlog_stream *stream, uint64_t raw_ns);
size_t stream_block(const struct evtlog_stream *stream);
int stream_go(struct evtlog_stream *stream, size_t number);

/*
 * Behind a buffer's first event: whether the contexts that the stream is in are others than
 * the buffer's header alone tells, and taking up such ones after stream_go(). Where no
 * buffer is loaded they are not.
 */
bool stream_places(const struct evtlog_stream *stream, struct context_stack *contexts);
void stream_set_places(struct evtlog_stream *stream, const struct context_stack *contexts);

/*
 * Has the processor fetch what the next event takes, meanwhile: with thousands of
 * streams nothing of one is in its caches any more when its turn comes.  @record is
 * what stream_next_record() gave after the last event.
 */
void stream_prefetch(const struct evtlog_stream *stream, const void *record);
const void *stream_next_record(const struct evtlog_stream *stream);

#endif /* EVTLOG_LIB_STREAM_STREAM_H */
