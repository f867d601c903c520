// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Buffers of a log as marks of time, kept for a while.
 *
 * Stage: between a CPU's stream and exact lookups.  What is read once is likely to
 * be asked for again: by the next bin, and by the next picture.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/array.h"
#include "lib/codec/record-class.h"
#include "lib/stream/stream.h"

/* Of all indexes of the process; each keeps one piece whatever the others have. */
#define KEPT_BYTES_MAX	((size_t)64 << 20)
#define PIECES_MAX	1024

static atomic_size_t kept_bytes;

struct kept {
	struct index_piece piece;
	unsigned int slot;
	size_t bytes;
	uint64_t used;
};

/*
 * @stream:	is of CPU @stream_slot, and behind the first event of @stream_block, which is
 *		at @stream_ns, if @stream_ready
 * @uses:	counts them, to find what was not used longest
 */
struct index_pieces {
	const struct evtlog_index *index;
	struct evtlog_stream *stream;
	unsigned int stream_slot;
	size_t stream_block;
	uint64_t stream_ns;
	bool stream_ready;
	uint64_t uses;
	struct kept *kept[PIECES_MAX];
	unsigned int count;
};

struct index_pieces *index_pieces_new(const struct evtlog_index *index)
{
	struct index_pieces *pieces = calloc(1, sizeof(*pieces));

	if (pieces)
		pieces->index = index;
	return pieces;
}

static void drop(struct index_pieces *pieces, unsigned int number)
{
	struct kept *kept = pieces->kept[number];

	atomic_fetch_sub(&kept_bytes, kept->bytes);
	free(kept->piece.marks);
	free(kept);
	pieces->kept[number] = pieces->kept[--pieces->count];
}

void index_pieces_free(struct index_pieces *pieces)
{
	if (!pieces)
		return;
	while (pieces->count)
		drop(pieces, 0);
	evtlog_stream_free(pieces->stream);
	free(pieces);
}

static void make_capacity(struct index_pieces *pieces)
{
	while (pieces->count && (pieces->count == PIECES_MAX ||
				 atomic_load(&kept_bytes) > KEPT_BYTES_MAX)) {
		unsigned int oldest = 0;

		for (unsigned int i = 1; i < pieces->count; i++)
			if (pieces->kept[i]->used < pieces->kept[oldest]->used)
				oldest = i;
		drop(pieces, oldest);
	}
}

struct marking {
	struct index_piece *piece;
	size_t capacity;
};

static struct index_mark *add_mark(struct marking *marking, uint64_t time_ns)
{
	struct index_piece *piece = marking->piece;
	struct index_mark *mark;

	if (array_reserve(&piece->marks, &marking->capacity, piece->count, sizeof(*mark)))
		return NULL;
	mark = &piece->marks[piece->count++];
	*mark = (struct index_mark) {
		.time_ns = time_ns,
		.about = INDEX_ABOUT_NOBODY,
		.kind = EVTLOG_KINDS,
		.state = INDEX_LOST,
	};
	return mark;
}

/* Up to @event the CPU was as it says, since the mark before. */
static void end_mark(struct index_piece *piece, const struct evtlog_event *event)
{
	struct index_mark *mark = &piece->marks[piece->count - 1];

	mark->state = index_state(event);
	mark->pid = event->pid;
}

static uint32_t about(const struct evtlog_event *event, enum evtlog_kind kind)
{
	switch (kind) {
	case EVTLOG_KIND_SWITCH:
	case EVTLOG_KIND_WAKING:
	case EVTLOG_KIND_MIGRATION:
		return evtlog_record_pid(event->words);
	default:
		return INDEX_ABOUT_NOBODY;
	}
}

/* Reads up to the next buffer, whose first event is given then. */
static int read_piece(struct index_pieces *pieces, struct index_piece *piece)
{
	struct marking marking = { .piece = piece };
	const struct evtlog_event *event;
	struct index_mark *mark;
	int result;

	mark = add_mark(&marking, piece->begin_ns);
	if (!mark)
		return -ENOMEM;
	while ((result = evtlog_stream_next(pieces->stream, &event)) > 0) {
		end_mark(piece, event);
		if (event->kind == EVTLOG_EVENT_RECORD) {
			mark = add_mark(&marking, event->time_ns);
			if (!mark)
				return -ENOMEM;
			mark->kind = record_kind(record_class(event->known));
			mark->about = about(event, mark->kind);
			continue;
		}
		if (event->kind == EVTLOG_EVENT_GAP &&
		    !add_mark(&marking, event->from_ns))
			return -ENOMEM;
		piece->end_ns = event->time_ns;
		piece->last = event->kind == EVTLOG_EVENT_END;
		if (piece->last)
			return 0;
		piece->next_block = stream_block(pieces->stream);
		/* A gap at the end has no buffer behind it. */
		if (piece->next_block != piece->block) {
			pieces->stream_block = piece->next_block;
			pieces->stream_ns = event->time_ns;
			pieces->stream_ready = true;
			return 0;
		}
		if (!add_mark(&marking, event->time_ns))
			return -ENOMEM;
	}
	piece->last = true;
	if (!piece->end_ns)
		piece->end_ns = piece->begin_ns;
	return result;
}

