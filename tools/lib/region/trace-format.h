/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of a process's regions in time, as EVTLOG_TRACE_FILE names them: trace.c writes them,
 * tools/export/region-trace.c reads them.
 *
 *	header		4096 bytes, written again in its place
 *	chunk 0		of one thread
 *	chunk 1		of one thread, maybe another one
 *	...
 *
 * Each chunk has its place before it is written, and may be written again with more records in it.
 * What is not there, at the end of the file or before it, is zeros: a word of 0 ends a chunk's
 * records.  A chunk tells what its threads' ticks were on CLOCK_MONOTONIC_RAW when it began and when
 * it was written; times between are on the straight line.
 *
 * All numbers are in the machine's byte order.
 */
#ifndef EVTLOG_LIB_REGION_TRACE_FORMAT_H
#define EVTLOG_LIB_REGION_TRACE_FORMAT_H

#include <stdint.h>

#define REGION_TRACE_MAGIC		"EVTLOGR1"
#define REGION_TRACE_VERSION		1
#define REGION_TRACE_HEADER_BYTES	4096
#define REGION_TRACE_CHUNK_BYTES	65536
#define REGION_TRACE_CHUNK_MAGIC	0x6e6b6863	/* "chkn" */

/* Of a chunk of names of functions */
#define REGION_TRACE_NAMES		UINT32_MAX

#define REGION_TRACE_NOT_SAVED		UINT64_MAX

/* The inode of the first pid namespace, whose numbers the kernel's log has. */
#define REGION_TRACE_FIRST_NAMESPACE	UINT64_C(0xeffffffc)

/*
 * struct region_trace_header - of a file
 * @magic:	REGION_TRACE_MAGIC
 * @version:	REGION_TRACE_VERSION
 * @header_bytes, @chunk_bytes: as above
 * @error:	why the trace ended before the process did; 0: it did not
 * @boot_id:	of the kernel, as /proc/sys/kernel/random/boot_id has it: a log's system_boot_id
 * @pid_namespace: that of @pid and of tids, by its inode; 0: it is not known
 * @pid:	of the process
 * @rank:	of a parallel program; -1: it is not known
 * @lost:	begins and ends that are not here since @error
 * @missed:	regions that are not told apart from those around them, for want of room
 * @unmatched:	ends without a begin, which are not here
 * @threads_missed: threads that are not here
 * @host, @comm: names of the host and the process
 * @bytes:	length of the file when it was last saved, or when the trace ended; REGION_TRACE_NOT_SAVED:
 *		neither happened yet; 0: unknown, as libevtlog before 0.12 wrote it
 */
struct region_trace_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;
	uint32_t chunk_bytes;
	int32_t error;
	uint8_t boot_id[16];
	uint64_t pid_namespace;
	uint32_t pid;
	int32_t rank;
	uint64_t lost;
	uint64_t missed;
	uint64_t unmatched;
	uint64_t threads_missed;
	char host[64];
	char comm[16];
	uint64_t bytes;
};

/*
 * struct region_trace_time - one instant on two clocks
 * @ticks:	of the counter, or ns as well
 * @ns:		CLOCK_MONOTONIC_RAW
 * @width_ns:	of the time in which both were read; @ns is in its middle
 */
struct region_trace_time {
	uint64_t ticks;
	uint64_t ns;
	uint64_t width_ns;
};

/*
 * struct region_trace_chunk - records of a thread
 * @magic:	REGION_TRACE_CHUNK_MAGIC
 * @thread:	which one of the process, by a number that no other has; REGION_TRACE_NAMES
 * @sequence:	of the thread's chunks, from 0
 * @tid:	the thread, by the number that it has for itself
 * @kernel_tid:	by the number that the kernel's log has; 0: it is not known
 * @has_ended:	the thread ended, and has no more chunks
 * @comm:	its name, as it was last known
 * @begin, @end: before its records, and after them
 */
struct region_trace_chunk {
	uint32_t magic;
	uint32_t thread;
	uint32_t sequence;
	uint32_t tid;
	uint32_t kernel_tid;
	uint32_t has_ended;
	char comm[16];
	struct region_trace_time begin;
	struct region_trace_time end;
	uint64_t words[];
};

#define REGION_TRACE_WORDS	((REGION_TRACE_CHUNK_BYTES - sizeof(struct region_trace_chunk)) / 8)

_Static_assert(sizeof(struct region_trace_header) == 176, "a header");
_Static_assert(sizeof(struct region_trace_chunk) == 88, "a chunk");

/*
 * A record's first word: bits 60 to 63 are the kind, bits 32 to 59 a number, bits 0 to 31 a value.
 *
 * ENTER, LEAVE	a region by its number in the thread; the lower half of the time in ticks
 * TIME		the upper half of the times that follow
 * NAME		the number, from 1 on, of a region whose name comes for the first time, of so
 *		many bytes, which follow, padded with zeros to words
 * FUNCTION	the same; the function's address follows
 * SYMBOL	in a chunk of names: a function's address follows, then its name of so many bytes
 */
#define REGION_TRACE_ENTER	1
#define REGION_TRACE_LEAVE	2
#define REGION_TRACE_TIME	3
#define REGION_TRACE_NAME	4
#define REGION_TRACE_FUNCTION	5
#define REGION_TRACE_SYMBOL	6

#define REGION_TRACE_NUMBERS	(1u << 28)

static inline uint64_t region_trace_word(unsigned int kind, uint32_t number, uint32_t value)
{
	return (uint64_t)kind << 60 | (uint64_t)number << 32 | value;
}

static inline unsigned int region_trace_kind(uint64_t word)
{
	return word >> 60;
}

static inline uint32_t region_trace_number(uint64_t word)
{
	return word >> 32 & (REGION_TRACE_NUMBERS - 1);
}

static inline uint32_t region_trace_value(uint64_t word)
{
	return word;
}

/* Words of a record, the first one included. */
static inline uint64_t region_trace_length(uint64_t word)
{
	uint64_t text = ((uint64_t)region_trace_value(word) + 7) / 8;

	switch (region_trace_kind(word)) {
	case REGION_TRACE_NAME:
		return 1 + text;
	case REGION_TRACE_FUNCTION:
		return 2;
	case REGION_TRACE_SYMBOL:
		return 2 + text;
	default:
		return 1;
	}
}

#endif /* EVTLOG_LIB_REGION_TRACE_FORMAT_H */
