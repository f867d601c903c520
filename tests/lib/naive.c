// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A reader for whole files that are not packed, so simple that it is clearly right
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <evtlog/file.h>

#include "naive.h"

struct buffer {
	struct evtlog_buffer_header header;
	uint64_t *words;
};

static void must(int what)
{
	if (!what)
		abort();
}

/* For each type: its words; for types whose size has 12 bits, the lowest of these bits, else 0 */
static void read_word_counts(const char *text, unsigned int *words, unsigned int *sizes)
{
	const char *line = strstr(text, "\n\nevtlog-format 2\n");

	must(line != NULL);
	memset(words, 0, 64 * sizeof(*words));
	memset(sizes, 0, 64 * sizeof(*sizes));
	while ((line = strstr(line, "\ntype "))) {
		unsigned int number, count;
		const char *z = strstr(line, ":12:z"), *end;

		must(sscanf(line, "\ntype %u %*s %u", &number, &count) == 2);
		words[number] = count;
		line++;
		end = strchr(line, '\n');
		if (z && end && z < end)
			must(sscanf(z - 2, "%u", &sizes[number]) == 1);
	}
}

static int compare_buffers(const void *a, const void *b)
{
	const struct evtlog_buffer_header *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

static int compare_events(const void *a, const void *b)
{
	const struct naive_event *x = a, *y = b;

	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static struct buffer read_buffer(const struct evtlog_block_header *block,
				 const uint8_t *payload)
{
	struct buffer buffer;
	uLongf bytes = block->raw_bytes;
	uint8_t *raw = malloc(bytes);

	must(raw != NULL);
	must(!(block->flags & EVTLOG_BLOCK_PACKED));
	if (block->flags & EVTLOG_BLOCK_DEFLATE)
		must(uncompress(raw, &bytes, payload, block->stored_bytes) ==
		     Z_OK);
	else
		memcpy(raw, payload, bytes);
	memcpy(&buffer.header, raw, sizeof(buffer.header));
	buffer.words = (uint64_t *)raw;
	return buffer;
}

static size_t read_buffers(const uint8_t *file, size_t length,
			   struct buffer *buffers)
{
	struct evtlog_block_header block;
	uint32_t at;
	size_t count = 0;

	memcpy(&at, file + 12, sizeof(at));
	for (;;) {
		must(at + sizeof(block) <= length);
		memcpy(&block, file + at, sizeof(block));
		must(block.magic == EVTLOG_BLOCK_MAGIC);
		if (block.kind == EVTLOG_BLOCK_INDEX)
			return count;
		if (block.kind == EVTLOG_BLOCK_BUFFER)
			buffers[count++] = read_buffer(&block, file + at +
						       sizeof(block));
		at += sizeof(block) + (block.stored_bytes + 7) / 8 * 8;
	}
}

struct naive_event *naive_read(const uint8_t *file, size_t length,
			       size_t *count)
{
	struct buffer *buffers = calloc(length / 64, sizeof(*buffers));
	struct naive_event *events = calloc(length, sizeof(*events));
	unsigned int words[64], sizes[64];
	size_t buffer_count;

	must(buffers && events);
	read_word_counts((const char *)file + sizeof(struct evtlog_file_header),
			 words, sizes);
	buffer_count = read_buffers(file, length, buffers);
	qsort(buffers, buffer_count, sizeof(*buffers), compare_buffers);
	*count = 0;
	for (size_t i = 0; i < buffer_count; i++) {
		const struct evtlog_buffer_header *h = &buffers[i].header;
		size_t at = h->header_bytes / 8;
		uint64_t high = h->begin_ticks >> 32;

		if (i && h->cpu == buffers[i - 1].header.cpu &&
		    h->sequence == buffers[i - 1].header.sequence)
			continue;
		while (at < h->used_bytes / 8) {
			const uint64_t *record = buffers[i].words + at;
			struct naive_event *event = &events[*count];

			event->type = *record >> 32 & 63;
			event->word_count = words[event->type];
			must(event->word_count != 0);
			if (sizes[event->type])
				event->word_count +=
					((*record >> sizes[event->type] & 0xfff) + 7) / 8;
			must(event->word_count <= NAIVE_WORDS_MAX);
			if (event->type == EVTLOG_TIME)
				high = record[1] >> 32;
			event->ticks = high << 32 | (*record & UINT32_MAX);
			event->cpu = h->cpu;
			event->order = *count;
			memcpy(event->words, record,
			       event->word_count * sizeof(*record));
			at += event->word_count;
			++*count;
		}
	}
	for (size_t i = 0; i < buffer_count; i++)
		free(buffers[i].words);
	free(buffers);
	qsort(events, *count, sizeof(*events), compare_events);
	return events;
}
