// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One CPU's events in order, buffer after buffer, with what is missing between.
 *
 * Stage: between loaded buffers and whoever wants events.  Holds one buffer, or
 * a piece of it when there are very many streams.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "file.h"
#include "stream.h"

#define CACHE_LINE	64

enum stream_state {
	STREAM_LOAD,		/* the next buffer is to be loaded */
	STREAM_BEGUN,		/* the event of the buffer's begin is to be given */
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
 * @header:	of the buffer
 * @loaded:	the whole buffer, or @pieces of it
 * @next:	block to be loaded next
 * @block:	the one being decoded
 * @next_sequence: of the buffer that would follow without a hole
 * @known_ticks: everything up to here was given
 * @end_ticks:	end of the last buffer, be it readable or not
 * @begun:	BEGIN was given
 * @final:	the CPU's last buffer was read
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
	bool final;
};

int evtlog_stream_new(struct evtlog_file *file, unsigned int slot,
		      struct evtlog_stream **streamp)
{
	struct evtlog_stream *stream;

	*streamp = NULL;
	if (slot >= file->part_count)
		return -EINVAL;
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return -ENOMEM;
	stream->file = file;
	file->stream_count++;
	stream->part = &file->parts[slot];
	stream->next = file->blocks + stream->part->first;
	stream->end = stream->next + stream->part->count;
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

void evtlog_stream_free(struct evtlog_stream *stream)
{
	struct evtlog_file *file;

	if (!stream)
		return;
	file = stream->file;
	/* Nobody reads any more: a thousand files may be open. */
	if (!--file->stream_count)
		scratch_free(&file->own_scratch);
	free(stream->loaded.memory);
	free(stream->pieces);
	free(stream);
}

void stream_prefetch(const struct evtlog_stream *stream, const void *record)
{
	const char *at = (const char *)stream;

	__builtin_prefetch(record);
	for (size_t line = 0; line < sizeof(*stream); line += CACHE_LINE)
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

/* A whole buffer in memory. */
static int load_whole(struct evtlog_stream *stream, struct block *block,
		      bool copies)
{
	int result = block_load(stream->file, block, copies, &stream->loaded);

	if (result > 0)
		stream->header = stream->loaded.header;
	return result;
}

/* A buffer of which pieces can be read. */
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
	pieces->position = pieces->header.header_bytes;
	stream->header = &pieces->header;
	return 1;
}

/* Gives the decoder the next piece, behind what is left of the last. */
static int next_piece(struct evtlog_stream *stream)
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

/* How far in its buffer the decoder is. */
static uint64_t decoded_bytes(const struct evtlog_stream *stream)
{
	const struct decoder *decoder = &stream->decoder;
	uint64_t behind = stream->pieces ? stream->pieces->position :
			  stream->header->used_bytes;

	return behind - ((const char *)decoder->end - (const char *)decoder->pos);
}

/* Makes the buffer's records the decoder's; pieces come when they are needed. */
static void give_words(struct evtlog_stream *stream)
{
	const struct evtlog_buffer_header *header = stream->header;
	const char *start = (const char *)header;

	if (stream->pieces)
		decode_words(&stream->decoder, stream->pieces->memory,
			     stream->pieces->memory,
			     header->used_bytes > header->header_bytes);
	else
		decode_words(&stream->decoder,
			     (const uint64_t *)(start + header->header_bytes),
			     (const uint64_t *)(start + header->used_bytes), false);
}

/* Loads the next buffer that can be used.  Returns 1, 0 at the end, -errno. */
static int load(struct evtlog_stream *stream)
{
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
		/* The same buffer once more: its logger was killed meanwhile. */
		while (stream->next < stream->end &&
		       stream->next->sequence == block->sequence)
			stream->next++;
		stream->block = block;
		return 1;
	}
	return 0;
}

