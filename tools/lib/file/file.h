/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An open file: its header, its blocks by CPU, its clocks, its damage.
 *
 * It does not contain payloads: a stream reads them, one at a time.
 */
#ifndef EVTLOG_LIB_FILE_FILE_H
#define EVTLOG_LIB_FILE_FILE_H

#include <stdlib.h>

#include <evtlog/event-format.h>
#include <evtlog/evtlog.h>
#include <evtlog/file.h>

#include "format.h"
#include "header.h"
#include "lib/codec/pack.h"
#include "tick-clock.h"

/* Further places are only counted, so that a hostile file cannot fill memory. */
#define DAMAGE_LISTED_MAX	65536

/*
 * Damaged places of the file: damage.c.
 * @unlisted: for each of @cpus CPUs, the number of its places that are not in the list
 */
struct damage_list {
	struct evtlog_damage *at;
	size_t listed;
	size_t capacity;
	uint64_t count;
	uint64_t *unlisted;
	size_t cpus;
};

/* If memory is short, the place is counted but not listed. */
void damage_add(struct damage_list *list, const struct evtlog_damage *damage);
/* Returns the number of a CPU's places: in the list from @first on, and not in the list. */
uint64_t damage_count_of_cpu(const struct damage_list *list, size_t first, uint32_t cpu);

/* Places that are not in the list belong to no CPU from now on. */
void damage_forget_unlisted(struct damage_list *list);

void damage_free(struct damage_list *list);

/* State of a block. */
#define BLOCK_PROVED	0x1	/* its payload has the right checksum */
#define BLOCK_BAD	0x2	/* it cannot be used; damage was added */
#define BLOCK_COUNTED	0x4	/* its header's losses are in the summary */
#define BLOCK_DECODED	0x8	/* read to its end; damage was added */
#define BLOCK_CUT	0x10	/* the end of its CPU's part is missing; this was counted */

/* A block with a buffer, from its own header, never from the index. */
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
 * A CPU's blocks are blocks[first .. first + count), sorted by sequence and offset.  @count is 0
 * if the CPU was in the run and all of its part is missing.
 */
struct cpu_part {
	uint32_t cpu;
	uint32_t slot;
	size_t first;
	size_t count;
};

/* Memory to read a payload; files that are read in turn share it. */
struct scratch {
	uint8_t *stored;	/* as it is in the file */
	size_t stored_capacity;
	struct unpack *unpack;	/* NULL until the first packed block */
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
	/* By CPU, for the @cpu_limit CPUs up to the last of @parts: its slot; NO_SLOT: no part. */
	uint32_t *slots;
	uint32_t cpu_limit;
	/* Bits of types, by their known numbers, from the header: recorded.c. */
	uint64_t recorded_on;
	uint64_t recorded_off;
	uint64_t recorded_filtered;	/* types that are off because a filter rejected some */
	bool recorded_listed;
	bool recorded_inferred;

	/* One clock for all CPUs, or one for each if the counter is not trusted. */
	struct clock *clocks;
	unsigned int clock_count;
	uint64_t begin_ns;
	uint64_t end_ns;
	/*
	 * TASK records that are in no buffer, of the time @task_ticks.  The stream of the first CPU
	 * with buffers returns them, if the file has any other record.
	 */
	uint64_t *task_words;
	size_t task_word_count;
	uint64_t task_ticks;
	bool has_records;
	/* First and last ticks of all blocks, for CPUs without blocks. */
	uint64_t begin_ticks;
	uint64_t end_ticks;

	/* EVTLOG_TRAILER_*; 0 without a trailer. */
	uint32_t trailer_flags;

	struct damage_list damages;
	struct evtlog_summary summary;
	unsigned int finals;

	/* The file's own, freed while there is no stream; or shared by several files. */
	struct scratch *scratch;
	struct scratch own_scratch;
	unsigned int stream_count;
};

/* Returns the slot of a CPU, as for evtlog_cpu_number(); NO_SLOT if the file has no such CPU. */
#define NO_SLOT	UINT32_MAX
static inline uint32_t file_slot(const struct evtlog_file *file, uint32_t cpu)
{
	return cpu < file->cpu_limit ? file->slots[cpu] : NO_SLOT;
}

