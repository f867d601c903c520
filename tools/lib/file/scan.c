// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds the blocks of a file by their own headers, not by the index.
 *
 * Stage: when a file is opened.  Each header costs one short read, so using the index, which may
 * be wrong, would save nothing.  The index is only compared with the blocks that were found.
 * Payloads of buffers are not read here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file.h"
#include "lib/base/array.h"
#include "lib/base/head.h"

#define HEADER_BYTES	sizeof(struct evtlog_block_header)
#define TRAILER_BYTES	sizeof(struct evtlog_file_trailer)
#define WINDOW_BYTES	(256u << 10)
#define GAPS_MAX	65536

/*
 * @index:	the last index block; none if @index_offset is 0
 * @behind_block: the last block of the list ends at @offset
 * @doubt_bytes: how much may still be read to check blocks that may be shorter than their headers
 *		state; the limit keeps the time linear for a hostile file
 */
struct scan {
	struct evtlog_file *file;
	uint64_t offset;
	uint64_t index_offset;
	uint64_t doubt_bytes;
	struct evtlog_block_header index;
	bool behind_block;
};

static void note(struct evtlog_file *file, enum evtlog_damage_kind kind,
		 uint64_t offset, uint64_t length, const char *reason)
{
	damage_add(&file->damages, &(struct evtlog_damage) {
		.kind = kind,
		.offset = offset,
		.length = length,
		.reason = reason,
	});
}

static int add_block(struct evtlog_file *file, uint64_t offset,
		     const struct evtlog_block_header *header)
{
	struct block *block;

	if (array_reserve(&file->blocks, &file->block_capacity, file->block_count, sizeof(*block)))
		return -ENOMEM;
	file->has_records |= header->raw_bytes > sizeof(struct evtlog_buffer_header);
	block = &file->blocks[file->block_count++];
	*block = (struct block) {
		.offset = offset,
		.sequence = header->sequence,
		.begin_ticks = header->begin_ticks,
		.end_ticks = header->end_ticks,
		.cpu = header->cpu,
		.raw_bytes = header->raw_bytes,
		.stored_bytes = header->stored_bytes,
		.block_flags = header->flags,
	};
	return 0;
}

static int add_gap(struct evtlog_file *file, uint64_t offset,
		   const struct evtlog_block_header *header)
{
	struct evtlog_gap gap;
	int error = -EBADMSG;

	if (header->raw_bytes == sizeof(gap))
		error = block_read_payload(file, offset, header, &gap);
	if (error == -EBADMSG) {
		note(file, EVTLOG_DAMAGE_PAYLOAD, offset,
		     HEADER_BYTES + header->stored_bytes,
		     "a record of lost buffers is damaged");
		return 0;
	}
	if (error)
		return error;
	damage_add(&file->damages, &(struct evtlog_damage) {
		.kind = EVTLOG_DAMAGE_DROPPED,
		.offset = offset,
		.has_cpu = gap.buffers,
		.cpu = gap.cpu,
		.sequence = gap.sequence,
		.buffers = gap.buffers,
		.error = gap.error,
		.reason = gap.buffers ? "the logger could not keep them" :
			  "the logger could not write for a while",
	});
	if (!gap.buffers || file->gap_count == GAPS_MAX)
		return 0;
	if (array_reserve(&file->gaps, &file->gap_capacity, file->gap_count, sizeof(gap)))
		return -ENOMEM;
	file->gaps[file->gap_count++] = gap;
	return 0;
}

/* Only the first such block is used. */
static int add_tasks(struct evtlog_file *file, uint64_t offset,
		     const struct evtlog_block_header *header)
{
	uint64_t *words;
	int error = -EBADMSG;

	if (file->task_words)
		return 0;
	words = malloc(header->raw_bytes + sizeof(*words));
	if (!words)
		return -ENOMEM;
	if (!(header->raw_bytes % sizeof(*words)) && !(header->flags & EVTLOG_BLOCK_COMPRESSED))
		error = block_read_payload(file, offset, header, words);
	if (error) {
		free(words);
		if (error != -EBADMSG)
			return error;
		note(file, EVTLOG_DAMAGE_PAYLOAD, offset, HEADER_BYTES + header->stored_bytes,
		     "the list of tasks is damaged");
		return 0;
	}
	file->task_words = words;
	file->task_word_count = header->raw_bytes / sizeof(*words);
	file->task_ticks = header->begin_ticks;
	return 0;
}

