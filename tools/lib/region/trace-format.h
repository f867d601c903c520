/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Format of a process's file of regions in time (EVTLOG_TRACE_FILE).  trace.c writes it,
 * tools/export/region-trace.c reads it.
 *
 *	header		4096 bytes, rewritten in place
 *	chunk 0		of one thread
 *	chunk 1		of one thread, which can be another one
 *	...
 *
 * The place of a chunk is reserved before it is written.  A chunk can be written again with more
 * records.  Missing parts, at the end of the file or before, are zeros: a word of 0 ends the
 * records of a chunk.  A chunk has the thread's ticks and CLOCK_MONOTONIC_RAW at its begin and when
 * it was written; times in between are interpolated linearly.
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

/* @thread of a chunk with names of functions */
#define REGION_TRACE_NAMES		UINT32_MAX

#define REGION_TRACE_NOT_SAVED		UINT64_MAX

/* Inode of the first pid namespace, whose pids are in the kernel's log. */
#define REGION_TRACE_FIRST_NAMESPACE	UINT64_C(0xeffffffc)

/*
 * struct region_trace_header - header of a file
 * @magic:	REGION_TRACE_MAGIC
 * @version:	REGION_TRACE_VERSION
 * @header_bytes, @chunk_bytes: as above
 * @error:	errno if the trace ended before the process; else 0
 * @boot_id:	from /proc/sys/kernel/random/boot_id; equals system_boot_id of a log
 * @pid_namespace: inode of the pid namespace of @pid and of tids; 0 if unknown
 * @pid:	of the process
 * @rank:	in a parallel program; -1 if unknown
 * @lost:	begins and ends that are missing after @error
 * @missed:	regions that are not separated from their parents, because there was no space
 * @unmatched:	ends without a begin, which are not in the file
 * @threads_missed: threads that are not in the file
 * @host, @comm: names of the host and the process
 * @bytes:	length of the file at the last save or at the end of the trace;
 *		REGION_TRACE_NOT_SAVED: before; 0: unknown, in files of libevtlog before 0.12
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
 * struct region_trace_time - one time on two clocks
 * @ticks:	of the tick counter, or equal to @ns
 * @ns:		CLOCK_MONOTONIC_RAW
 * @width_ns:	duration of the reading of both clocks; @ns is in its middle
 */
struct region_trace_time {
	uint64_t ticks;
	uint64_t ns;
	uint64_t width_ns;
};

/*
 * struct region_trace_chunk - records of a thread
 * @magic:	REGION_TRACE_CHUNK_MAGIC
 * @thread:	unique number of the thread in the process, or REGION_TRACE_NAMES
 * @sequence:	number of the chunk in the thread, from 0
 * @tid:	id of the thread in its own pid namespace
 * @kernel_tid:	id of the thread in the kernel's log; 0 if unknown
 * @has_ended:	the thread has ended and has no more chunks
 * @comm:	its last known name
 * @begin, @end: times before and after its records
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
 * First word of a record: bits 60 to 63 are the kind, bits 32 to 59 a number, bits 0 to 31 a value.
 *
 * ENTER, LEAVE	number of the region in the thread; lower half of the time in ticks
 * TIME		upper half of the times that follow
 * NAME		number of a new region, from 1; length of its name, which follows, padded with
 *		zeros to whole words
 * FUNCTION	number of a new region; the address of its function follows
 * SYMBOL	in a chunk of names: the address of a function and its name of this length follow
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

/* Number of words of a record, including the first one. */
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
