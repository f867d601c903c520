/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An open file: its header, its blocks by CPU, its clocks, its damage.
 *
 * It does not hold payloads: a stream reads those, one at a time.
 */
#ifndef EVTLOG_LIB_FILE_FILE_H
#define EVTLOG_LIB_FILE_FILE_H

#include <evtlog/event-format.h>
#include <evtlog/evtlog.h>
#include <evtlog/file.h>

#include "format.h"
#include "header.h"
#include "lib/codec/pack.h"
#include "tick-clock.h"

/* More are counted only: a hostile file must not fill memory. */
#define DAMAGE_LISTED_MAX	65536

/*
 * Places where the file is not what it should be: damage.c.
 * @unlisted: of each CPU, how many have no place in the list; for @cpus of them
 */
struct damage_list {
	struct evtlog_damage *at;
	size_t listed;
	size_t capacity;
	uint64_t count;
	uint64_t *unlisted;
	size_t cpus;
};

/* Memory that is short costs the place in the list, not the count. */
void damage_add(struct damage_list *list, const struct evtlog_damage *damage);
/* How many are a CPU's, of those from the @first on, and of those without a place in the list. */
uint64_t damage_count_of_cpu(const struct damage_list *list, size_t first, uint32_t cpu);

/* Those without a place in the list are no CPU's from now on. */
void damage_forget_unlisted(struct damage_list *list);

void damage_free(struct damage_list *list);

/* What became of a block. */
#define BLOCK_PROVED	0x1	/* its payload passed its checksum */
#define BLOCK_BAD	0x2	/* it can't be used; damage was noted */
#define BLOCK_COUNTED	0x4	/* its header's losses are in the summary */
#define BLOCK_DECODED	0x8	/* read to its end; damage was noted */
#define BLOCK_CUT	0x10	/* its CPU's end is missing; counted */

/* A block with a buffer, as its own header (never the index) has it. */
struct block {
	uint64_t offset;
	uint64_t sequence;
	uint64_t begin_ticks;
	uint64_t end_ticks;
	uint32_t cpu;
	uint32_t raw_bytes;
	uint32_t stored_bytes;
	uint16_t block_flags;
	uint16_t state;
};

/*
 * A CPU's blocks are blocks[first .. first + count), by sequence and offset.  Without any,
 * @count is 0: the header tells of the CPU, and all of its part is missing.
 */
struct cpu_part {
	uint32_t cpu;
	uint32_t slot;
	size_t first;
	size_t count;
};

/* Memory that a payload needs on its way; files that are read in turn share one. */
struct scratch {
	uint8_t *stored;	/* as it is in the file */
	size_t stored_capacity;
	struct unpack *unpack;	/* NULL until a packed block comes */
};

struct evtlog_file {
	struct source source;
	struct evtlog_file_header header;
	char *text;
	struct meta meta;
	struct format format;
	struct event_formats *event_formats;

	struct block *blocks;
	size_t block_count;
	size_t block_capacity;
	struct evtlog_gap *gaps;
	size_t gap_count;
	size_t gap_capacity;
	struct cpu_part *parts;
	unsigned int part_count;
	/* Types, by their known numbers, as the header has them: recorded.c. */
	uint64_t recorded_on;
	uint64_t recorded_off;
	uint64_t recorded_filtered;	/* of these: a filter rejected some */
	bool recorded_told;
	bool recorded_inferred;

	/* One for all CPUs, or one for each if the counter is not trusted. */
	struct clock *clocks;
	unsigned int clock_count;
	uint64_t begin_ns;
	uint64_t end_ns;
	/*
	 * TASK records that no buffer has, of the time @task_ticks; the first CPU with buffers gives them, if
	 * there is any other record.
	 */
	uint64_t *task_words;
	size_t task_word_count;
	uint64_t task_ticks;
	bool has_records;
	/* First and last of all blocks, for CPUs that have none. */
	uint64_t begin_ticks;
	uint64_t end_ticks;

	/* EVTLOG_TRAILER_*; 0 without a trailer. */
	uint32_t trailer_flags;

	struct damage_list damages;
	struct evtlog_summary summary;
	unsigned int finals;

	/* Its own, given back while nobody reads, or that of several files. */
	struct scratch *scratch;
	struct scratch own_scratch;
	unsigned int stream_count;
};

/* A loaded buffer: memory that grows, and the buffer's place in it; NULL after a failed load. */
struct loaded {
	uint8_t *memory;
	size_t capacity;
	const struct evtlog_buffer_header *header;
};

/*
 * A file that has a header's text, which it frees whatever comes, and no events.
 * Returns as evtlog_open().
 */
int file_of_text(char *text, struct evtlog_file **filep, struct evtlog_error *error);

/* Finds all blocks, by their own headers: scan.c. */
int scan_blocks(struct evtlog_file *file);

/* Takes the header's line "events", if there is one: recorded.c. */
void recorded_parse(struct evtlog_file *file);

/* Without that line: whether switches were recorded.  0; -ENOMEM; -errno of read(). */
int recorded_find(struct evtlog_file *file);

/* The pid that the header has under @key; 0: none, or it is not a pid: recorded.c. */
uint32_t file_meta_pid(const struct evtlog_file *file, const char *key);

/* Makes parts of CPUs that must be missing, once clocks were read: missing.c.  0 or -ENOMEM. */
int add_absent(struct evtlog_file *file);

/* Notes buffers that are missing and that no damage or gap tells of: missing.c. */
int note_holes(struct evtlog_file *file);

/* A zlib stream that is just @to_bytes: 0; -EBADMSG it is not; -ENOMEM. */
int block_inflate(const uint8_t *from, uint32_t from_bytes, uint8_t *to,
		  uint32_t to_bytes);

/* Whether @header is a block's own, going by magic, checksum and limits. */
bool block_header_valid(const struct evtlog_block_header *header);

/*
 * Reads, proves, and inflates or unpacks a block's buffer.  Returns 1; 0 if it can't be
 * used (damage is noted once, with @copies saying whether the same buffer is
 * in the file once more); -errno.
 */
int block_load(struct evtlog_file *file, struct block *block, bool copies,
	       struct loaded *loaded);

/*
 * The same for a block's buffer header alone, without inflating or unpacking: for
 * blocks that are stored as they are or packed.
 */
int block_inspect(struct evtlog_file *file, struct block *block, bool copies,
		  struct evtlog_buffer_header *header);

void scratch_free(struct scratch *scratch);

/* Reads a block and proves its checksum: 0, -EBADMSG, -errno. */
int block_prove(struct evtlog_file *file, struct block *block);

/* Reads and proves the payload of a small block of another kind into @to. */
int block_read_payload(struct evtlog_file *file, uint64_t offset,
		       const struct evtlog_block_header *header, void *to);

/* ---- event-formats.c: formats of registered events; <evtlog/event-format.h> is what readers ask ---- */

struct event_formats;
struct evtlog_file;

/* Nothing is read yet.  NULL when out of memory. */
struct event_formats *event_formats_new(struct evtlog_file *file);
void event_formats_free(struct event_formats *formats);

/*
 * Learns from a format's text, not NUL-terminated; of what is not well-formed, nothing.  The first
 * format of an id holds.  Returns 0 or -ENOMEM.
 */
int event_formats_learn_text(struct event_formats *formats, uint32_t id, const void *text,
			     size_t bytes);

static inline const struct clock *file_clock(const struct evtlog_file *file,
					     unsigned int slot)
{
	return &file->clocks[file->clock_count > 1 ? slot : 0];
}

#endif /* EVTLOG_LIB_FILE_FILE_H */
