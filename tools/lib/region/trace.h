/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread's regions in time: what begins and ends is put into a buffer, and from there into the
 * process's file (trace-file.c).
 *
 * A buffer is its thread's, without a lock but where it is written: another thread may write what
 * is in it meanwhile, when the process ends or saves.
 */
#ifndef EVTLOG_LIB_REGION_TRACE_H
#define EVTLOG_LIB_REGION_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/region/trace-format.h"

struct region_thread;
struct region_node;

/*
 * struct region_trace - a thread's
 * @is_on:	EVTLOG_TRACE_FILE is set
 * @has_begun:	its first chunk has
 * @uses_ns:	times are CLOCK_MONOTONIC_RAW itself: the kernel does not take the counter for it
 * @is_locked:	somebody writes @chunk, or its thread begins a new one
 * @chunk:	NULL: none, not yet or no more
 * @place:	in the file
 * @at:		behind the last word; pairs with region_trace_save(), which writes up to it
 * @limit:	beyond it is room for the largest records alone
 * @written:	words of @chunk that are in the file
 * @upper:	half of times that was put last; another one: none in this chunk
 * @fast:	@upper if words of such times may be put without region_trace_put(); else another
 *		one than any time's
 * @numbers:	regions whose names were put
 * @begun:	when the thread had its first region
 * @lost:	begins and ends that are not written
 */
struct region_trace {
	bool is_on, has_begun, uses_ns;
	volatile bool is_locked;
	uint64_t *at, *limit;
	uint64_t written, upper, fast;
	struct region_trace_chunk *chunk;
	uint64_t place;
	uint32_t number, sequence, numbers;
	struct region_trace_time begun;
	uint64_t lost;
};

/** region_trace_prepare() - the thread may have regions from now on; nothing is made yet */
void region_trace_prepare(struct region_thread *thread);

/** region_trace_put() - it begins or ends one, at thread->clock.now */
void region_trace_put(struct region_thread *thread, struct region_node *node, unsigned int kind);

/** region_trace_now() - thread->clock.now, as the trace tells it */
uint64_t region_trace_now(const struct region_thread *thread);

/** region_trace_put_at() - the same at a time that region_trace_now() told; none was put since */
void region_trace_put_at(struct region_thread *thread, struct region_node *node, unsigned int kind,
			 uint64_t time);

/** region_trace_full() - the buffer is, at trace.limit: it is written, and a new one begins */
void region_trace_full(struct region_thread *thread);

/** region_trace_end() - the thread ends */
void region_trace_end(struct region_thread *thread);

/**
 * region_trace_save() - writes all threads' buffers, as far as they are filled, and names
 *
 * Return: 0; -ENODATA: nothing is traced; -errno: the trace has ended, which was said.
 */
int region_trace_save(void);

/* ---- trace-names.c ---- */

/** region_trace_save_names() - writes those that are not in the file yet; takes memory of malloc() */
void region_trace_save_names(void);

/*
 * ---- trace-file.c: the file of a process's regions in time ----
 *
 * No function takes memory of malloc(), or is a cancellation point: a thread's first region and
 * its full buffer come here, wherever the program is.
 */

/** region_trace_file_is_wanted() - whether EVTLOG_TRACE_FILE names one */
bool region_trace_file_is_wanted(void);

/** region_trace_file_open() - makes the process's file, once; false: it has none, which was said */
bool region_trace_file_open(void);

/** region_trace_file_is_open() - it was made, and nothing went wrong since */
bool region_trace_file_is_open(void);

/** region_trace_file_place() - of a chunk, for good */
uint64_t region_trace_file_place(void);

/**
 * region_trace_file_put() - writes a chunk, @words of its records
 *
 * Return: words that are written; less than @words if the file is at its end, which is said once.
 */
uint64_t region_trace_file_put(uint64_t place, const struct region_trace_chunk *chunk,
			       uint64_t words);

/** region_trace_file_rank() - is in the header from now on */
void region_trace_file_rank(int rank);

/*
 * struct region_trace_counts - what is not in the file, as its header has it
 */
struct region_trace_counts {
	uint64_t lost, missed, unmatched, threads_missed;
};

/** region_trace_file_count() - writes the header with them */
void region_trace_file_count(const struct region_trace_counts *counts);

#endif /* EVTLOG_LIB_REGION_TRACE_H */
