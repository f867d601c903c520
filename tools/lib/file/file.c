// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opens a file: header, text, blocks by CPU, clocks.
 *
 * Stage: the entry of libevtlog.  stream.c decodes records.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file.h"
#include "header.h"

/* When a file is opened, clock sets of at most this many buffers are read, evenly spread. */
#define CLOCK_BUFFERS_MAX	256

static int read_header(struct evtlog_file *file, struct evtlog_error *error)
{
	struct evtlog_file_header *header = &file->header;
	ssize_t got = source_read(&file->source, header, sizeof(*header), 0);

	if (got < 0)
		return head_fail(error, got, 0, "%s", strerror(-got));
	if (!got)
		return head_fail(error, -EMEDIUMTYPE, 0, "it is empty");
	if (got >= (ssize_t)sizeof(header->magic) &&
	    header->magic == EVTLOG_MERGED_MAGIC)
		return head_fail(error, -EMEDIUMTYPE, 0,
			    "it is a merged file: evtlog dump and evtlog info read it, one at a time");
	if (got < (ssize_t)sizeof(header->magic) ||
	    (header->magic != EVTLOG_FILE_MAGIC &&
	     header->magic != __builtin_bswap64(EVTLOG_FILE_MAGIC)))
		return head_fail(error, -EMEDIUMTYPE, 0, "it is not an evtlog file");
	if (header->magic != EVTLOG_FILE_MAGIC)
		return head_fail(error, -EPROTONOSUPPORT, 0,
			    "it was written on a machine of the other byte order; read it there");
	return head_read(&file->source, "", &head_of_log, header, got,
			 &file->text, error);
}

/* Lines "key=value" up to an empty line; the format follows. */
static int parse_text(struct evtlog_file *file, struct evtlog_error *error)
{
	const char *reason;
	char *rest;
	int result;

	if (meta_parse(&file->meta, file->text, &rest))
		return head_fail(error, -ENOMEM, 0, "out of memory");
	result = format_parse(&file->format, rest, &reason);
	if (result)
		return head_fail(error, result, sizeof(file->header), "%s", reason);
	recorded_parse(file);
	return 0;
}

/* Returns true if the block before has the same buffer, which counts once: the first good copy. */
static bool is_copy(const struct evtlog_file *file, size_t at)
{
	const struct block *block = &file->blocks[at];

	return at && block[-1].cpu == block->cpu &&
	       block[-1].sequence == block->sequence;
}

/* If two buffers have the same number, only the first good one is read; the other one is lost. */
static void note_if_different(struct evtlog_file *file, const struct block *copy)
{
	if (copy[-1].begin_ticks == copy->begin_ticks && copy[-1].end_ticks == copy->end_ticks)
		return;
	damage_add(&file->damages, &(struct evtlog_damage) {
		.kind = EVTLOG_DAMAGE_BUFFER,
		.offset = copy->offset,
		.length = sizeof(struct evtlog_block_header) + copy->stored_bytes,
		.has_cpu = true,
		.cpu = copy->cpu,
		.sequence = copy->sequence,
		.buffers = 1,
		.reason = "the file has another buffer of this CPU with the same number",
	});
}

static int make_parts(struct evtlog_file *file)
{
	struct cpu_part *part = NULL;
	unsigned int cpus = 0;

	for (size_t i = 0; i < file->block_count; i++)
		cpus += !i || file->blocks[i].cpu != file->blocks[i - 1].cpu;
	file->parts = calloc(cpus + 1, sizeof(*file->parts));
	if (!file->parts)
		return -ENOMEM;
	for (size_t i = 0; i < file->block_count; i++) {
		struct block *block = &file->blocks[i];

		if (!part || part->cpu != block->cpu) {
			part = &file->parts[file->part_count];
			part->cpu = block->cpu;
			part->slot = file->part_count++;
			part->first = i;
		}
		if (is_copy(file, i)) {
			file->summary.duplicates++;
			note_if_different(file, block);
		}
		part->count++;
		file->summary.raw_bytes += block->raw_bytes;
		file->summary.stored_bytes += block->stored_bytes;
	}
	file->summary.buffers = file->block_count - file->summary.duplicates;
	return 0;
}

/* Reads the clock sets of blocks[@at].  Returns the number of sets added, or -errno. */
static int read_sets(struct evtlog_file *file, size_t at,
		     struct loaded *loaded, struct evtlog_clock_set *sets)
{
	bool copies = at + 1 < file->block_count && is_copy(file, at + 1);
	struct block *block = &file->blocks[at];
	struct evtlog_buffer_header header;
	int result;

