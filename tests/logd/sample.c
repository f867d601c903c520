// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes buffers and reads files in a simple way. Shares only file.h with logd.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../support/seed.h"
#include "sample.h"

const uint8_t sample_boot_id[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

static uint64_t random_state;

void sample_seed(void)
{
	random_state = seed_state();
}

uint32_t sample_random(uint32_t below)
{
	return (xorshift(&random_state) >> 33) % below;
}

const struct evtlog_buffer_header *sample_buffer(uint64_t run, uint32_t cpu,
						 uint64_t sequence, uint32_t bytes,
						 uint32_t flags, uint32_t cpus_in_run)
{
	static uint64_t memory[SAMPLE_BYTES_MAX / 8] __attribute__((__aligned__(4096)));
	struct evtlog_buffer_header *buffer = (void *)memory;
	uint64_t word = run * 1000003 + cpu * 10007 + sequence;

	bytes = bytes / 8 * 8;
	memset(buffer, 0, sizeof(*buffer));
	buffer->magic = EVTLOG_BUFFER_MAGIC;
	buffer->abi_version = EVTLOG_ABI_VERSION;
	buffer->header_bytes = sizeof(*buffer);
	buffer->flags = flags;
	buffer->cpu = cpu;
	buffer->used_bytes = bytes;
	buffer->run = run;
	buffer->sequence = sequence;
	buffer->ticks_hz = 1000000000;
	buffer->begin_ticks = sequence * 1000;
	buffer->end_ticks = sequence * 1000 + 999;
	buffer->lost[0] = sequence % 5 == 4 ? sequence : 0;
	buffer->begin.real_ns = sequence * 1000;
	buffer->end.real_ns = sequence * 1000 + 999;
	/* Never late, since it ends in the future. */
	buffer->end.raw_ns = INT64_MAX;
	buffer->cpus_in_run = cpus_in_run;
	memcpy(buffer->boot_id, sample_boot_id, sizeof(buffer->boot_id));
	for (size_t i = sizeof(*buffer) / 8; i < bytes / 8; i++) {
		/* Half of the words repeat, so that deflating is useful. */
		word = word * 6364136223846793005ULL + 1;
		memory[i] = i % 2 ? word : run;
	}
	return buffer;
}

static bool payload_matches(const struct evtlog_block_header *block, const unsigned char *payload)
{
	static unsigned char raw[SAMPLE_BYTES_MAX];
	const struct evtlog_buffer_header *made, *got = (const void *)raw;
	uLongf raw_bytes = block->raw_bytes;

	if (block->raw_bytes > sizeof(raw))
		return false;
	if (!(block->flags & EVTLOG_BLOCK_DEFLATE)) {
		if (block->stored_bytes != block->raw_bytes)
			return false;
		memcpy(raw, payload, block->raw_bytes);
	} else if (uncompress(raw, &raw_bytes, payload, block->stored_bytes) != Z_OK ||
		   raw_bytes != block->raw_bytes) {
		return false;
	}
	made = sample_buffer(block->run, block->cpu, block->sequence, block->raw_bytes,
			     got->flags, got->cpus_in_run);
	return !memcmp(made, raw, block->raw_bytes);
}

static uint32_t crc_without(const void *bytes, size_t length, size_t field)
{
	static const unsigned char zero[4];
	const unsigned char *from = bytes;
	uint32_t crc = crc32(0, from, field);

	crc = crc32(crc, zero, sizeof(zero));
	return crc32(crc, from + field + 4, length - field - 4);
}

static bool header_is_sound(const unsigned char *bytes, size_t length)
{
	const struct evtlog_file_header *header = (const void *)bytes;

	return length >= sizeof(*header) && header->magic == EVTLOG_FILE_MAGIC &&
	       header->version == EVTLOG_FILE_VERSION && header->header_bytes <= length &&
	       header->header_bytes % 8 == 0 &&
	       crc_without(bytes, header->header_bytes,
			   offsetof(struct evtlog_file_header, crc32)) == header->crc32;
}

static bool block_is_sound(const unsigned char *bytes, size_t length, size_t *whole)
{
	const struct evtlog_block_header *block = (const void *)bytes;

	if (length < sizeof(*block) || block->magic != EVTLOG_BLOCK_MAGIC ||
	    crc_without(bytes, sizeof(*block),
			offsetof(struct evtlog_block_header, header_crc32)) != block->header_crc32)
		return false;
	*whole = sizeof(*block) + (block->stored_bytes + 7) / 8 * 8;
	if (*whole > length)
		return false;
	for (size_t i = sizeof(*block) + block->stored_bytes; i < *whole; i++)
		if (bytes[i])
			return false;
	return crc32(0, bytes + sizeof(*block), block->stored_bytes) == block->payload_crc32;
}

static bool index_is_right(const struct sample_file *file, const unsigned char *bytes,
			   const struct evtlog_block_header *block)
{
	const struct evtlog_index_entry *entry = (const void *)(bytes + sizeof(*block));

	if (block->stored_bytes != file->buffers * sizeof(*entry))
		return false;
	for (size_t i = 0; i < file->count; i++) {
		if (file->blocks[i].kind != EVTLOG_BLOCK_BUFFER)
			continue;
		if (entry->offset != file->blocks[i].offset ||
		    entry->cpu != file->blocks[i].cpu ||
		    entry->sequence != file->blocks[i].sequence ||
		    entry->raw_bytes != file->blocks[i].raw_bytes)
			return false;
		entry++;
	}
	return true;
}

static bool trailer_is_sound(const struct sample_file *file, const unsigned char *bytes,
			     size_t length)
{
	const struct evtlog_file_trailer *trailer = (const void *)bytes;

	return length == sizeof(*trailer) && trailer->magic == EVTLOG_TRAILER_MAGIC &&
	       trailer->index_offset == file->end_of_blocks && trailer->blocks == file->buffers &&
	       crc_without(bytes, length, offsetof(struct evtlog_file_trailer, crc32)) ==
			trailer->crc32;
}

static void read_blocks(struct sample_file *file, const unsigned char *bytes, size_t length)
{
	size_t at = file->first_block, whole;
	bool index_seen = false;

	file->sound = true;
	file->end_of_blocks = at;
	while (at < length) {
		const struct evtlog_block_header *block = (const void *)(bytes + at);
		struct sample_block *noted = &file->blocks[file->count];

		if (index_seen && trailer_is_sound(file, bytes + at, length - at)) {
			file->closed = true;
			return;
		}
		if (index_seen || !block_is_sound(bytes + at, length - at, &whole)) {
			/* Search the next sound block in steps of 8 bytes. */
			file->sound = false;
			index_seen = false;
			at += 8;
			continue;
		}
		if (block->kind == EVTLOG_BLOCK_INDEX) {
			index_seen = index_is_right(file, bytes + at, block);
			at += whole;
			continue;
		}
		if (file->count == SAMPLE_BLOCKS_MAX)
			abort();
		file->count++;
		file->buffers += block->kind == EVTLOG_BLOCK_BUFFER;
		memset(noted, 0, sizeof(*noted));
		noted->offset = at;
		noted->kind = block->kind;
		noted->cpu = block->cpu;
		noted->sequence = block->sequence;
		noted->raw_bytes = block->raw_bytes;
		if (block->kind == EVTLOG_BLOCK_GAP)
			memcpy(&noted->gap, bytes + at + sizeof(*block), sizeof(noted->gap));
		else
			noted->matches = payload_matches(block, bytes + at + sizeof(*block));
		at += whole;
		file->end_of_blocks = at;
	}
	if (index_seen)
		file->sound = false;
}

void sample_read(const char *path, struct sample_file *file)
{
	unsigned char *bytes;
	struct stat st;
	int fd = open(path, O_RDONLY);

	memset(file, 0, offsetof(struct sample_file, blocks));
	if (fd < 0)
		return;
	if (fstat(fd, &st) < 0)
		abort();
	bytes = malloc(st.st_size + 1);
	if (!bytes || read(fd, bytes, st.st_size) != st.st_size)
		abort();
	close(fd);
	file->bytes = st.st_size;
	file->has_header = header_is_sound(bytes, st.st_size);
	if (file->has_header) {
		file->first_block = ((const struct evtlog_file_header *)bytes)->header_bytes;
		read_blocks(file, bytes, st.st_size);
	}
	free(bytes);
}

unsigned int sample_count(const struct sample_file *file, uint32_t cpu, uint64_t sequence)
{
	unsigned int found = 0;

	for (size_t i = 0; i < file->count; i++)
		found += file->blocks[i].kind == EVTLOG_BLOCK_BUFFER && file->blocks[i].matches &&
			 file->blocks[i].cpu == cpu && file->blocks[i].sequence == sequence;
	return found;
}

const char *sample_mkdir(void)
{
	const char *base = getenv("TMPDIR");
	char *path;

	if (asprintf(&path, "%s/evtlog-test-XXXXXX", base ? base : "/tmp") < 0 || !mkdtemp(path))
		abort();
	return path;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *place)
{
	return remove(path);
}

void sample_rmdir(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free((char *)path);
}
