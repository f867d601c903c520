// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads a block's payload, checks it, and inflates or unpacks it.
 *
 * Stage: between the file's bytes and the decoder of records.  scan.c finds the blocks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file.h"
#include "lib/base/head.h"
#include "lib/codec/crc32.h"

#define HEADER_BYTES	sizeof(struct evtlog_block_header)

/* zlib's largest ratio; packing's is far smaller.  It limits the memory that a file can demand. */
#define RATIO_MAX	1040u

/* Payloads that are only checked are read in pieces of this size. */
#define PIECE_BYTES	(64u << 10)

#define UNREADABLE	"the disk can't read it"
#define SHORTER		"the file became shorter while it was read"
#define WRONG_SUM	"its checksum is wrong"

bool block_header_valid(const struct evtlog_block_header *header)
{
	if (head_check(&head_of_block, header, sizeof(*header)) ||
	    header->stored_bytes > EVTLOG_BLOCK_MAX_BYTES ||
	    header->raw_bytes > EVTLOG_BLOCK_MAX_BYTES)
		return false;
	if ((header->flags & EVTLOG_BLOCK_PACKED) &&
	    (header->kind != EVTLOG_BLOCK_BUFFER || (header->flags & EVTLOG_BLOCK_DEFLATE)))
		return false;
	if (header->flags & EVTLOG_BLOCK_COMPRESSED) {
		if (header->raw_bytes / RATIO_MAX >
		    header->stored_bytes)
			return false;
	} else if (header->raw_bytes != header->stored_bytes) {
		return false;
	}
	return head_sum_is_good(&head_of_block, header, NULL, 0);
}

/*
 * No data is lost in padding, but it must be zero.
 * @block: NULL if the block has no buffer
 */
static void note_padding(struct evtlog_file *file, uint64_t block_offset,
			 uint32_t stored_bytes, const struct block *block)
{
	uint64_t offset = block_offset + HEADER_BYTES + stored_bytes;
	size_t bytes = -stored_bytes & 7;
	uint64_t padding = 0;
	ssize_t got = 0;

	if (bytes)
		got = source_read(&file->source, &padding, bytes, offset);
	if (got > 0 && padding)
		damage_add(&file->damages, &(struct evtlog_damage) {
			.kind = EVTLOG_DAMAGE_GARBAGE,
			.offset = offset,
			.length = got,
			.has_cpu = block,
			.cpu = block ? block->cpu : 0,
			.sequence = block ? block->sequence : 0,
			.reason = "this padding is not zero",
		});
}

static int grow(uint8_t **memory, size_t *capacity, size_t bytes)
{
	uint8_t *grown;

	if (!bytes)
		bytes = 1;	/* so that the pointer is not NULL */
	if (bytes <= *capacity)
		return 0;
	/* The old contents are not needed. */
	free(*memory);
	*memory = NULL;
	*capacity = 0;
	grown = malloc(bytes);
	if (!grown)
		return -ENOMEM;
	*memory = grown;
	*capacity = bytes;
	return 0;
}

int block_inflate(const uint8_t *from, uint32_t from_bytes, uint8_t *to,
		  uint32_t to_bytes)
{
	z_stream z = {
		.next_in = (Bytef *)from,
		.avail_in = from_bytes,
		.next_out = to,
		.avail_out = to_bytes,
	};
	int result;

	if (inflateInit(&z) != Z_OK)
		return -ENOMEM;
	result = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	if (result == Z_MEM_ERROR)
		return -ENOMEM;
	return result == Z_STREAM_END && !z.avail_out && !z.avail_in ?
	       0 : -EBADMSG;
}

static int unpack_all(struct scratch *scratch, uint32_t from_bytes,
		      uint8_t *to, uint32_t to_bytes)
{
	if (!scratch->unpack) {
		scratch->unpack = unpack_new();
		if (!scratch->unpack)
			return -ENOMEM;
	}
	return unpack_buffer(scratch->unpack, scratch->stored + HEADER_BYTES,
			     from_bytes, to, to_bytes);
}

void scratch_free(struct scratch *scratch)
{
	free(scratch->stored);
	unpack_free(scratch->unpack);
	memset(scratch, 0, sizeof(*scratch));
}

static int bad(struct evtlog_file *file, struct block *block, bool copies,
	       enum evtlog_damage_kind kind, const char *reason)
{
	if (!(block->state & BLOCK_BAD))
		damage_add(&file->damages, &(struct evtlog_damage) {
			.kind = kind,
			.offset = block->offset,
			.length = HEADER_BYTES + block->stored_bytes,
			.has_cpu = true,
			.cpu = block->cpu,
			.sequence = block->sequence,
			.buffers = copies ? 0 : 1,
			.reason = reason,
		});
	block->state |= BLOCK_BAD;
	return 0;
}

