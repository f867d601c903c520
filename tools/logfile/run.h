/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run or named buffer: its file, and the buffers of each CPU so far.
 */
#ifndef EVTLOG_LOGFILE_RUN_H
#define EVTLOG_LOGFILE_RUN_H

#include <stdbool.h>

#include "block.h"
#include "run-id.h"
#include "runfile.h"

/*
 * A run's buffers of one CPU.
 * @first:	sequence number of the first buffer in the file
 * @next:	sequence number after the last one
 */
struct run_cpu {
	uint64_t first;
	uint64_t next;
	uint64_t bytes;
	uint64_t begin_real_ns;
	uint64_t end_real_ns;
	bool is_final;
};

/*
 * @cpus_in_run: 0 until known from a FINAL buffer
 * @finals:	number of CPUs whose FINAL buffer has come
 * @was_removed: True: the file was removed; the next file begins with gap blocks
 * @is_begun:	True: the file was made at the start of the run, and no buffer has come yet
 */
struct run {
	struct run *next;
	struct run_id id;
	struct runfile file;
	struct run_cpu *cpus;
	uint32_t cpu_count;
	uint32_t cpus_in_run;
	uint32_t finals;
	uint64_t buffers;
	uint64_t lost;
	bool was_removed;
	bool is_begun;
};

/** run_new() - make a run without buffers; returns NULL if out of memory */
struct run *run_new(const struct run_id *id);

/** run_free() - also closes the file unchanged */
void run_free(struct run *run);

/** run_note() - count a buffer that was written to the file or found in it */
void run_note(struct run *run, const struct evtlog_buffer_header *buffer);

/** run_has() - returns true if this buffer is in the file, not only one with the same number */
bool run_has(const struct run *run, const struct evtlog_buffer_header *buffer);

/** run_starts_part() - the file is new, so earlier buffers are in other files */
void run_starts_part(struct run *run);

/** run_is_complete() - returns true if the last buffer of each CPU has come */
bool run_is_complete(const struct run *run);

/**
 * run_removed_gaps() - make a gap block for each CPU that had buffers in the removed file
 * @blocks:	room for @cpu_count blocks
 *
 * Returns their number.
 */
size_t run_removed_gaps(const struct run *run, struct block *blocks);

#endif /* EVTLOG_LOGFILE_RUN_H */
