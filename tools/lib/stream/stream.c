// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One CPU's events in order, buffer after buffer, with the gaps in between.
 *
 * Stage: between loaded buffers and readers of events.  A stream holds one buffer, or a piece of
 * it if there are very many streams.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

#define CACHE_LINE	64

int evtlog_stream_new(struct evtlog_file *file, unsigned int slot,
		      struct evtlog_stream **streamp)
{
	struct evtlog_stream *stream;
	int error;

	*streamp = NULL;
	if (slot >= file->part_count)
		return -EINVAL;
	error = recorded_find(file);
	if (error)
		return error;
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return -ENOMEM;
	stream->file = file;
	file->stream_count++;
	stream->part = &file->parts[slot];
	stream->next = file->blocks + stream->part->first;
	stream->end = stream->next + stream->part->count;
	stream->tasks_due = stream_gives_tasks(stream, 0);
	decode_start(&stream->decoder, &file->format, file_clock(file, slot),
		     stream->part->cpu);
	*streamp = stream;
	return 0;
}

int stream_new_pieces(struct evtlog_file *file, unsigned int slot,
		      struct spill *spill, struct evtlog_stream **streamp)
{
	struct evtlog_stream *stream;
	uint32_t largest = 0;
	int error = evtlog_stream_new(file, slot, streamp);

	if (error)
		return error;
	stream = *streamp;
	for (const struct block *block = stream->next; block < stream->end; block++)
		if ((block->block_flags & EVTLOG_BLOCK_COMPRESSED) &&
		    block->raw_bytes > largest)
			largest = block->raw_bytes;
	stream->pieces = calloc(1, sizeof(*stream->pieces) + spill->piece_bytes);
	if (!stream->pieces) {
		evtlog_stream_free(stream);
		*streamp = NULL;
		return -ENOMEM;
	}
	stream->pieces->spill = spill;
	stream->pieces->slot = spill_slot(spill, largest);
	return 0;
}

void stream_only(struct evtlog_stream *stream, uint64_t wanted)
{
	stream->loaded.omitted = decode_only(&stream->decoder, wanted);
}

void evtlog_stream_free(struct evtlog_stream *stream)
{
	struct evtlog_file *file;

	if (!stream)
		return;
	file = stream->file;
	/* No stream is left: free the memory, as a thousand files may be open. */
	if (!--file->stream_count)
		scratch_free(&file->own_scratch);
	free(stream->loaded.memory);
	free(stream->pieces);
	free(stream);
}

void stream_prefetch(const struct evtlog_stream *stream, const void *record)
{
	const size_t used = offsetof(struct evtlog_stream, decoder.translated);
	const char *at = (const char *)stream;

	__builtin_prefetch(record);
	for (size_t line = 0; line < used; line += CACHE_LINE)
		__builtin_prefetch(at + line, 1);
}

const void *stream_next_record(const struct evtlog_stream *stream)
{
	return stream->decoder.pos;
}

const struct evtlog_stream_counts *
evtlog_stream_counts(const struct evtlog_stream *stream)
{
	return &stream->decoder.counts;
}

uint64_t evtlog_stream_position(const struct evtlog_stream *stream)
{
	return stream->bytes_done;
}

static void fill_event(struct evtlog_stream *stream, uint8_t kind,
		       uint64_t ticks)
{
	struct decoder *decoder = &stream->decoder;
	struct evtlog_event *event = &decoder->event;
	const struct context *context = &decoder->contexts.at[decoder->contexts.depth];

	event->kind = kind;
	event->known = 0;
	event->number = 0;
	event->words = NULL;
	event->file_words = NULL;
	event->pid = decoder->pid;
	event->context = context->kind;
	event->context_number = context->number;
	event->ticks = ticks;
	event->time_ns = decode_time(decoder, ticks);
	event->begin_pid = EVTLOG_PID_UNKNOWN;
	event->begin_comm = NULL;
	event->lost = 0;
	event->lost_buffers = 0;
	event->rest_missing = false;
}

static void fill_gap(struct evtlog_stream *stream, uint64_t until_ticks)
{
	uint64_t from_ns = decode_time(&stream->decoder, stream->known_ticks);

	fill_event(stream, EVTLOG_EVENT_GAP, until_ticks);
	stream->decoder.event.from_ns = from_ns;
	stream->decoder.event.from_ticks = stream->known_ticks;
}

/*
 * Starts with the first buffer.  It may begin long before its first event.  Its header was written
 * at this event: a context that the event enters did not exist before.
 */