static void fill_event(struct evtlog_stream *stream, uint8_t kind,
		       uint64_t ticks)
{
	struct decoder *decoder = &stream->decoder;
	struct evtlog_event *event = &decoder->event;
	const struct place *place = &decoder->places.at[decoder->places.depth];

	event->kind = kind;
	event->known = 0;
	event->number = 0;
	event->words = NULL;
	event->file_words = NULL;
	event->pid = decoder->pid;
	event->place = place->kind;
	event->place_number = place->number;
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

/* Starts on the loaded buffer, with an event for it. */
static void start_buffer(struct evtlog_stream *stream)
{
	const struct evtlog_buffer_header *header = stream->header;
	struct decoder *decoder = &stream->decoder;
	uint64_t lost = header->lost[EVTLOG_LOST_FULL];
	uint64_t holes = header->sequence - stream->next_sequence;
	bool gap = holes || header->begin_ticks > stream->known_ticks;
	bool begun = stream->begun;

	stream->begun = true;
	stream->final |= !!(header->flags & EVTLOG_BUFFER_FINAL);
	stream->state = STREAM_DECODE;
	stream->next_sequence = header->sequence + 1;
	if (!begun) {
		decode_forget(decoder, header);
		decode_buffer(decoder, header);
		fill_event(stream, EVTLOG_EVENT_BEGIN, header->begin_ticks);
	} else {
		decoder->counts.overlaps +=
			header->begin_ticks < stream->known_ticks;
		if (gap || lost)
			fill_gap(stream, header->begin_ticks);
		else
			fill_event(stream, EVTLOG_EVENT_BUFFER,
				   header->begin_ticks);
		if (gap)
			decode_forget(decoder, header);
		decode_buffer(decoder, header);
	}
	give_words(stream);
	stream->known_ticks = header->begin_ticks;
	stream->end_ticks = header->end_ticks;
	decoder->event.begin_pid = header->begin_pid;
	decoder->event.begin_comm = header->begin_comm;
	decoder->event.lost = lost;
	decoder->event.lost_buffers = holes;
}

static void note_record(struct evtlog_stream *stream)
{
	struct block *block = stream->block;
	uint64_t at = decoded_bytes(stream);
	bool compressed = block->block_flags & EVTLOG_BLOCK_COMPRESSED;

	if (block->state & BLOCK_DECODED)
		return;
	block->state |= BLOCK_DECODED;
	damage_add(&stream->file->damages, &(struct evtlog_damage) {
		.kind = EVTLOG_DAMAGE_RECORD,
		/* Of a compressed buffer nobody can say where exactly. */
		.offset = block->offset + sizeof(struct evtlog_block_header) +
			  (compressed ? 0 : at),
		.length = compressed ? block->stored_bytes :
			  stream->header->used_bytes - at,
		.has_cpu = true,
		.cpu = block->cpu,
		.sequence = block->sequence,
		.reason = "here is a record that the file does not describe, or half of one",
	});
}

/* Nothing is left to load.  Returns whether there is a GAP to give first. */
static bool finish(struct evtlog_stream *stream)
{
	uint64_t behind = stream->end[-1].sequence + 1;
	uint64_t holes = behind - stream->next_sequence;

	if (!stream->begun) {
		stream->state = STREAM_DONE;
		return false;
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

/* The last event; a stream may be read again, and is counted once. */
static void give_end(struct evtlog_stream *stream)
{
	struct block *last = stream->end - 1;

	stream->state = STREAM_DONE;
	fill_event(stream, EVTLOG_EVENT_END, stream->known_ticks);
	if (stream->final)
		return;
	stream->decoder.event.rest_missing = true;
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
			stream->state = STREAM_DECODE;
			return 1;
		case STREAM_DECODE:
			result = decode_next(decoder);
			if (__builtin_expect(result > 0, 1))
				return result;
			if (!result && decoder->more) {
				result = next_piece(stream);
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
			result = load(stream);
			if (result < 0)
				return result;
			if (result)
				start_buffer(stream);
			else if (!finish(stream))
				break;
			return 1;
		case STREAM_END:
			give_end(stream);
			return 1;
		case STREAM_DONE:
			return 0;
		}
	}
}

/* The last block that begins at or before @raw_ns, of those that are in order; or the first. */
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
	/* Of copies the first counts. */
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
		stream->final = false;
		stream->state = STREAM_LOAD;
		if (block == first) {
			stream->next_sequence = 0;
			return 0;
		}
		/* So that nothing seems to be missing before. */
		stream->next_sequence = block->sequence;
		result = load(stream);
		if (result < 0)
			return result;
		/* Not that one, or none: what is missing shows as a GAP from before. */
		if (result && stream->block->sequence == block->sequence) {
			start_buffer(stream);
			stream->state = STREAM_BEGUN;
			return 0;
		}
		do
			block--;
		while (block > first && block[-1].sequence == block->sequence);
	}
}

bool stream_places(const struct evtlog_stream *stream, struct place_stack *places)
{
	const struct place_stack *here = &stream->decoder.places;
	struct place_stack told;

	*places = *here;
	place_reset(&told, stream->header->context);
	if (told.depth != here->depth)
		return true;
	for (unsigned int i = 1; i <= told.depth; i++)
		if (told.at[i].kind != here->at[i].kind ||
		    told.at[i].number != here->at[i].number)
			return true;
	return false;
}

void stream_set_places(struct evtlog_stream *stream, const struct place_stack *places)
{
	stream->decoder.places = *places;
}

int evtlog_stream_seek(struct evtlog_stream *stream, uint64_t raw_ns)
{
	return stream_go(stream, stream_block_at(stream, raw_ns));
}