static void restore_places(struct index_pieces *pieces, unsigned int slot, size_t block)
{
	const struct index_start *starts = pieces->index->starts;
	size_t low = 0, high = pieces->index->start_count;
	struct context_stack contexts = { .depth = 0 };

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (starts[middle].slot < slot || (starts[middle].slot == slot &&
						   starts[middle].block < block))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == pieces->index->start_count || starts[low].slot != slot ||
	    starts[low].block != block)
		return;
	for (contexts.depth = 0; contexts.depth < starts[low].depth; contexts.depth++) {
		struct context *context = &contexts.at[contexts.depth + 1];

		context->kind = starts[low].kind[contexts.depth];
		context->number = starts[low].number[contexts.depth];
	}
	stream_set_places(pieces->stream, &contexts);
}

static int go(struct index_pieces *pieces, unsigned int slot, size_t block,
	      struct index_piece *piece)
{
	const struct evtlog_event *event;
	int result;

	if (pieces->stream_ready && pieces->stream_slot == slot &&
	    pieces->stream_block == block) {
		pieces->stream_ready = false;
		piece->block = block;
		piece->begin_ns = pieces->stream_ns;
		return 1;
	}
	pieces->stream_ready = false;
	result = stream_go(pieces->stream, block);
	if (result)
		return result;
	result = evtlog_stream_next(pieces->stream, &event);
	if (result <= 0)
		return result;
	piece->block = stream_block(pieces->stream);
	piece->begin_ns = event->time_ns;
	restore_places(pieces, slot, piece->block);
	return 1;
}

static int use_stream(struct index_pieces *pieces, unsigned int slot)
{
	if (pieces->stream && pieces->stream_slot == slot)
		return 0;
	evtlog_stream_free(pieces->stream);
	pieces->stream = NULL;
	pieces->stream_ready = false;
	pieces->stream_slot = slot;
	return evtlog_stream_new(pieces->index->file, slot, &pieces->stream);
}

static int load(struct index_pieces *pieces, unsigned int slot, size_t block,
		const struct index_piece **piecep)
{
	struct kept *kept;
	int result;

	make_capacity(pieces);
	kept = calloc(1, sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	kept->slot = slot;
	result = use_stream(pieces, slot);
	if (!result)
		result = go(pieces, slot, block, &kept->piece);
	if (result > 0)
		result = read_piece(pieces, &kept->piece);
	else if (!result)
		result = -ENODATA;
	if (result) {
		pieces->stream_ready = false;
		free(kept->piece.marks);
		free(kept);
		*piecep = NULL;
		return result == -ENODATA ? 0 : result;
	}
	kept->bytes = sizeof(*kept) + kept->piece.count * sizeof(struct index_mark);
	atomic_fetch_add(&kept_bytes, kept->bytes);
	kept->used = ++pieces->uses;
	pieces->kept[pieces->count++] = kept;
	*piecep = &kept->piece;
	return 0;
}

static const struct index_piece *find_kept(struct index_pieces *pieces,
					   unsigned int slot, size_t block)
{
	for (unsigned int i = 0; i < pieces->count; i++) {
		struct kept *kept = pieces->kept[i];

		if (kept->slot != slot || kept->piece.block != block)
			continue;
		kept->used = ++pieces->uses;
		return &kept->piece;
	}
	return NULL;
}

int index_piece_at(struct index_pieces *pieces, unsigned int slot, uint64_t time_ns,
		   const struct index_piece **piece)
{
	int result;

	/* Events at the ns at which a buffer begins may be in the one before. */
	if (time_ns)
		time_ns--;
	for (unsigned int i = 0; i < pieces->count; i++) {
		struct kept *kept = pieces->kept[i];

		if (kept->slot != slot || time_ns >= kept->piece.end_ns ||
		    (time_ns < kept->piece.begin_ns && kept->piece.block))
			continue;
		kept->used = ++pieces->uses;
		*piece = &kept->piece;
		return 0;
	}
	result = use_stream(pieces, slot);
	if (result)
		return result;
	return load(pieces, slot, stream_block_at(pieces->stream, time_ns), piece);
}

int index_piece_next(struct index_pieces *pieces, unsigned int slot,
		     const struct index_piece *after, const struct index_piece **piece)
{
	*piece = NULL;
	if (after->last)
		return 0;
	*piece = find_kept(pieces, slot, after->next_block);
	return *piece ? 0 : load(pieces, slot, after->next_block, piece);
}