static int begin(struct evtlog_stream *stream)
{
	const struct evtlog_buffer_header *header = stream->header;
	struct decoder *decoder = &stream->decoder;
	uint32_t context = stream_header_context(stream);
	int error = 0;

	decode_buffer(decoder, header);
	stream_give_words(stream);
	if (context && (header->flags & EVTLOG_BUFFER_FIRST)) {
		do {
			if (decoder->more)
				error = stream_next_piece(stream);
		} while (!error && !decode_context(decoder, &context));
		stream_give_words(stream);
	}
	decode_forget(decoder, context);
	decoder->pid = decode_begin_pid(decoder, header);
	fill_event(stream, EVTLOG_EVENT_BEGIN, header->begin_ticks);
	return error;
}

/* ---- Tasks that are in no buffer ---- */

bool stream_gives_tasks(const struct evtlog_stream *stream, size_t number)
{
	const struct evtlog_file *file = stream->file;
	const struct cpu_part *part = file->parts;

	while (part < stream->part && !part->count)
		part++;
	return file->task_words && file->has_records && part == stream->part && part->count &&
	       (!number || file->blocks[part->first + number - 1].end_ticks < file->task_ticks);
}

/* Gives the list of tasks to the decoder, with the time @ticks, up to the first other record. */
static void give_tasks(struct evtlog_stream *stream, uint64_t ticks)
{
	struct decoder *decoder = &stream->decoder;
	uint64_t *words = stream->file->task_words;
	size_t count = stream->file->task_word_count, at = 0, length;

	stream->tasks_due = false;
	stream->held.pos = decoder->pos;
	stream->held.end = decoder->end;
	stream->held.more = decoder->more;
	while (at < count) {
		unsigned int number = words[at] >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;

		length = decoder->words[number];
		if (decoder->known[number] != EVTLOG_TASK || !length || length > count - at)
			break;
		words[at] = (words[at] & ~(uint64_t)UINT32_MAX) | (ticks & UINT32_MAX);
		at += length;
	}
	decoder->high_ticks = ticks & ~(uint64_t)UINT32_MAX;
	decode_words(decoder, words, words + at, false);
}

/* ---- Buffers ---- */

int stream_start_buffer(struct evtlog_stream *stream)
{
	const struct evtlog_buffer_header *header = stream->header;
	struct decoder *decoder = &stream->decoder;
	uint64_t lost = header->lost[EVTLOG_LOST_FULL];
	uint64_t holes = header->sequence - stream->next_sequence;
	bool gap = holes || header->begin_ticks > stream->known_ticks;
	bool begun = stream->begun;
	int error = 0;

	stream->begun = true;
	stream->final |= !!(header->flags & EVTLOG_BUFFER_FINAL);
	stream->state = STREAM_DECODE;
	stream->next_sequence = header->sequence + 1;
	if (!begun) {
		error = begin(stream);
	} else {
		decoder->counts.overlaps +=
			header->begin_ticks < stream->known_ticks;
		if (gap || lost)
			fill_gap(stream, header->begin_ticks);
		else
			fill_event(stream, EVTLOG_EVENT_BUFFER,
				   header->begin_ticks);
		if (gap)
			decode_forget(decoder, stream_header_context(stream));
		decode_buffer(decoder, header);
		stream_give_words(stream);
	}
	stream->known_ticks = header->begin_ticks;
	stream->end_ticks = header->end_ticks;
	decoder->event.begin_pid = header->begin_pid;
	decoder->event.begin_comm = header->begin_comm;
	decoder->event.lost = lost;
	decoder->event.lost_buffers = holes;
	if (!error && stream->tasks_due && header->end_ticks >= stream->file->task_ticks) {
		give_tasks(stream, header->begin_ticks);
		stream->state = STREAM_TASKS;
	}
	return error;
}

static void note_record(struct evtlog_stream *stream)
{
	struct block *block = stream->block;
	uint64_t at = stream_decoded_bytes(stream);
	bool compressed = block->block_flags & EVTLOG_BLOCK_COMPRESSED;

	if (block->state & BLOCK_DECODED)
		return;
	block->state |= BLOCK_DECODED;
	damage_add(&stream->file->damages, &(struct evtlog_damage) {
		.kind = EVTLOG_DAMAGE_RECORD,
		/* In a compressed buffer, the exact place is unknown. */
		.offset = block->offset + sizeof(struct evtlog_block_header) +
			  (compressed ? 0 : at),
		.length = compressed ? block->stored_bytes :
			  stream->header->used_bytes - at,
		.has_cpu = true,
		.cpu = block->cpu,
		.sequence = block->sequence,
		.reason = "a record of an unknown type, or a truncated record",
	});
}

