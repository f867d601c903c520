/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file of a process's regions in time: its header, and places of chunks.
 *
 * No function takes memory of malloc(), or is a cancellation point: a thread's first region and
 * its full buffer come here, wherever the program is.
 */
#ifndef EVTLOG_LIB_REGION_TRACE_FILE_H
#define EVTLOG_LIB_REGION_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/region/trace-format.h"

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

#endif /* EVTLOG_LIB_REGION_TRACE_FILE_H */
