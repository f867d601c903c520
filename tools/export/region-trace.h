/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a file of a process's regions in time (lib/region/trace-format.h).
 *
 * The file may be damaged, cut or made to harm: chunks that are none are counted, and records end
 * with the first that is none.  Whether what begins also ends is the caller's to see.
 */
#ifndef EVTLOG_EXPORT_REGION_TRACE_H
#define EVTLOG_EXPORT_REGION_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/region/trace-format.h"

/* Of a region's name, without a NUL */
#define REGION_TRACE_TEXT_MAX	4096

struct region_trace_place {
	uint32_t thread;
	uint32_t sequence;
	uint64_t offset;
};

/*
 * @first, @count: its chunks, in order
 * @end_ns:	when its last chunk was written
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
 * @chunks:	of all threads, one thread's together
 * @symbols:	names of functions, by address
 * @begin_ns, @end_ns: CLOCK_MONOTONIC_RAW; @begin_ns is larger if there is no chunk
 * @error_ns:	that times may be wrong by
 * @is_short:	the file was longer when the program finished it
 * @is_open:	the program has not finished the file, or has written more after it last saved the length
 * @bad_chunks: places that have no chunk, though some are behind them, or one that can't be read
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
 * region_trace_open() - reads what a file has, but not its events
 * @path:	is copied
 *
 * Return: an exit status, after saying what is wrong; region_trace_close() in all cases.
 */
int region_trace_open(struct region_trace_file *file, const char *path);
void region_trace_close(struct region_trace_file *file);

/** region_trace_is_chunk() - whether a writer can have made it: its times, and that it is one */
bool region_trace_is_chunk(const struct region_trace_chunk *chunk);

/** region_trace_is_one() - whether it begins as such a file does */
bool region_trace_is_one(const char *path);

enum region_trace_what {
	TRACE_ENTER,
	TRACE_LEAVE,
	TRACE_NAME,
	TRACE_FLUSH,	/* the thread wrote its buffer */
	TRACE_LOST,	/* some chunks are missing */
};

/*
 * @number:	of the region in its thread; of a name one more than the last name's
 * @time_ns:	never less than the last one; @until_ns: of a flush
 * @text, @length: of a name; may have any bytes
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
 * struct region_trace_reader - goes through one thread's events
 * @next:	chunk; @word, @words: in the one that is read
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
	uint32_t numbers;
	uint64_t last_ns;
	uint64_t written_ns;
	bool begins;
	bool lost;
	char text[32];
};

/** region_trace_reader_start() - 0 or -ENOMEM; region_trace_reader_end() in all cases */
int region_trace_reader_start(struct region_trace_reader *reader,
			      const struct region_trace_file *file,
			      const struct region_trace_thread *thread);
void region_trace_reader_end(struct region_trace_reader *reader);

/** region_trace_next() - 1; 0: there are no more; -errno: it can't be read */
int region_trace_next(struct region_trace_reader *reader, struct region_trace_event *event);

#endif /* EVTLOG_EXPORT_REGION_TRACE_H */