/* Returns the number of buffers after the last one that was read. */
static uint64_t missing_at_end(const struct evtlog_stream *stream)
{
	if (!stream->part->count)
		return 0;
	return stream->end[-1].sequence + 1 - stream->next_sequence;
}

/* Returns the events of a CPU without a readable buffer: BEGIN, and a GAP as long as the run. */
static void give_absent(struct evtlog_stream *stream)
{
	const struct evtlog_file *file = stream->file;

	if (!stream->begun) {
		stream->begun = true;
		stream->absent = true;
		fill_event(stream, EVTLOG_EVENT_BEGIN, file->begin_ticks);
		stream->decoder.event.time_ns = file->begin_ns;
		stream->known_ticks = file->begin_ticks;
		return;
	}
	stream->state = STREAM_END;
	fill_gap(stream, file->end_ticks);
	stream->decoder.event.from_ns = file->begin_ns;
	stream->decoder.event.time_ns = file->end_ns;
	/* The CPU had at least one buffer. */
	stream->decoder.event.lost_buffers = missing_at_end(stream);
	if (!stream->decoder.event.lost_buffers)
		stream->decoder.event.lost_buffers = 1;
	stream->end_ticks = stream->known_ticks = file->end_ticks;
}

/* There is no buffer left to load.  Returns true if another event precedes END. */
static bool finish(struct evtlog_stream *stream)
{
	uint64_t holes = missing_at_end(stream);

	if (!stream->begun || stream->absent) {
		give_absent(stream);
		return true;
	}
	stream->state = STREAM_END;
	if (!holes && stream->known_ticks >= stream->end_ticks)
		return false;
	fill_gap(stream, stream->end_ticks);
	stream->decoder.event.lost_buffers = holes;
	stream->decoder.pid = EVTLOG_PID_UNKNOWN;
	stream->known_ticks = stream->end_ticks;
	return true;
}

/* The last event.  A missing end is counted once, even if the stream is read again. */
static void give_end(struct evtlog_stream *stream)
{
	struct block *last = stream->end - 1;

	stream->state = STREAM_DONE;
	fill_event(stream, EVTLOG_EVENT_END, stream->known_ticks);
	if (stream->absent)
		stream->decoder.event.time_ns = stream->file->end_ns;
	if (stream->final)
		return;
	stream->decoder.event.rest_missing = true;
	if (!stream->part->count)
		return;
	if (last->state & BLOCK_CUT)
		return;
	last->state |= BLOCK_CUT;
	stream->file->summary.cut_cpus++;
}

int evtlog_stream_next(struct evtlog_stream *stream,
		       const struct evtlog_event **eventp)
{
	struct decoder *decoder = &stream->decoder;
	int result;

	*eventp = &decoder->event;
	for (;;) {
		switch (stream->state) {
		case STREAM_BEGUN:
			stream->state = stream->held.pos ? STREAM_TASKS : STREAM_DECODE;
			return 1;
		case STREAM_TASKS:
			if (decode_next(decoder) > 0)
				return 1;
			decode_words(decoder, stream->held.pos, stream->held.end, stream->held.more);
			stream->held.pos = NULL;
			stream->state = stream->header ? STREAM_DECODE : STREAM_END;
			break;
		case STREAM_DECODE:
			result = decode_next(decoder);
			if (__builtin_expect(result > 0, 1))
				return result;
			if (!result && decoder->more) {
				result = stream_next_piece(stream);
				if (result)
					return result;
				break;
			}
			stream->known_ticks = stream->end_ticks;
			if (result) {
				note_record(stream);
				stream->known_ticks = decoder->last_ticks;
			}
			stream->state = STREAM_LOAD;
			break;
		case STREAM_LOAD:
			result = stream_load(stream);
			if (result < 0)
				return result;
			if (result) {
				result = stream_start_buffer(stream);
				return result ? result : 1;
			}
			if (!finish(stream))
				break;
			return 1;
		case STREAM_END:
			if (stream->tasks_due) {
				decoder->end_ticks = decoder->last_ticks = stream->known_ticks;
				give_tasks(stream, stream->known_ticks);
				stream->state = STREAM_TASKS;
				break;
			}
			give_end(stream);
			return 1;
		case STREAM_DONE:
			return 0;
		}
	}
}