/* Takes the block at scan->offset.  Returns 1; 0 if there is none; -errno. */
static int take_block(struct scan *scan)
{
	struct evtlog_file *file = scan->file;
	struct evtlog_block_header header;
	uint64_t bytes, left = file->source.size_bytes - scan->offset;
	ssize_t got;
	int error = 0;

	got = source_read(&file->source, &header, sizeof(header), scan->offset);
	if (got < 0)
		return got == -EIO ? 0 : got;
	if ((size_t)got < sizeof(header) || !block_header_valid(&header))
		return 0;
	bytes = HEADER_BYTES + ((header.stored_bytes + 7u) & ~7u);
	if (HEADER_BYTES + header.stored_bytes > left)
		return 0;
	scan->behind_block = false;
	switch (header.kind) {
	case EVTLOG_BLOCK_BUFFER:
		if (header.cpu < EVTLOG_CPU_LIMIT &&
		    header.run == file->header.run) {
			error = add_block(file, scan->offset, &header);
			scan->behind_block = true;
		} else {
			note(file, EVTLOG_DAMAGE_BUFFER, scan->offset,
			     HEADER_BYTES + header.stored_bytes,
			     "this block is of another run, or its CPU is invalid");
		}
		break;
	case EVTLOG_BLOCK_GAP:
		error = add_gap(file, scan->offset, &header);
		break;
	case EVTLOG_BLOCK_INDEX:
		scan->index_offset = scan->offset;
		scan->index = header;
		break;
	case EVTLOG_BLOCK_TASKS:
		error = add_tasks(file, scan->offset, &header);
		break;
	default:
		break;		/* from a later version */
	}
	scan->offset += bytes < left ? bytes : left;
	return error ? error : 1;
}

/* Takes a trailer.  Returns 1; 0 if there is none; -errno. */
static int take_trailer(struct scan *scan)
{
	struct evtlog_file *file = scan->file;
	struct evtlog_file_trailer trailer;
	ssize_t got;

	got = source_read(&file->source, &trailer, TRAILER_BYTES, scan->offset);
	if (got < 0)
		return got == -EIO ? 0 : got;
	if (head_check_all(&head_of_trailer, &trailer, got))
		return 0;
	scan->offset += TRAILER_BYTES;
	scan->behind_block = false;
	if (scan->offset < file->source.size_bytes) {
		note(file, EVTLOG_DAMAGE_INDEX, scan->offset - TRAILER_BYTES,
		     TRAILER_BYTES, "a trailer is not at the end of the file");
		return 1;
	}
	file->summary.closed = true;
	file->trailer_flags = trailer.flags;
	if (!scan->index_offset || trailer.index_offset != scan->index_offset)
		note(file, EVTLOG_DAMAGE_INDEX, scan->offset - TRAILER_BYTES,
		     TRAILER_BYTES, "the trailer points to no index");
	return 1;
}

/*
 * Tries each magic in a window of the file.  Returns 1 if a block or trailer was taken, with its
 * offset in *@found; 0 or -errno.
 */
static int search_window(struct scan *scan, const uint8_t *window, size_t bytes,
			 uint64_t *found)
{
	static const uint64_t block = EVTLOG_BLOCK_MAGIC;
	static const uint64_t trailer = EVTLOG_TRAILER_MAGIC;
	const uint8_t *end = window + bytes - sizeof(block) + 1;
	const uint8_t *at = window;
	uint64_t base = scan->offset;
	int taken;

	/* The first byte of both magics. */
	while (at < end && (at = memchr(at, (uint8_t)block, end - at))) {
		if (!memcmp(at, &block, sizeof(block)) ||
		    !memcmp(at, &trailer, sizeof(trailer))) {
			scan->offset = base + (at - window);
			*found = scan->offset;
			taken = take_block(scan);
			if (!taken)
				taken = take_trailer(scan);
			if (taken)
				return taken;
		}
		at++;
	}
	scan->offset = base + (end - window);
	return 0;
}

/*
 * Continues from scan->offset, where there is no valid block, to the next valid block or trailer,
 * or to the end.  Adds @damage for the bytes in between.
 */
static int resynchronize(struct scan *scan, struct evtlog_damage damage)
{
	struct evtlog_file *file = scan->file;
	uint64_t found = file->source.size_bytes;
	/* Small at first: the next block is often close. */
	size_t window_bytes = WINDOW_BYTES / 64;
	uint8_t *window = malloc(WINDOW_BYTES);
	int taken = 0;

	if (!window)
		return -ENOMEM;
	damage.offset = scan->offset++;
	while (!taken && scan->offset < file->source.size_bytes) {
		ssize_t got = source_read(&file->source, window, window_bytes,
					  scan->offset);

		if (got == -EIO)
			scan->offset += 512;	/* a bad sector */
		else if (got < 0)
			taken = got;
		else if (got < (ssize_t)sizeof(uint64_t))
			scan->offset = file->source.size_bytes;
		else
			taken = search_window(scan, window, got, &found);
		window_bytes = WINDOW_BYTES;
	}
	free(window);
	if (taken < 0)
		return taken;
	if (!taken)
		scan->offset = file->source.size_bytes;
	damage.length = found - damage.offset;
	damage_add(&file->damages, &damage);
	return 0;
}

