/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel buffers made up for tests, and a deliberately simple reader of run
 * files that shares no code with logd.
 */
#ifndef TESTS_LOGD_SAMPLE_H
#define TESTS_LOGD_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/file.h>

#define SAMPLE_BYTES_MAX	(128u << 10)
#define SAMPLE_BLOCKS_MAX	4096

extern const uint8_t sample_boot_id[16];

/* Prints and sets the seed: $SEED, or the time. */
void sample_seed(void);
uint32_t sample_random(uint32_t below);

/*
 * A buffer whose words follow from run, CPU and sequence, so that it can be
 * made again and compared.  The result is static, at a page, and good until the next call.
 */
const struct evtlog_buffer_header *sample_buffer(uint64_t run, uint32_t cpu,
						 uint64_t sequence, uint32_t bytes,
						 uint32_t flags, uint32_t cpus_in_run);

/* What a file holds; @offset of the block's header. */
struct sample_block {
	uint64_t offset;
	uint32_t kind;
	uint32_t cpu;
	uint64_t sequence;
	uint32_t raw_bytes;
	bool matches;		/* payload is what sample_buffer() makes */
	struct evtlog_gap gap;
};

/*
 * @sound:	blocks follow each other without a bad byte, up to the end or the
 *		trailer
 * @closed:	a good index and trailer end it, and the index lists exactly the
 *		buffers that are there
 */
struct sample_file {
	bool has_header;
	bool sound;
	bool closed;
	uint64_t bytes;
	uint64_t first_block;
	uint64_t end_of_blocks;
	size_t count;		/* blocks; @buffers of them hold a buffer */
	size_t buffers;
	struct sample_block blocks[SAMPLE_BLOCKS_MAX];
};

/* Reads the whole file into memory and looks at every byte of it. */
void sample_read(const char *path, struct sample_file *file);

/* How often a buffer is in the file, with the right payload. */
unsigned int sample_count(const struct sample_file *file, uint32_t cpu, uint64_t sequence);

/* A directory of this test's own below $TMPDIR, removed by sample_rmdir(). */
const char *sample_mkdir(void);
void sample_rmdir(const char *path);

#endif /* TESTS_LOGD_SAMPLE_H */