/* Returns the fault of a buffer in an intact block; NULL if it is good. */
static const char *buffer_fault(const struct evtlog_file *file,
				const struct block *block,
				const struct evtlog_buffer_header *header)
{
	if (block->raw_bytes < sizeof(*header))
		return "it is shorter than a buffer's header";
	if (header->magic != EVTLOG_BUFFER_MAGIC)
		return "it holds no buffer";
	if (!header->abi_version || header->abi_version > EVTLOG_ABI_VERSION)
		return "its buffer is of an unknown version";
	if (header->header_bytes < sizeof(*header) ||
	    header->header_bytes > header->used_bytes ||
	    header->used_bytes > block->raw_bytes ||
	    header->header_bytes % 8 || header->used_bytes % 8)
		return "its buffer's lengths contradict each other";
	if (header->run != file->header.run ||
	    memcmp(header->boot_id, file->header.boot_id,
		   sizeof(header->boot_id)))
		return "its buffer is of another run";
	if (header->cpu != block->cpu || header->sequence != block->sequence ||
	    header->begin_ticks != block->begin_ticks ||
	    header->end_ticks != block->end_ticks)
		return "its buffer contradicts the header of the block";
	if (header->begin_ticks > header->end_ticks)
		return "its buffer ends before it begins";
	return NULL;
}

static void count_once(struct evtlog_file *file, struct block *block,
		       const struct evtlog_buffer_header *header)
{
	struct evtlog_summary *summary = &file->summary;

	if (block->state & BLOCK_COUNTED)
		return;
	block->state |= BLOCK_COUNTED;
	for (int i = 0; i < EVTLOG_LOST_CAUSES; i++)
		summary->lost[i] += header->lost[i];
	if (header->flags & EVTLOG_BUFFER_TSC_BAD)
		summary->tsc_bad = true;
	if (header->flags & EVTLOG_BUFFER_FINAL) {
		summary->cpus_in_run = header->cpus_in_run;
		file->finals++;
		summary->complete = header->cpus_in_run &&
				    file->finals == header->cpus_in_run;
	}
}

/* Takes a buffer with the right checksum: adds damage if it has a fault, else counts it. */
static int take_buffer(struct evtlog_file *file, struct block *block, bool copies,
		       const struct evtlog_buffer_header *header)
{
	const char *fault = buffer_fault(file, block, header);

	if (fault)
		return bad(file, block, copies, EVTLOG_DAMAGE_BUFFER, fault);
	if (!(block->state & BLOCK_COUNTED))
		note_padding(file, block->offset, block->stored_bytes, block);
	count_once(file, block, header);
	return 1;
}

/* Returns the number of records in a packed payload if none is needed; else 0. */
static uint64_t unneeded_records(const struct loaded *loaded, const uint8_t *packed, size_t bytes)
{
	uint64_t records;

	if (!loaded->omitted || unpack_types(packed, bytes, &records) & ~loaded->omitted)
		return 0;
	return records;
}

/* Reads the block's header, followed by the payload as stored, into @to. */
static ssize_t read_stored(struct evtlog_file *file, const struct block *block,
			   uint8_t *to)
{
	return source_read(&file->source, to, HEADER_BYTES + block->stored_bytes,
			   block->offset);
}

int block_load(struct evtlog_file *file, struct block *block, bool copies,
	       struct loaded *loaded)
{
	bool packed = block->block_flags & EVTLOG_BLOCK_PACKED;
	bool compressed = block->block_flags & EVTLOG_BLOCK_COMPRESSED;
	size_t stored_bytes = HEADER_BYTES + block->stored_bytes;
	struct scratch *scratch = file->scratch;
	const struct evtlog_buffer_header *buffer;
	struct evtlog_block_header header;
	uint8_t *stored;
	ssize_t got;
	int error, result;

	loaded->header = NULL;
	loaded->left_out = 0;
	if (block->state & BLOCK_BAD)
		return 0;
	error = grow(&loaded->memory, &loaded->capacity,
		     HEADER_BYTES + block->raw_bytes);
	if (!error && compressed)
		error = grow(&scratch->stored, &scratch->stored_capacity,
			     stored_bytes + UNPACK_SLACK);
	if (error)
		return error;
	stored = compressed ? scratch->stored : loaded->memory;