	if (block->block_flags & EVTLOG_BLOCK_DEFLATE)
		result = block_load(file, block, copies, loaded);
	else
		result = block_inspect(file, block, copies, &header);
	if (result <= 0)
		return result;
	if (block->block_flags & EVTLOG_BLOCK_DEFLATE)
		header = *loaded->header;
	sets[0] = header.begin;
	sets[1] = header.end;
	return 2;
}

/* Makes a clock from clock sets of blocks[first .. first + count), of at most @max buffers. */
static int build_clock(struct evtlog_file *file, struct clock *clock,
		       size_t first, size_t count, size_t max,
		       struct loaded *loaded)
{
	const char *clocksource = evtlog_meta(file, "clocksource");
	struct tick_counter counter = {
		.ticks_hz = evtlog_ticks_hz(file),
		.is_raw = clocksource && !strcmp(clocksource, "tsc"),
		.is_early = clocksource && !strcmp(clocksource, "tsc-early"),
		.first = UINT64_MAX,
	};
	struct evtlog_clock_set *sets;
	size_t set_count = 0, last_read = SIZE_MAX;
	int result = 0;

	if (max > count)
		max = count;
	sets = calloc(2 * max + 1, sizeof(*sets));
	if (!sets)
		return -ENOMEM;
	for (size_t i = 0; i < max; i++) {
		/* Evenly spread, with the first and the last. */
		size_t at = max > 1 ? (count - 1) * i / (max - 1) : 0;

		if (at == last_read || is_copy(file, first + at))
			continue;
		last_read = at;
		result = read_sets(file, first + at, loaded, sets + set_count);
		if (result < 0)
			goto out;
		set_count += result;
	}
	for (size_t i = first; i < first + count; i++) {
		const struct block *block = &file->blocks[i];

		if (block->state & BLOCK_BAD)
			continue;
		if (block->begin_ticks < counter.first)
			counter.first = block->begin_ticks;
		if (block->end_ticks > counter.last)
			counter.last = block->end_ticks;
	}
	result = clock_build(clock, sets, set_count, &counter);
out:
	free(sets);
	return result;
}

static int build_clocks(struct evtlog_file *file)
{
	struct loaded loaded = { 0 };
	int result;

	file->clocks = calloc(1, sizeof(*file->clocks));
	if (!file->clocks)
		return -ENOMEM;
	file->clock_count = 1;
	result = build_clock(file, &file->clocks[0], 0, file->block_count,
			     CLOCK_BUFFERS_MAX, &loaded);
	/* The number of CPUs in the run is now known. */
	if (!result)
		result = add_absent(file);
	if (!result && file->summary.tsc_bad && file->part_count > 1) {
		struct clock *clocks = calloc(file->part_count, sizeof(*clocks));

		if (!clocks) {
			result = -ENOMEM;
			goto out;
		}
		clock_free(&file->clocks[0]);
		free(file->clocks);
		file->clocks = clocks;
		file->clock_count = 0;
		while (!result && file->clock_count < file->part_count) {
			const struct cpu_part *part;

			part = &file->parts[file->clock_count];
			result = build_clock(file,
					     &file->clocks[file->clock_count++],
					     part->first, part->count,
					     CLOCK_BUFFERS_MAX, &loaded);
		}
	}
out:
	free(loaded.memory);
	return result;
}

static int find_slots(struct evtlog_file *file)
{
	unsigned int count = file->part_count;
	uint32_t limit = count ? file->parts[count - 1].cpu + 1 : 0;

	file->slots = malloc((limit + 1) * sizeof(*file->slots));
	if (!file->slots)
		return -ENOMEM;
	memset(file->slots, 0xff, limit * sizeof(*file->slots));
	for (unsigned int slot = 0; slot < count; slot++)
		file->slots[file->parts[slot].cpu] = slot;
	file->cpu_limit = limit;
	return 0;
}

