// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Cache of a log's buffers as marks of time.
 *
 * Stage: between the stream of a CPU and exact lookups.  A buffer that was read is likely to be
 * needed again, for the next bin and the next picture.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/array.h"
#include "lib/codec/record-class.h"
#include "lib/stream/stream.h"

/* Limit for all indexes of the process.  Each index keeps at least one buffer. */
#define KEPT_BYTES_MAX	((size_t)64 << 20)
#define BUFFERS_MAX	1024

static atomic_size_t kept_bytes;

struct kept {
	struct index_buffer buffer;
	unsigned int slot;
	size_t bytes;
	uint64_t used;
};

/*
 * @stream:	stream of CPU @stream_slot.  If @stream_ready, it is after the first event of
 *		@stream_block, which is at @stream_ns
 * @uses:	counter of uses, to find the least recently used buffer
 */
struct index_buffer_cache {
	const struct evtlog_index *index;
	struct evtlog_stream *stream;
	unsigned int stream_slot;
	size_t stream_block;
	uint64_t stream_ns;
	bool stream_ready;
	uint64_t uses;
	struct kept *kept[BUFFERS_MAX];
	unsigned int count;
};

struct index_buffer_cache *index_buffer_cache_new(const struct evtlog_index *index)
{
	struct index_buffer_cache *cache = calloc(1, sizeof(*cache));

	if (cache)
		cache->index = index;
	return cache;
}

static void drop(struct index_buffer_cache *cache, unsigned int number)
{
	struct kept *kept = cache->kept[number];

	atomic_fetch_sub(&kept_bytes, kept->bytes);
	free(kept->buffer.marks);
	free(kept);
	cache->kept[number] = cache->kept[--cache->count];
}

void index_buffer_cache_free(struct index_buffer_cache *cache)
{
	if (!cache)
		return;
	while (cache->count)
		drop(cache, 0);
	evtlog_stream_free(cache->stream);
	free(cache);
}

static void make_capacity(struct index_buffer_cache *cache)
{
	while (cache->count && (cache->count == BUFFERS_MAX ||
				atomic_load(&kept_bytes) > KEPT_BYTES_MAX)) {
		unsigned int oldest = 0;

		for (unsigned int i = 1; i < cache->count; i++)
			if (cache->kept[i]->used < cache->kept[oldest]->used)
				oldest = i;
		drop(cache, oldest);
	}
}

struct marking {
	struct index_buffer *buffer;
	size_t capacity;
};

static struct index_mark *add_mark(struct marking *marking, uint64_t time_ns)
{
	struct index_buffer *buffer = marking->buffer;
	struct index_mark *mark;

	if (array_reserve(&buffer->marks, &marking->capacity, buffer->count, sizeof(*mark)))
		return NULL;
	mark = &buffer->marks[buffer->count++];
	*mark = (struct index_mark) {
		.time_ns = time_ns,
		.about = INDEX_ABOUT_NOBODY,
		.kind = EVTLOG_KINDS,
		.state = INDEX_LOST,
	};
	return mark;
}

/* The state from the last mark to @event is the state in @event. */
static void end_mark(struct index_buffer *buffer, const struct evtlog_event *event,
		     bool no_switches)
{
	struct index_mark *mark = &buffer->marks[buffer->count - 1];

	mark->state = index_state(event, no_switches);
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

/* Reads up to the first event of the next buffer. */
static int read_buffer(struct index_buffer_cache *cache, struct index_buffer *buffer)
{
	struct marking marking = { .buffer = buffer };
	const struct evtlog_event *event;
	struct index_mark *mark;
	int result;

	mark = add_mark(&marking, buffer->begin_ns);
	if (!mark)
		return -ENOMEM;
	while ((result = evtlog_stream_next(cache->stream, &event)) > 0) {
		end_mark(buffer, event, cache->index->no_switches);
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
		buffer->end_ns = event->time_ns;
		buffer->last = event->kind == EVTLOG_EVENT_END;
		if (buffer->last)
			return 0;
		buffer->next_block = stream_block(cache->stream);
		/* No buffer follows a gap at the end. */
		if (buffer->next_block != buffer->block) {
			cache->stream_block = buffer->next_block;
			cache->stream_ns = event->time_ns;
			cache->stream_ready = true;
			return 0;
		}
		if (!add_mark(&marking, event->time_ns))
			return -ENOMEM;
	}
	buffer->last = true;
	if (!buffer->end_ns)
		buffer->end_ns = buffer->begin_ns;
	return result;
}

static void restore_places(struct index_buffer_cache *cache, unsigned int slot, size_t block)
{
	const struct index_start *starts = cache->index->starts;
	size_t low = 0, high = cache->index->start_count;
	struct context_stack contexts = { .depth = 0 };

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (starts[middle].slot < slot || (starts[middle].slot == slot &&
						   starts[middle].block < block))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == cache->index->start_count || starts[low].slot != slot ||
	    starts[low].block != block)
		return;
	for (contexts.depth = 0; contexts.depth < starts[low].depth; contexts.depth++) {
		struct context *context = &contexts.at[contexts.depth + 1];

		context->kind = starts[low].kind[contexts.depth];
		context->number = starts[low].number[contexts.depth];
	}
	stream_set_places(cache->stream, &contexts);
}