/* Returns the slot of an event's stream; a global buffer has one stream for all CPUs. */
static inline uint32_t file_event_slot(const struct evtlog_file *file,
				       const struct evtlog_event *event)
{
	uint32_t slot = file_slot(file, event->cpu);

	return slot == NO_SLOT ? 0 : slot;
}

/*
 * A loaded buffer: memory that grows, and the header in it; NULL after a failed load.
 * @omitted:	bits of types, by the file's numbers, that are not needed
 * @left_out:	number of records; if not 0, all are of these types, and only the header was loaded
 */
struct loaded {
	uint8_t *memory;
	size_t capacity;
	const struct evtlog_buffer_header *header;
	uint64_t omitted;
	uint64_t left_out;
};

/*
 * Makes a file from the text of a header, without events.  Frees @text, even on failure.
 * Returns as evtlog_open().
 */
int file_of_text(char *text, struct evtlog_file **filep, struct evtlog_error *error);

/* Finds all blocks by their own headers: scan.c.  Returns 0 or -errno. */
int scan_blocks(struct evtlog_file *file);

/* Parses the header's line "events", if there is one: recorded.c. */
void recorded_parse(struct evtlog_file *file);

/* Without that line: finds out if switches were recorded.  0; -ENOMEM; -errno of read(). */
int recorded_find(struct evtlog_file *file);

/* Returns the pid in the header's line @key; 0 if there is none, or no pid. */
static inline uint32_t file_meta_pid(const struct evtlog_file *file, const char *key)
{
	const char *text = evtlog_meta(file, key);
	unsigned long pid;
	char *end;

	if (!text)
		return 0;
	pid = strtoul(text, &end, 10);
	return end == text || *end || pid >= EVTLOG_PID_UNKNOWN ? 0 : pid;
}

/* Adds CPUs whose buffers are all missing, after clocks are built: missing.c.  0 or -ENOMEM. */
int add_absent(struct evtlog_file *file);

/* Adds missing buffers that no damage or gap covers: missing.c.  Returns 0 or -ENOMEM. */
int note_holes(struct evtlog_file *file);

/* Inflates a zlib stream of exactly @to_bytes.  Returns 0; -EBADMSG if it is none; -ENOMEM. */
int block_inflate(const uint8_t *from, uint32_t from_bytes, uint8_t *to,
		  uint32_t to_bytes);

/* Returns true if magic, checksum and limits of @header are right. */
bool block_header_valid(const struct evtlog_block_header *header);

/*
 * Reads and checks a block's buffer, and inflates or unpacks it.  Returns 1; 0 if it cannot be
 * used (damage is added once; @copies: the file has this buffer a second time); -errno.
 */
int block_load(struct evtlog_file *file, struct block *block, bool copies,
	       struct loaded *loaded);

/*
 * The same for the buffer's header only, without inflating or unpacking: for blocks that are
 * stored as they are, or packed.
 */
int block_inspect(struct evtlog_file *file, struct block *block, bool copies,
		  struct evtlog_buffer_header *header);

void scratch_free(struct scratch *scratch);

/* Reads a block and checks its checksum.  Returns 0; -EBADMSG; -errno. */
int block_prove(struct evtlog_file *file, struct block *block);

/* Reads and checks the payload of a small block of another kind.  0; -EBADMSG; -errno. */
int block_read_payload(struct evtlog_file *file, uint64_t offset,
		       const struct evtlog_block_header *header, void *to);

/* ---- event-formats.c: formats of registered events; public part: <evtlog/event-format.h> ---- */

struct event_formats;
struct evtlog_file;

/* Reads no block yet.  Returns NULL if out of memory. */
struct event_formats *event_formats_new(struct evtlog_file *file);
void event_formats_free(struct event_formats *formats);

/*
 * Adds the format of @id from its text, which is not NUL-terminated.  Ignores malformed texts, and
 * all but the first format of an id.  Returns 0 or -ENOMEM.
 */
int event_formats_learn_text(struct event_formats *formats, uint32_t id, const void *text,
			     size_t bytes);

static inline const struct clock *file_clock(const struct evtlog_file *file,
					     unsigned int slot)
{
	return &file->clocks[file->clock_count > 1 ? slot : 0];
}

#endif /* EVTLOG_LIB_FILE_FILE_H */