	got = read_stored(file, block, stored);
	if (got == -EIO)
		return bad(file, block, copies, EVTLOG_DAMAGE_PAYLOAD,
			   UNREADABLE);
	if (got < 0)
		return got;
	if ((size_t)got < stored_bytes)
		return bad(file, block, copies, EVTLOG_DAMAGE_TORN,
			   SHORTER);
	memcpy(&header, stored, sizeof(header));
	if (!(block->state & BLOCK_PROVED) &&
	    crc_of(0, stored + HEADER_BYTES, block->stored_bytes) !=
	    header.payload_crc32)
		return bad(file, block, copies, EVTLOG_DAMAGE_PAYLOAD,
			   WRONG_SUM);
	if (packed && block->raw_bytes >= sizeof(*buffer))
		loaded->left_out = unneeded_records(loaded, stored + HEADER_BYTES, block->stored_bytes);
	if (loaded->left_out) {
		memcpy(loaded->memory, stored + HEADER_BYTES, sizeof(*buffer));
	} else if (compressed) {
		error = packed ? unpack_all(scratch, block->stored_bytes,
					    loaded->memory, block->raw_bytes) :
				 block_inflate(stored + HEADER_BYTES, block->stored_bytes,
					       loaded->memory, block->raw_bytes);
		if (error == -EBADMSG)
			return bad(file, block, copies, EVTLOG_DAMAGE_PAYLOAD,
				   packed ? "its unpacked data contradicts its header" :
					    "its inflated data contradicts its header");
		if (error)
			return error;
	}
	block->state |= BLOCK_PROVED;

	buffer = (const void *)(loaded->memory + (compressed ? 0 : HEADER_BYTES));
	result = take_buffer(file, block, copies, buffer);
	if (result > 0)
		loaded->header = buffer;
	return result;
}

/* Checks a payload that may not fit into memory.  Returns 0; -EBADMSG; -ENODATA; -errno. */
static int prove_pieces(struct evtlog_file *file, const struct block *block)
{
	struct scratch *scratch = file->scratch;
	uint64_t offset = block->offset + HEADER_BYTES;
	struct evtlog_block_header header;
	uint32_t crc = 0, left = block->stored_bytes;
	int error = grow(&scratch->stored, &scratch->stored_capacity, PIECE_BYTES);
	ssize_t got;

	if (error)
		return error;
	got = source_read(&file->source, &header, sizeof(header), block->offset);
	if (got < 0)
		return got;
	if ((size_t)got < sizeof(header))
		return -ENODATA;
	while (left) {
		size_t bytes = left < PIECE_BYTES ? left : PIECE_BYTES;

		got = source_read(&file->source, scratch->stored, bytes, offset);
		if (got < 0)
			return got;
		if ((size_t)got < bytes)
			return -ENODATA;
		crc = crc_of(crc, scratch->stored, bytes);
		offset += bytes;
		left -= bytes;
	}
	return crc == header.payload_crc32 ? 0 : -EBADMSG;
}

int block_inspect(struct evtlog_file *file, struct block *block, bool copies,
		  struct evtlog_buffer_header *header)
{
	ssize_t got = 0;
	int error = 0;

	if (block->state & BLOCK_BAD)
		return 0;
	if (!(block->state & BLOCK_PROVED))
		error = prove_pieces(file, block);
	if (!error && block->stored_bytes >= sizeof(*header))
		got = source_read(&file->source, header, sizeof(*header),
				  block->offset + HEADER_BYTES);
	if (got < 0)
		error = got;
	switch (error) {
	case 0:
		break;
	case -EIO:
		return bad(file, block, copies, EVTLOG_DAMAGE_PAYLOAD, UNREADABLE);
	case -ENODATA:
		return bad(file, block, copies, EVTLOG_DAMAGE_TORN, SHORTER);
	case -EBADMSG:
		return bad(file, block, copies, EVTLOG_DAMAGE_PAYLOAD, WRONG_SUM);
	default:
		return error;
	}
	block->state |= BLOCK_PROVED;
	if (got < (ssize_t)sizeof(*header))
		return bad(file, block, copies, EVTLOG_DAMAGE_BUFFER,
			   "it is shorter than a buffer's header");
	return take_buffer(file, block, copies, header);
}

int block_prove(struct evtlog_file *file, struct block *block)
{
	int error = prove_pieces(file, block);

	if (!error)
		block->state |= BLOCK_PROVED;
	return error == -EIO || error == -ENODATA ? -EBADMSG : error;
}

int block_read_payload(struct evtlog_file *file, uint64_t offset,
		       const struct evtlog_block_header *header, void *to)
{
	bool deflated = header->flags & EVTLOG_BLOCK_DEFLATE;
	uint8_t *stored = to;
	ssize_t got;
	int error;

	if (deflated) {
		struct scratch *scratch = file->scratch;

		error = grow(&scratch->stored, &scratch->stored_capacity,
			     header->stored_bytes);
		if (error)
			return error;
		stored = scratch->stored;
	}
	got = source_read(&file->source, stored, header->stored_bytes,
			  offset + HEADER_BYTES);
	if (got < 0)
		return got;
	if ((size_t)got < header->stored_bytes ||
	    crc_of(0, stored, header->stored_bytes) != header->payload_crc32)
		return -EBADMSG;
	note_padding(file, offset, header->stored_bytes, NULL);
	if (deflated)
		return block_inflate(stored, header->stored_bytes, to,
				     header->raw_bytes);
	return 0;
}
