// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Corrects the checksums of a log, a merged file, an index or a file of samples.
 */
#include <string.h>
#include <zlib.h>

#include <evtlog/file.h>
#include <evtlog/jitter.h>

#include "lib/index/file.h"
#include "mutate.h"

static void seal_block(uint8_t *at, size_t left)
{
	struct evtlog_block_header header;

	memcpy(&header, at, sizeof(header));
	if (header.stored_bytes <= left - sizeof(header))
		header.payload_crc32 = crc32(0, at + sizeof(header), header.stored_bytes);
	header.header_crc32 = 0;
	header.header_crc32 = crc32(0, (const Bytef *)&header, sizeof(header));
	memcpy(at, &header, sizeof(header));
}

static void seal_log(uint8_t *bytes, size_t size)
{
	const uint64_t block = EVTLOG_BLOCK_MAGIC;
	struct evtlog_file_header header;
	struct evtlog_file_trailer trailer;

	for (size_t at = 0; at + sizeof(struct evtlog_block_header) <= size; at++)
		if (!memcmp(bytes + at, &block, sizeof(block)))
			seal_block(bytes + at, size - at);
	if (size >= sizeof(trailer)) {
		uint8_t *at = bytes + size - sizeof(trailer);

		memcpy(&trailer, at, sizeof(trailer));
		trailer.crc32 = 0;
		trailer.crc32 = crc32(0, (const Bytef *)&trailer, sizeof(trailer));
		if (trailer.magic == EVTLOG_TRAILER_MAGIC)
			memcpy(at, &trailer, sizeof(trailer));
	}
	if (size < sizeof(header))
		return;
	memcpy(&header, bytes, sizeof(header));
	if (header.header_bytes > size || header.header_bytes < sizeof(header))
		return;
	header.crc32 = 0;
	memcpy(bytes, &header, sizeof(header));
	header.crc32 = crc32(0, bytes, header.header_bytes);
	memcpy(bytes, &header, sizeof(header));
}

static void seal_chunks(uint8_t *bytes, size_t size, const struct index_header *header)
{
	uint64_t at = header->directory_offset + header->cpus * sizeof(struct index_cpu);
	struct index_chunk chunk;

	for (uint32_t i = 0; i < header->chunks && at + sizeof(chunk) <= size; i++) {
		size_t length;

		memcpy(&chunk, bytes + at, sizeof(chunk));
		if (chunk.leaves && chunk.leaves <= INDEX_CHUNK_LEAVES) {
			length = index_chunk_bytes(chunk.leaves) +
				 (((size_t)chunk.roster_bytes + 7) & ~(size_t)7);
			if (chunk.offset <= size && length <= size - chunk.offset)
				chunk.crc32 = crc32(0, bytes + chunk.offset, length);
		}
		memcpy(bytes + at, &chunk, sizeof(chunk));
		at += sizeof(chunk);
	}
}

static void seal_checkpoints(uint8_t *bytes, size_t size, struct index_header *header)
{
	uint64_t at = header->checkpoints_offset;
	struct index_checkpoint checkpoint;

	if (at > size || header->checkpoints > (size - at) / sizeof(checkpoint))
		return;
	for (uint32_t i = 0; i < header->checkpoints; i++) {
		uint8_t *entry = bytes + at + i * sizeof(checkpoint);

		memcpy(&checkpoint, entry, sizeof(checkpoint));
		if (checkpoint.offset <= size && checkpoint.length <= size - checkpoint.offset)
			checkpoint.crc32 = crc32(0, bytes + checkpoint.offset, checkpoint.length);
		memcpy(entry, &checkpoint, sizeof(checkpoint));
	}
	header->checkpoints_crc32 = crc32(0, bytes + at, header->checkpoints * sizeof(checkpoint));
}

static void seal_index(uint8_t *bytes, size_t size)
{
	struct index_header header;

	if (size < sizeof(header))
		return;
	memcpy(&header, bytes, sizeof(header));
	if (header.directory_offset <= size &&
	    header.directory_bytes <= size - header.directory_offset) {
		seal_chunks(bytes, size, &header);
		header.directory_crc32 = crc32(0, bytes + header.directory_offset,
					       header.directory_bytes);
	}
	seal_checkpoints(bytes, size, &header);
	header.crc32 = 0;
	header.crc32 = crc32(0, (const Bytef *)&header, sizeof(header));
	memcpy(bytes, &header, sizeof(header));
}

static void seal_samples(uint8_t *bytes, size_t size)
{
	uint32_t crc;

	if (size < sizeof(struct evtlog_samples_header) + sizeof(crc))
		return;
	crc = crc32(0, bytes, size - sizeof(crc));
	memcpy(bytes + size - sizeof(crc), &crc, sizeof(crc));
}

void mutate_seal(uint8_t *bytes, size_t size)
{
	uint64_t magic = 0;

	memcpy(&magic, bytes, size < sizeof(magic) ? size : sizeof(magic));
	if (magic == EVTLOG_SAMPLES_MAGIC)
		seal_samples(bytes, size);
	else if (magic == INDEX_MAGIC)
		seal_index(bytes, size);
	else
		seal_log(bytes, size);
}
