// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changes files at random, part by part.
 *
 * Stage: see mutate.h. This file contains the positions of headers, records and lengths; seal.c
 * corrects the checksums.
 */
#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include <evtlog/file.h>
#include <evtlog/jitter.h>

#include "../support/xorshift.h"
#include "lib/index/file.h"
#include "mutate.h"

#define BLOCKS_MAX	4096
#define INFLATED_MAX	(1u << 20)

/* The current file, and the positions of its blocks */
struct file {
	uint8_t *bytes;
	size_t size;
	size_t room;
	uint64_t *state;
	size_t blocks[BLOCKS_MAX];
	size_t count;
};

static uint64_t below(struct file *file, uint64_t limit)
{
	return limit ? xorshift(file->state) % limit : 0;
}

/* Returns a value that may break arithmetic, or that nearly fits. */
static uint64_t interesting(struct file *file, uint64_t old, unsigned int bytes)
{
	static const uint64_t values[] = {
		0, 1, 7, 8, 255, 4096, 65535, 65536, INT32_MAX, (uint64_t)INT32_MAX + 1,
		UINT32_MAX, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 7, UINT64_MAX,
	};
	uint64_t value;

	switch (below(file, 6)) {
	case 0:
		return values[below(file, sizeof(values) / sizeof(values[0]))];
	case 1:
		return old + below(file, 17) - 8;
	case 2:
		return old ^ UINT64_C(1) << below(file, 8 * bytes);
	case 3:
		return old * (2 + below(file, 1000));
	case 4:
		return old / (2 + below(file, 1000));
	default:
		value = xorshift(file->state);
		return value >> below(file, 64);
	}
}

/* Changes a number of @bytes at @at, if it is in the file. */
static void change(struct file *file, size_t at, unsigned int bytes)
{
	uint64_t value = 0;

	if (bytes > 8 || at > file->size || bytes > file->size - at)
		return;
	memcpy(&value, file->bytes + at, bytes);
	value = interesting(file, value, bytes);
	memcpy(file->bytes + at, &value, bytes);
}

static void find_blocks(struct file *file)
{
	struct evtlog_file_header header;
	struct evtlog_block_header block;
	size_t at;

	file->count = 0;
	if (file->size < sizeof(header))
		return;
	memcpy(&header, file->bytes, sizeof(header));
	if (header.magic != EVTLOG_FILE_MAGIC && header.magic != EVTLOG_MERGED_MAGIC)
		return;
	for (at = header.header_bytes; file->count < BLOCKS_MAX && at <= file->size &&
	     file->size - at >= sizeof(block);) {
		memcpy(&block, file->bytes + at, sizeof(block));
		if (block.magic != EVTLOG_BLOCK_MAGIC ||
		    block.stored_bytes > file->size - at - sizeof(block))
			return;
		file->blocks[file->count++] = at;
		at += sizeof(block) + ((block.stored_bytes + 7) & ~7ul);
	}
}

/* Resizes the @old bytes at @at to @wanted bytes. Returns false if there is no room. */
static bool resize(struct file *file, size_t at, size_t old, size_t wanted)
{
	if (at > file->size || old > file->size - at || file->size - old > file->room ||
	    wanted > file->room - (file->size - old))
		return false;
	memmove(file->bytes + at + wanted, file->bytes + at + old, file->size - at - old);
	file->size = file->size - old + wanted;
	return true;
}

static size_t pick_block(struct file *file, struct evtlog_block_header *header)
{
	/* Prefer the last blocks of CPUs, and the index: no later block corrects them. */
	size_t few = file->count < 4 || below(file, 3) ? file->count : 4;
	size_t at = file->blocks[file->count - 1 - below(file, few)];

	memcpy(header, file->bytes + at, sizeof(*header));
	return at;
}

static size_t block_bytes(const struct evtlog_block_header *header)
{
	return sizeof(*header) + ((header->stored_bytes + 7) & ~7ul);
}

