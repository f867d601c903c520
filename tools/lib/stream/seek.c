// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Moves a stream to a time, or to a buffer by its number.
 *
 * Stage: before a stream is read further.  It then returns the same events as if it had been read
 * up to there.
 */
#include "internal.h"

/* Returns the last block that begins at or before @raw_ns, else the first, by binary search. */
static struct block *find_block(const struct evtlog_stream *stream, uint64_t raw_ns)
{
	struct block *first = stream->file->blocks + stream->part->first;
	const struct clock *clock = stream->decoder.clock;
	size_t low = 0, high = stream->part->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (clock_ns(clock, first[middle].begin_ticks) <= raw_ns)
			low = middle;
		else
			high = middle;
	}
	/* The first of several copies is used. */
	while (low && first[low - 1].sequence == first[low].sequence)
		low--;
	return first + low;
}

size_t stream_block_at(const struct evtlog_stream *stream, uint64_t raw_ns)
{
	return find_block(stream, raw_ns) - stream->file->blocks - stream->part->first;
}

size_t stream_block(const struct evtlog_stream *stream)
{
	/* A CPU without a readable buffer is at its first block. */
	if (stream->absent)
		return 0;
	return stream->block - stream->file->blocks - stream->part->first;
}

int stream_go(struct evtlog_stream *stream, size_t number)
{
	struct block *first = stream->file->blocks + stream->part->first;
	struct block *block = first + number;
	const struct clock *clock = stream->decoder.clock;
	struct evtlog_stream_counts counts = stream->decoder.counts;
	int result;

	for (;;) {
		decode_start(&stream->decoder, &stream->file->format, clock,
			     stream->part->cpu);
		stream->decoder.counts = counts;
		stream->next = block;
		stream->end = first + stream->part->count;
		stream->known_ticks = 0;
		stream->end_ticks = 0;
		stream->begun = false;
		stream->absent = false;
		stream->final = false;
		stream->tasks_due = stream_gives_tasks(stream, block - first);
		stream->held.pos = NULL;
		stream->state = STREAM_LOAD;
		if (block == first) {
			stream->next_sequence = 0;
			return 0;
		}
		/* So that no buffer seems to be missing before. */
		stream->next_sequence = block->sequence;
		result = stream_load(stream);
		if (result < 0)
			return result;
		/* If it is unreadable, start before it: a GAP then shows what is missing. */
		if (result && stream->block->sequence == block->sequence) {
			result = stream_start_buffer(stream);
			stream->state = STREAM_BEGUN;
			return result;
		}
		do
			block--;
		while (block > first && block[-1].sequence == block->sequence);
	}
}

bool stream_places(const struct evtlog_stream *stream, struct context_stack *contexts)
{
	const struct context_stack *here = &stream->decoder.contexts;
	struct context_stack recorded;

	/* After the GAP at a CPU's end, there is no buffer. */
	if (!stream->header)
		return false;
	*contexts = *here;
	context_reset(&recorded, stream_header_context(stream));
	if (recorded.depth != here->depth)
		return true;
	for (unsigned int i = 1; i <= recorded.depth; i++)
		if (recorded.at[i].kind != here->at[i].kind ||
		    recorded.at[i].number != here->at[i].number)
			return true;
	return false;
}

void stream_set_places(struct evtlog_stream *stream, const struct context_stack *contexts)
{
	stream->decoder.contexts = *contexts;
}

int evtlog_stream_seek(struct evtlog_stream *stream, uint64_t raw_ns)
{
	return stream_go(stream, stream_block_at(stream, raw_ns));
}
