// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the region events of a thread in the order of time.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/io.h"
#include "region-trace.h"

int region_trace_reader_start(struct region_trace_reader *reader,
			      const struct region_trace_file *file,
			      const struct region_trace_thread *thread)
{
	*reader = (struct region_trace_reader) {
		.file = file, .thread = thread, .chunk = malloc(REGION_TRACE_CHUNK_BYTES),
	};
	return reader->chunk ? 0 : -ENOMEM;
}

void region_trace_reader_end(struct region_trace_reader *reader)
{
	free(reader->chunk);
	reader->chunk = NULL;
}

/* Interpolates linearly between the times of the chunk.  The result never decreases. */
static uint64_t time_of(struct region_trace_reader *reader, uint32_t lower)
{
	const struct region_trace_time *begin = &reader->chunk->begin, *end = &reader->chunk->end;
	uint64_t ticks = reader->upper << 32 | lower, length = end->ticks - begin->ticks;
	__int128 ns = (__int128)ticks - (__int128)begin->ticks;

	if (length)
		ns = ns * (__int128)(end->ns - begin->ns) / (__int128)length;
	ns += begin->ns;
	/* No event of a chunk is after its end. */
	if (ns > (__int128)end->ns)
		ns = end->ns;
	if (ns < (__int128)reader->last_ns)
		ns = reader->last_ns;
	reader->last_ns = ns;
	return reader->last_ns;
}

/* Reads the next chunk.  Returns 1; 0 if there is none; -errno. */
static int next_chunk(struct region_trace_reader *reader)
{
	const struct region_trace_place *place;
	struct region_trace_chunk *chunk = reader->chunk;
	ssize_t got;

	if (reader->next == reader->thread->count)
		return 0;
	place = &reader->file->chunks[reader->thread->first + reader->next];
	got = io_read_at(reader->file->fd, chunk, REGION_TRACE_CHUNK_BYTES, place->offset);
	if (got < 0)
		return got;
	/* The chunk was valid when the file was opened. */
	if (got < (ssize_t)sizeof(*chunk) || !region_trace_is_chunk(chunk))
		return -EIO;
	reader->lost = chunk->sequence != reader->sequence;
	reader->begins = reader->next > 0 && !reader->lost && chunk->begin.ns >= reader->last_ns;
	reader->sequence = chunk->sequence + 1;
	reader->next++;
	reader->word = 0;
	reader->words = (got - sizeof(*chunk)) / sizeof(chunk->words[0]);
	reader->has_upper = false;
	return 1;
}

static const char *symbol_of(struct region_trace_reader *reader, uint64_t address)
{
	const struct region_trace_file *file = reader->file;
	size_t low = 0, high = file->symbol_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->symbols[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < file->symbol_count && file->symbols[low].address == address)
		return file->symbols[low].name;
	snprintf(reader->text, sizeof(reader->text), "0x%" PRIx64, address);
	return reader->text;
}

/* Reads a record.  Returns true if it is an event: TIME records and invalid ones are not. */
static bool take_record(struct region_trace_reader *reader, struct region_trace_event *event)
{
	const uint64_t *at = &reader->chunk->words[reader->word];
	uint64_t length = region_trace_length(*at), value = region_trace_value(*at);
	unsigned int kind = region_trace_kind(*at);
	bool is_event = kind == REGION_TRACE_ENTER || kind == REGION_TRACE_LEAVE;

	if (kind < REGION_TRACE_ENTER || kind > REGION_TRACE_FUNCTION ||
	    length > reader->words - reader->word || (is_event && !reader->has_upper)) {
		reader->word = reader->words;
		return false;
	}
	reader->word += length;
	event->number = region_trace_number(*at);
	switch (kind) {
	case REGION_TRACE_TIME:
		reader->upper = value;
		reader->has_upper = true;
		return false;
	case REGION_TRACE_NAME:
		event->what = TRACE_NAME;
		event->text = (const char *)(at + 1);
		event->length = value;
		return true;
	case REGION_TRACE_FUNCTION:
		event->what = TRACE_NAME;
		event->text = symbol_of(reader, at[1]);
		event->length = strlen(event->text);
		return true;
	default:
		event->what = kind == REGION_TRACE_ENTER ? TRACE_ENTER : TRACE_LEAVE;
		event->time_ns = time_of(reader, value);
		return true;
	}
}

/* Between two chunks: emits FLUSH, as the thread wrote the first, or LOST if some are missing. */
static bool take_border(struct region_trace_reader *reader, struct region_trace_event *event)
{
	if (reader->lost) {
		reader->lost = false;
		*event = (struct region_trace_event) {
			.what = TRACE_LOST, .time_ns = reader->last_ns,
		};
		return true;
	}
	if (!reader->begins)
		return false;
	reader->begins = false;
	*event = (struct region_trace_event) {
		.what = TRACE_FLUSH, .time_ns = reader->written_ns,
		.until_ns = reader->chunk->begin.ns,
	};
	if (event->time_ns < reader->last_ns)
		event->time_ns = reader->last_ns;
	reader->last_ns = event->until_ns;
	return true;
}

int region_trace_next(struct region_trace_reader *reader, struct region_trace_event *event)
{
	for (;;) {
		int result;

		if (take_border(reader, event))
			return 1;
		while (reader->word < reader->words)
			if (take_record(reader, event))
				return 1;
		reader->written_ns = reader->next ? reader->chunk->end.ns : 0;
		result = next_chunk(reader);
		if (result <= 0)
			return result;
	}
}