/* Makes the fields that a block's header and its buffer's header share agree. */
static void agree(struct file *file, size_t at, bool from_block)
{
	struct evtlog_block_header block;
	struct evtlog_buffer_header buffer;
	size_t inner = at + sizeof(block);

	memcpy(&block, file->bytes + at, sizeof(block));
	if (block.kind != EVTLOG_BLOCK_BUFFER || (block.flags & EVTLOG_BLOCK_DEFLATE) ||
	    block.stored_bytes < sizeof(buffer) ||
	    file->size - inner < sizeof(buffer))
		return;
	memcpy(&buffer, file->bytes + inner, sizeof(buffer));
	if (from_block) {
		buffer.cpu = block.cpu;
		buffer.sequence = block.sequence;
		buffer.begin_ticks = block.begin_ticks;
		buffer.end_ticks = block.end_ticks;
		buffer.run = block.run;
	} else {
		block.cpu = buffer.cpu;
		block.sequence = buffer.sequence;
		block.begin_ticks = buffer.begin_ticks;
		block.end_ticks = buffer.end_ticks;
	}
	if (!(block.flags & EVTLOG_BLOCK_COMPRESSED))
		block.raw_bytes = block.stored_bytes;
	memcpy(file->bytes + inner, &buffer, sizeof(buffer));
	memcpy(file->bytes + at, &block, sizeof(block));
}

/* Changes a field of a block header, and usually the same field of its buffer. */
static void change_block_header(struct file *file)
{
	static const struct { size_t at; unsigned int bytes; } fields[] = {
#define F(name) { offsetof(struct evtlog_block_header, name), \
		  sizeof(((struct evtlog_block_header *)0)->name) }
		F(kind), F(flags), F(raw_bytes), F(run), F(sequence), F(begin_ticks),
		F(end_ticks), F(cpu), F(sequence), F(cpu), F(raw_bytes), F(raw_bytes),
#undef F
	};
	size_t field = below(file, sizeof(fields) / sizeof(fields[0]));
	struct evtlog_block_header header;
	size_t at = pick_block(file, &header);

	if (below(file, 4))
		change(file, at + fields[field].at, fields[field].bytes);
	else	/* a small number, so that two blocks have the same CPU or sequence */
		file->bytes[at + fields[field].at] = below(file, 4);
	if (below(file, 4))
		agree(file, at, true);
}

static void change_buffer_header(struct file *file)
{
	struct evtlog_block_header header;
	size_t at = pick_block(file, &header), inner = at + sizeof(header);

	if (header.kind != EVTLOG_BLOCK_BUFFER ||
	    header.stored_bytes < sizeof(struct evtlog_buffer_header))
		return;
	if (below(file, 2))
		change(file, inner + 8 * below(file, sizeof(struct evtlog_buffer_header) / 8), 8);
	else
		change(file, inner + 4 * below(file, sizeof(struct evtlog_buffer_header) / 4), 4);
	if (below(file, 4))
		agree(file, at, false);
}