/*
 * If the header at scan->offset is valid, the file ends within its payload: fills in @damage
 * and returns true.
 */
static bool torn_block(struct scan *scan, struct evtlog_damage *damage)
{
	struct evtlog_block_header header;
	ssize_t got = source_read(&scan->file->source, &header, sizeof(header),
				  scan->offset);

	if (got < (ssize_t)sizeof(header) || !block_header_valid(&header))
		return false;
	*damage = (struct evtlog_damage) {
		.kind = EVTLOG_DAMAGE_TORN,
		.has_cpu = header.kind == EVTLOG_BLOCK_BUFFER &&
			   header.cpu < EVTLOG_CPU_LIMIT,
		.cpu = header.cpu,
		.sequence = header.sequence,
		.reason = "the file ends within this block",
	};
	damage->buffers = damage->has_cpu;
	return true;
}

/*
 * No valid block follows the last block.  If bytes are missing in the last block, the next blocks
 * begin earlier than its header states.  If its checksum is wrong, removes it from the list and
 * moves back to it.  Returns 1 if so; 0; -errno.
 */
static int doubt_last_block(struct scan *scan, struct evtlog_damage *damage)
{
	struct evtlog_file *file = scan->file;
	struct block *block;
	int result;

	if (!scan->behind_block)
		return 0;
	block = &file->blocks[file->block_count - 1];
	if (block->stored_bytes > scan->doubt_bytes)
		return 0;
	scan->doubt_bytes -= block->stored_bytes;
	result = block_prove(file, block);
	if (result != -EBADMSG)
		return result;
	*damage = (struct evtlog_damage) {
		.kind = EVTLOG_DAMAGE_PAYLOAD,
		.has_cpu = true,
		.cpu = block->cpu,
		.sequence = block->sequence,
		.buffers = 1,
		.reason = "its checksum and its length are wrong",
	};
	scan->offset = block->offset;
	file->block_count--;
	return 1;
}

/* There is no valid block or trailer at scan->offset. */
static int get_over_damage(struct scan *scan)
{
	struct evtlog_damage damage = {
		.kind = EVTLOG_DAMAGE_GARBAGE,
		.reason = "these bytes are not a block",
	};
	int result = 0;

	if (!torn_block(scan, &damage))
		result = doubt_last_block(scan, &damage);
	scan->behind_block = false;
	return result < 0 ? result : resynchronize(scan, damage);
}

static bool entry_agrees(const struct evtlog_index_entry *entry,
			 const struct block *block)
{
	return entry->offset == block->offset && entry->cpu == block->cpu &&
	       entry->sequence == block->sequence &&
	       entry->begin_ticks == block->begin_ticks &&
	       entry->end_ticks == block->end_ticks &&
	       entry->raw_bytes == block->raw_bytes &&
	       entry->stored_bytes == block->stored_bytes;
}

/* Called while blocks are still in the order of the file. */
static int compare_index(struct scan *scan)
{
	const struct evtlog_block_header *header = &scan->index;
	struct evtlog_file *file = scan->file;
	struct evtlog_index_entry *entries;
	size_t count = header->raw_bytes / sizeof(*entries);
	bool agrees;
	int error;

	entries = malloc(header->raw_bytes + 1);
	if (!entries)
		return -ENOMEM;
	error = block_read_payload(file, scan->index_offset, header, entries);
	if (error && error != -EBADMSG)
		goto out;
	if (error) {
		note(file, EVTLOG_DAMAGE_INDEX, scan->index_offset,
		     HEADER_BYTES + header->stored_bytes,
		     "the index is damaged");
		error = 0;
		goto out;
	}
	agrees = header->raw_bytes % sizeof(*entries) == 0 &&
		 count == file->block_count;
	for (size_t i = 0; agrees && i < count; i++)
		agrees = entry_agrees(&entries[i], &file->blocks[i]);
	if (!agrees)
		note(file, EVTLOG_DAMAGE_INDEX, scan->index_offset,
		     HEADER_BYTES + header->stored_bytes,
		     "the index contradicts the blocks");
out:
	free(entries);
	return error;
}

static int compare_blocks(const void *a, const void *b)
{
	const struct block *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

int scan_blocks(struct evtlog_file *file)
{
	struct scan scan = {
		.file = file,
		.offset = file->header.header_bytes,
		.doubt_bytes = file->source.size_bytes,
	};
	int result;

	while (scan.offset < file->source.size_bytes) {
		result = take_block(&scan);
		if (!result)
			result = take_trailer(&scan);
		if (!result)
			result = get_over_damage(&scan);
		if (result < 0)
			return result;
	}
	if (scan.index_offset) {
		result = compare_index(&scan);
		if (result)
			return result;
	}
	if (file->block_count)
		qsort(file->blocks, file->block_count, sizeof(*file->blocks),
		      compare_blocks);
	return 0;
}