/* Finds the time that blocks cover, except those known to be bad, unless all are bad. */
static void find_span(struct evtlog_file *file)
{
	uint16_t unwanted = BLOCK_BAD;
	size_t bad = 0;

	for (size_t i = 0; i < file->block_count; i++)
		bad += !!(file->blocks[i].state & BLOCK_BAD);
	if (bad == file->block_count)
		unwanted = 0;
	file->begin_ns = file->part_count ? UINT64_MAX : 0;
	file->begin_ticks = UINT64_MAX;
	for (unsigned int slot = 0; slot < file->part_count; slot++) {
		const struct cpu_part *part = &file->parts[slot];
		const struct clock *clock = file_clock(file, slot);

		for (size_t i = 0; i < part->count; i++) {
			const struct block *block;
			uint64_t begin_ns, end_ns;

			block = &file->blocks[part->first + i];
			if (block->state & unwanted)
				continue;
			begin_ns = clock_ns(clock, block->begin_ticks);
			end_ns = clock_ns(clock, block->end_ticks);
			if (begin_ns < file->begin_ns)
				file->begin_ns = begin_ns;
			if (end_ns > file->end_ns)
				file->end_ns = end_ns;
			if (block->begin_ticks < file->begin_ticks)
				file->begin_ticks = block->begin_ticks;
			if (block->end_ticks > file->end_ticks)
				file->end_ticks = block->end_ticks;
		}
	}
	if (file->begin_ticks > file->end_ticks)
		file->begin_ticks = file->end_ticks;
	if (file->begin_ns > file->end_ns)
		file->begin_ns = file->end_ns;
}

static int open_source(struct evtlog_file *file, struct evtlog_error *error)
{
	int result = read_header(file, error);

	if (!result)
		result = parse_text(file, error);
	if (result)
		return result;
	result = scan_blocks(file);
	if (!result)
		result = make_parts(file);
	if (!result)
		result = note_holes(file);
	if (!result)
		result = build_clocks(file);
	if (!result)
		result = find_slots(file);
	if (result)
		return head_fail(error, result, 0, "%s", strerror(-result));
	find_span(file);
	scratch_free(&file->own_scratch);
	return 0;
}

static int open_any(const char *path, int fd, const void *bytes, size_t length,
		    struct evtlog_file **filep, struct evtlog_error *error)
{
	struct evtlog_file *file = calloc(1, sizeof(*file));
	int result = 0;

	*filep = NULL;
	if (!file)
		return head_fail(error, -ENOMEM, 0, "out of memory");
	file->scratch = &file->own_scratch;
	file->event_formats = event_formats_new(file);
	if (!file->event_formats) {
		free(file);
		return head_fail(error, -ENOMEM, 0, "out of memory");
	}
	if (bytes)
		source_use_bytes(&file->source, bytes, length);
	else if (path)
		result = source_open(&file->source, path);
	else
		result = source_use_fd(&file->source, fd);
	if (result) {
		head_fail(error, result, 0, "%s", strerror(-result));
		event_formats_free(file->event_formats);
		free(file);
		return result;
	}
	result = open_source(file, error);
	if (result)
		evtlog_close(file);
	else
		*filep = file;
	return result;
}

int evtlog_open(const char *path, struct evtlog_file **filep,
		struct evtlog_error *error)
{
	return open_any(path, -1, NULL, 0, filep, error);
}

int evtlog_open_fd(int fd, struct evtlog_file **filep,
		   struct evtlog_error *error)
{
	return open_any(NULL, fd, NULL, 0, filep, error);
}

int evtlog_open_bytes(const void *bytes, size_t length,
		      struct evtlog_file **filep, struct evtlog_error *error)
{
	return open_any(NULL, -1, bytes ? bytes : "", length, filep, error);
}

int file_of_text(char *text, struct evtlog_file **filep, struct evtlog_error *error)
{
	struct evtlog_file *file = calloc(1, sizeof(*file));
	int result;

	*filep = NULL;
	if (!file) {
		free(text);
		return head_fail(error, -ENOMEM, 0, "out of memory");
	}
	file->text = text;
	file->scratch = &file->own_scratch;
	source_use_bytes(&file->source, "", 0);
	file->event_formats = event_formats_new(file);
	result = file->event_formats ? parse_text(file, error) :
		 head_fail(error, -ENOMEM, 0, "out of memory");
	if (!result && build_clocks(file))
		result = head_fail(error, -ENOMEM, 0, "out of memory");
	if (result)
		evtlog_close(file);
	else
		*filep = file;
	return result;
}

void evtlog_close(struct evtlog_file *file)
{
	if (!file)
		return;
	for (unsigned int i = 0; i < file->clock_count; i++)
		clock_free(&file->clocks[i]);
	free(file->clocks);
	damage_free(&file->damages);
	format_free(&file->format);
	event_formats_free(file->event_formats);
	scratch_free(&file->own_scratch);
	free(file->parts);
	free(file->slots);
	free(file->gaps);
	free(file->task_words);
	free(file->blocks);
	meta_free(&file->meta);
	free(file->text);
	source_close(&file->source);
	free(file);
}