/* Changes a record's data, type or time, or copies other records over it. */
static void change_record(struct file *file)
{
	struct evtlog_block_header header;
	size_t at = pick_block(file, &header), words, word;
	size_t first = header.kind == EVTLOG_BLOCK_BUFFER ? sizeof(struct evtlog_buffer_header) : 0;
	uint64_t value;

	if (header.stored_bytes < first + 8)
		return;
	at += sizeof(header) + first;
	words = (header.stored_bytes - first) / 8;
	word = below(file, words);
	memcpy(&value, file->bytes + at + 8 * word, 8);
	switch (below(file, 6)) {
	case 0:
		value = (value & ~((uint64_t)EVTLOG_TYPE_MAX << EVTLOG_TYPE_SHIFT)) |
			below(file, EVTLOG_TYPE_MAX + 1) << EVTLOG_TYPE_SHIFT;
		break;
	case 1:
		value = (value & ((UINT64_C(1) << EVTLOG_DATA_SHIFT) - 1)) |
			below(file, below(file, 2) ? 64 : EVTLOG_DATA_MAX) << EVTLOG_DATA_SHIFT;
		break;
	case 2:
		value = (value & ~(uint64_t)UINT32_MAX) | (uint32_t)interesting(file, value, 4);
		break;
	case 3: {
		size_t from = below(file, words), count = 1 + below(file, words / 4 + 1);

		if (count > words - word)
			count = words - word;
		if (count > words - from)
			count = words - from;
		memmove(file->bytes + at + 8 * word, file->bytes + at + 8 * from, 8 * count);
		return;
	}
	default:
		value = interesting(file, value, 8);
	}
	memcpy(file->bytes + at + 8 * word, &value, 8);
}

/* Drops or repeats a block, or exchanges two. */
static void move_blocks(struct file *file)
{
	static uint8_t copy[INFLATED_MAX];
	struct evtlog_block_header header;
	size_t at = pick_block(file, &header), bytes = block_bytes(&header), to;

	if (bytes > sizeof(copy) || bytes > file->size - at)
		return;
	memcpy(copy, file->bytes + at, bytes);
	if (below(file, 3) && !resize(file, at, bytes, 0))
		return;
	if (!below(file, 3))
		return;
	find_blocks(file);
	if (!file->count)
		return;
	to = file->blocks[below(file, file->count)];
	if (resize(file, to, 0, bytes))
		memcpy(file->bytes + to, copy, bytes);
}

/* Inflates a block, changes it, and deflates it again. */
static void change_inflated(struct file *file)
{
	static uint8_t raw[INFLATED_MAX], stored[2 * INFLATED_MAX];
	struct evtlog_block_header header;
	size_t at = pick_block(file, &header);
	uLongf raw_bytes = sizeof(raw), stored_bytes = sizeof(stored);

	if (!(header.flags & EVTLOG_BLOCK_DEFLATE) || header.raw_bytes > sizeof(raw) ||
	    block_bytes(&header) > file->size - at ||
	    uncompress(raw, &raw_bytes, file->bytes + at + sizeof(header),
		       header.stored_bytes) != Z_OK || raw_bytes < 8)
		return;
	for (uint64_t i = 1 + below(file, 4); i; i--) {
		size_t word = 4 * below(file, raw_bytes / 4);
		uint64_t value = 0;

		memcpy(&value, raw + word, 4);
		value = interesting(file, value, 4);
		memcpy(raw + word, &value, 4);
	}
	if (!below(file, 8))
		raw_bytes = below(file, raw_bytes);
	if (compress2(stored, &stored_bytes, raw, raw_bytes, 1) != Z_OK ||
	    !resize(file, at, block_bytes(&header), sizeof(header) + ((stored_bytes + 7) & ~7ul)))
		return;
	header.raw_bytes = raw_bytes;
	header.stored_bytes = stored_bytes;
	memset(file->bytes + at + sizeof(header), 0, (stored_bytes + 7) & ~7ul);
	memcpy(file->bytes + at, &header, sizeof(header));
	memcpy(file->bytes + at + sizeof(header), stored, stored_bytes);
}

/* Changes text of @length at @at: a digit, a byte, or a piece copied over another. */
static void change_text(struct file *file, size_t at, size_t length)
{
	size_t where, from, count;

	if (!length || at > file->size || length > file->size - at)
		return;
	where = below(file, length);
	switch (below(file, 3)) {
	case 0:
		for (size_t i = 0; i < length; i++) {
			uint8_t *byte = &file->bytes[at + (where + i) % length];

			if (*byte >= '0' && *byte <= '9') {
				*byte = '0' + below(file, 10);
				return;
			}
		}
		return;
	case 1:
		file->bytes[at + where] = below(file, 2) ? (uint8_t)"\n =:,.-%"[below(file, 9)] :
					  below(file, 256);
		return;
	default:
		from = below(file, length);
		count = 1 + below(file, 40);
		if (count > length - where)
			count = length - where;
		if (count > length - from)
			count = length - from;
		memmove(file->bytes + at + where, file->bytes + at + from, count);
	}
}

