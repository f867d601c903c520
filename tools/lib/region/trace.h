/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread's regions in time: begins and ends go to a buffer, and from there to the file of the
 * process (trace-file.c).
 *
 * The buffer belongs to its thread and needs no lock, except for writing: another thread may write
 * its contents when the process ends or saves.
 */
#ifndef EVTLOG_LIB_REGION_TRACE_H
#define EVTLOG_LIB_REGION_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/region/trace-format.h"

struct region_thread;
struct region_node;

/*
 * struct region_trace - trace of a thread
 * @is_on:	EVTLOG_TRACE_FILE is set
 * @has_begun:	its first chunk has begun
 * @uses_ns:	times are CLOCK_MONOTONIC_RAW, because the kernel's clock does not use the counter
 * @is_locked:	a thread writes @chunk, or its own thread begins a new one
 * @chunk:	NULL if there is none
 * @place:	in the file
 * @at:		end of the last word; pairs with region_trace_save(), which writes up to it
 * @limit:	the buffer is full if @at is after it; leaves space for the largest addition
 * @written:	number of words of @chunk in the file
 * @upper:	upper half of the last time; UINT64_MAX: none in this chunk yet
 * @fast:	@upper if words can be stored without region_trace_put(); else UINT64_MAX
 * @numbers:	number of regions whose names were stored
 * @begun:	time of the thread's first region
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

/** region_trace_prepare() - prepare a thread for regions; makes nothing yet */
void region_trace_prepare(struct region_thread *thread);

/** region_trace_put() - store the begin or end of a region at thread->clock.now */
void region_trace_put(struct region_thread *thread, struct region_node *node, unsigned int kind);

/** region_trace_now() - get thread->clock.now in the unit of the trace */
uint64_t region_trace_now(const struct region_thread *thread);

/** region_trace_put_at() - the same at an earlier region_trace_now(); none was stored since */
void region_trace_put_at(struct region_thread *thread, struct region_node *node, unsigned int kind,
			 uint64_t time);

/** region_trace_full() - at trace.limit: write the buffer and begin a new one */
void region_trace_full(struct region_thread *thread);

/** region_trace_end() - end of the thread */
void region_trace_end(struct region_thread *thread);

/**
 * region_trace_save() - write the buffers of all threads, up to their last records, and names
 *
 * Return: 0; -ENODATA nothing is traced; -errno the trace has ended, which was reported.
 */
int region_trace_save(void);

/* ---- trace-names.c ---- */

/** region_trace_save_names() - write names that are not in the file yet; uses malloc() */
void region_trace_save_names(void);

/*
 * ---- trace-file.c: the file of a process's regions in time ----
 *
 * The functions do not use malloc() and are not cancellation points, because a thread's first
 * region and its full buffer call them anywhere in the program.
 */

/** region_trace_file_is_wanted() - returns true if EVTLOG_TRACE_FILE is set */
bool region_trace_file_is_wanted(void);

/** region_trace_file_open() - make the process's file once; false: failed, which was reported */
bool region_trace_file_open(void);

/** region_trace_file_is_open() - returns true if the file was made and no error occurred since */
bool region_trace_file_is_open(void);

/** region_trace_file_place() - reserve a place for a chunk permanently */
uint64_t region_trace_file_place(void);

/**
 * region_trace_file_put() - write a chunk with @words of its records
 *
 * Return: number of words written; less than @words on an error, which is reported once.
 */
uint64_t region_trace_file_put(uint64_t place, const struct region_trace_chunk *chunk,
			       uint64_t words);

/** region_trace_file_rank() - set the rank in the header */
void region_trace_file_rank(int rank);

/*
 * struct region_trace_counts - data missing in the file, as in its header
 */
struct region_trace_counts {
	uint64_t lost, missed, unmatched, threads_missed;
};

/** region_trace_file_count() - write the header with @counts */
void region_trace_file_count(const struct region_trace_counts *counts);

#endif /* EVTLOG_LIB_REGION_TRACE_H */
