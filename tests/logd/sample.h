/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Made-up kernel buffers for tests, and a simple reader of run files that shares no code with logd.
 */
#ifndef TESTS_LOGD_SAMPLE_H
#define TESTS_LOGD_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/file.h>

#define SAMPLE_BYTES_MAX	(128u << 10)
#define SAMPLE_BLOCKS_MAX	4096

extern const uint8_t sample_boot_id[16];

/* Sets the seed from $SEED, and prints it. */
void sample_seed(void);
uint32_t sample_random(uint32_t below);

/*
 * Makes a buffer whose words are computed from run, CPU and sequence, so that it can be made again
 * and compared. The result is static, page-aligned, and valid until the next call.
 */
const struct evtlog_buffer_header *sample_buffer(uint64_t run, uint32_t cpu,
						 uint64_t sequence, uint32_t bytes,
						 uint32_t flags, uint32_t cpus_in_run);

/* A block in a file; @offset is the position of its header. */
struct sample_block {
	uint64_t offset;
	uint32_t kind;
	uint32_t cpu;
	uint64_t sequence;
	uint32_t raw_bytes;
	bool matches;		/* the payload equals sample_buffer() */
	struct evtlog_gap gap;
};

/*
 * @sound:	blocks are contiguous without a bad byte, up to the end or the trailer
 * @closed:	the file ends with a good index and trailer, and the index lists exactly the buffers
 *		in the file
 */
struct sample_file {
	bool has_header;
	bool sound;
	bool closed;
	uint64_t bytes;
	uint64_t first_block;
	uint64_t end_of_blocks;
	size_t count;		/* number of blocks; @buffers of them have a buffer */
	size_t buffers;
	struct sample_block blocks[SAMPLE_BLOCKS_MAX];
};

/* Reads the whole file into memory and checks every byte. */
void sample_read(const char *path, struct sample_file *file);

/* Returns how often the file contains a buffer with the right payload. */
unsigned int sample_count(const struct sample_file *file, uint32_t cpu, uint64_t sequence);

/* Makes a directory for this test below $TMPDIR; sample_rmdir() removes it. */
const char *sample_mkdir(void);
void sample_rmdir(const char *path);

#endif /* TESTS_LOGD_SAMPLE_H */