/* Changes any bytes: a number in them, or cuts their end. */
static void change_bytes(struct file *file, size_t from, size_t to)
{
	if (to > file->size)
		to = file->size;
	if (from >= to)
		return;
	if (!below(file, 16)) {
		file->size = from + below(file, to - from);
		return;
	}
	change(file, from + below(file, to - from), 1u << below(file, 4));
}

static void change_log(struct file *file)
{
	struct evtlog_file_header header;

	find_blocks(file);
	memcpy(&header, file->bytes, sizeof(header));
	switch (file->count ? below(file, 16) : 14) {
	case 0 ... 2:
		change_block_header(file);
		break;
	case 3 ... 5:
		change_buffer_header(file);
		break;
	case 6 ... 8:
		change_record(file);
		break;
	case 9 ... 10:
		change_inflated(file);
		break;
	case 11:
		move_blocks(file);
		break;
	case 12 ... 13:
		change_bytes(file, file->blocks[0], file->size);
		break;
	case 14:
		change_text(file, sizeof(header), header.text_bytes);
		break;
	default:
		change_bytes(file, 8, header.header_bytes);
	}
}

/* Changes header, text, threads or samples. */
static void change_samples(struct file *file)
{
	struct evtlog_samples_header header;
	size_t threads, samples;

	memcpy(&header, file->bytes, sizeof(header));
	threads = sizeof(header) + ((header.text_bytes + 7ul) & ~7ul);
	samples = threads + (uint64_t)header.threads * sizeof(struct evtlog_samples_thread);
	switch (below(file, 8)) {
	case 0:
		change(file, 8 + 4 * below(file, sizeof(header) / 4 - 2), 4);
		break;
	case 1:
		change_text(file, sizeof(header), header.text_bytes);
		break;
	case 2 ... 5:
		if (threads < file->size && samples <= file->size && header.threads)
			change(file, threads + 8 * below(file, (samples - threads) / 8), 8);
		break;
	default:
		if (samples + 8 <= file->size)
			change(file, samples + 8 * below(file, (file->size - samples) / 8), 8);
	}
}

/* Changes mostly the index's directory, which leads to all other parts. */
static void change_index(struct file *file)
{
	struct index_header header;

	memcpy(&header, file->bytes, sizeof(header));
	if (!below(file, 6))
		change(file, 8 + 4 * below(file, sizeof(header) / 4 - 2), 4);
	else if (below(file, 2) && header.directory_offset < file->size)
		change(file, header.directory_offset +
		       4 * below(file, (file->size - header.directory_offset) / 4), 4);
	else
		change_bytes(file, sizeof(header), file->size);
}

size_t mutate(uint8_t *bytes, size_t size, size_t room, uint64_t *state)
{
	struct file file = { .bytes = bytes, .size = size, .room = room, .state = state };

	for (uint64_t i = 1 + below(&file, 6); i; i--) {
		uint64_t magic = 0;

		memcpy(&magic, bytes, file.size < sizeof(magic) ? file.size : sizeof(magic));
		if (magic == EVTLOG_SAMPLES_MAGIC &&
		    file.size >= sizeof(struct evtlog_samples_header))
			change_samples(&file);
		else if (magic == INDEX_MAGIC && file.size >= sizeof(struct index_header))
			change_index(&file);
		else if (file.size >= sizeof(struct evtlog_file_header))
			change_log(&file);
		else
			change_bytes(&file, 0, file.size);
	}
	mutate_seal(bytes, file.size);
	return file.size;
}
