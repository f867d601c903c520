/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run as far as logd knows it: its file, and what each CPU has given.
 */
#ifndef EVTLOG_LOGD_RUN_H
#define EVTLOG_LOGD_RUN_H

#include <stdbool.h>

#include "block.h"
#include "run-id.h"
#include "runfile.h"

/*
 * What a run has of one CPU.
 * @first:	sequence of the first buffer in the file
 * @next:	sequence behind the last
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
 * @cpus_in_run: 0 until a FINAL buffer told
 * @finals:	CPUs whose FINAL buffer came
 * @was_removed: the file was removed; the next one begins with gap blocks
 * @is_begun:	the file was made at the run's start, and nothing has come yet
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

/** run_new() - a run of which nothing came yet; NULL when out of memory */
struct run *run_new(const struct run_id *id);

/** run_free() - also drops the file as it is */
void run_free(struct run *run);

/** run_note() - a buffer is in the file: just written, or found there */
void run_note(struct run *run, const struct evtlog_buffer_header *buffer);

/** run_has() - whether this buffer is in the file */
bool run_has(const struct run *run, const struct evtlog_buffer_header *buffer);

/** run_starts_part() - the file is a new one; earlier buffers are elsewhere */
void run_starts_part(struct run *run);

/** run_is_complete() - the last buffer of every CPU came */
bool run_is_complete(const struct run *run);

/**
 * run_removed_gaps() - a gap block for each CPU of which the removed file held
 * buffers
 * @blocks:	room for @cpu_count of them
 *
 * Returns their number.
 */
size_t run_removed_gaps(const struct run *run, struct block *blocks);

#endif /* EVTLOG_LOGD_RUN_H */