static int go(struct index_buffer_cache *cache, unsigned int slot, size_t block,
	      struct index_buffer *buffer)
{
	const struct evtlog_event *event;
	int result;

	if (cache->stream_ready && cache->stream_slot == slot &&
	    cache->stream_block == block) {
		cache->stream_ready = false;
		buffer->block = block;
		buffer->begin_ns = cache->stream_ns;
		return 1;
	}
	cache->stream_ready = false;
	result = stream_go(cache->stream, block);
	if (result)
		return result;
	result = evtlog_stream_next(cache->stream, &event);
	if (result <= 0)
		return result;
	buffer->block = stream_block(cache->stream);
	buffer->begin_ns = event->time_ns;
	restore_places(cache, slot, buffer->block);
	return 1;
}

static int use_stream(struct index_buffer_cache *cache, unsigned int slot)
{
	if (cache->stream && cache->stream_slot == slot)
		return 0;
	evtlog_stream_free(cache->stream);
	cache->stream = NULL;
	cache->stream_ready = false;
	cache->stream_slot = slot;
	return evtlog_stream_new(cache->index->file, slot, &cache->stream);
}

static int load(struct index_buffer_cache *cache, unsigned int slot, size_t block,
		const struct index_buffer **bufferp)
{
	struct kept *kept;
	int result;

	make_capacity(cache);
	kept = calloc(1, sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	kept->slot = slot;
	result = use_stream(cache, slot);
	if (!result)
		result = go(cache, slot, block, &kept->buffer);
	if (result > 0)
		result = read_buffer(cache, &kept->buffer);
	else if (!result)
		result = -ENODATA;
	if (result) {
		cache->stream_ready = false;
		free(kept->buffer.marks);
		free(kept);
		*bufferp = NULL;
		return result == -ENODATA ? 0 : result;
	}
	kept->bytes = sizeof(*kept) + kept->buffer.count * sizeof(struct index_mark);
	atomic_fetch_add(&kept_bytes, kept->bytes);
	kept->used = ++cache->uses;
	cache->kept[cache->count++] = kept;
	*bufferp = &kept->buffer;
	return 0;
}

static const struct index_buffer *find_kept(struct index_buffer_cache *cache,
					    unsigned int slot, size_t block)
{
	for (unsigned int i = 0; i < cache->count; i++) {
		struct kept *kept = cache->kept[i];

		if (kept->slot != slot || kept->buffer.block != block)
			continue;
		kept->used = ++cache->uses;
		return &kept->buffer;
	}
	return NULL;
}

int index_buffer_at(struct index_buffer_cache *cache, unsigned int slot, uint64_t time_ns,
		    const struct index_buffer **buffer)
{
	int result;

	/* Events at the ns at which a buffer begins may be in the previous buffer. */
	if (time_ns)
		time_ns--;
	for (unsigned int i = 0; i < cache->count; i++) {
		struct kept *kept = cache->kept[i];

		if (kept->slot != slot || time_ns >= kept->buffer.end_ns ||
		    (time_ns < kept->buffer.begin_ns && kept->buffer.block))
			continue;
		kept->used = ++cache->uses;
		*buffer = &kept->buffer;
		return 0;
	}
	result = use_stream(cache, slot);
	if (result)
		return result;
	return load(cache, slot, stream_block_at(cache->stream, time_ns), buffer);
}

int index_buffer_next(struct index_buffer_cache *cache, unsigned int slot,
		      const struct index_buffer *after, const struct index_buffer **buffer)
{
	*buffer = NULL;
	if (after->last)
		return 0;
	*buffer = find_kept(cache, slot, after->next_block);
	return *buffer ? 0 : load(cache, slot, after->next_block, buffer);
}
