/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a region trace of a process (lib/region/trace-format.h).
 *
 * The file may be damaged, truncated or malicious.  Invalid chunks are counted.  The first invalid
 * record ends its chunk.  The caller must check that each region that begins also ends.
 */
#ifndef EVTLOG_EXPORT_REGION_TRACE_H
#define EVTLOG_EXPORT_REGION_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/region/trace-format.h"

/* Longest name of a region, bytes without the NUL */
#define REGION_TRACE_TEXT_MAX	4096

struct region_trace_place {
	uint32_t thread;
	uint32_t sequence;
	uint64_t offset;
};

/*
 * @first, @count: the thread's chunks in @chunks of the file, in order
 * @end_ns:	time when the last chunk was written
 */
struct region_trace_thread {
	uint32_t tid;
	uint32_t kernel_tid;
	char comm[17];
	size_t first;
	size_t count;
	uint64_t end_ns;
};

struct region_trace_symbol {
	uint64_t address;
	char *name;
};

/*
 * @chunks:	chunks of all threads, sorted by thread and sequence number
 * @symbols:	names of functions, sorted by address
 * @begin_ns, @end_ns: CLOCK_MONOTONIC_RAW; @begin_ns is larger if there is no chunk
 * @error_ns:	largest error of a time
 * @is_short:	the file was longer when the program finished it
 * @is_open:	the program has not finished the file, or wrote more after it saved the length
 * @bad_chunks: places without a valid chunk, and repeated chunks
 */
struct region_trace_file {
	char *path;
	int fd;
	struct region_trace_header header;
	struct region_trace_place *chunks;
	size_t chunk_count;
	size_t chunk_capacity;
	struct region_trace_thread *threads;
	size_t thread_count;
	struct region_trace_symbol *symbols;
	size_t symbol_count;
	size_t symbol_capacity;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t error_ns;
	bool is_short;
	bool is_open;
	uint64_t bad_chunks;
};

/**
 * region_trace_open() - read all of a file except its events
 * @path:	is copied
 *
 * Return: an exit status, after an error message.  Call region_trace_close() in all cases.
 */
int region_trace_open(struct region_trace_file *file, const char *path);
void region_trace_close(struct region_trace_file *file);

/** region_trace_is_chunk() - true if the magic number and the times are valid */
bool region_trace_is_chunk(const struct region_trace_chunk *chunk);

/** region_trace_is_one() - true if @path is a regular file that begins with the magic number */
bool region_trace_is_one(const char *path);

enum region_trace_what {
	TRACE_ENTER,
	TRACE_LEAVE,
	TRACE_NAME,
	TRACE_FLUSH,	/* the thread wrote its buffer */
	TRACE_LOST,	/* some chunks are missing */
};

/*
 * @number:	number of the region in its thread; in a NAME one more than in the previous NAME
 * @time_ns:	never less than the previous time; @until_ns: end of a FLUSH
 * @text, @length: text of a NAME; can contain any bytes
 */
struct region_trace_event {
	enum region_trace_what what;
	uint32_t number;
	uint64_t time_ns;
	uint64_t until_ns;
	const char *text;
	size_t length;
};

/*
 * struct region_trace_reader - reads the events of one thread
 * @next:	next chunk of the thread; @word, @words: position in the current one, and its length
 */
struct region_trace_reader {
	const struct region_trace_file *file;
	const struct region_trace_thread *thread;
	struct region_trace_chunk *chunk;
	size_t next;
	uint64_t word;
	uint64_t words;
	uint64_t upper;
	bool has_upper;
	uint32_t sequence;
	uint64_t last_ns;
	uint64_t written_ns;
	bool begins;
	bool lost;
	char text[32];
};

/** region_trace_reader_start() - 0 or -ENOMEM; call region_trace_reader_end() in all cases */
int region_trace_reader_start(struct region_trace_reader *reader,
			      const struct region_trace_file *file,
			      const struct region_trace_thread *thread);
void region_trace_reader_end(struct region_trace_reader *reader);

/** region_trace_next() - 1 and an event; 0 at the end; -errno if the file cannot be read */
int region_trace_next(struct region_trace_reader *reader, struct region_trace_event *event);

#endif /* EVTLOG_EXPORT_REGION_TRACE_H */
