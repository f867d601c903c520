/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All runs that have an open file or more buffers to come.
 */
#ifndef EVTLOG_LOGD_RUNS_H
#define EVTLOG_LOGD_RUNS_H

#include <stdbool.h>

#include <evtlog/abi.h>

#include "config.h"
#include "run-id.h"

struct runs;

/*
 * @text:	makes the text of a new file's header, malloc()ed; returns 0 or -errno
 * @host:	returns HOST for file names
 */
struct runs_source {
	int (*text)(void *context, const struct run_id *run, char **text, size_t *bytes);
	const char *(*host)(void *context);
	void *context;
};

/**
 * runs_new() - start without runs
 * @config:	not owned, must live as long
 * @source:	copied
 *
 * Returns NULL if out of memory.
 */
struct runs *runs_new(const struct config *config, const struct runs_source *source);

/**
 * runs_prepare() - check that the directory for the files exists and is writable
 * @needs_room:	True: also check for free space; else runs_put() waits for it
 *
 * Prints errors.  Returns 0 or -errno.
 */
int runs_prepare(struct runs *runs, bool needs_room);

/** runs_free() - free all; files that are not closed remain without an index */
void runs_free(struct runs *runs);

/** runs_is_writing() - returns true if an open file contains buffers */
bool runs_is_writing(const struct runs *runs);

/**
 * runs_begin() - create the file of the run that is recorded, before its first buffer
 * @id:	of the run; NULL if none is recorded
 *
 * Files created for other runs, which ended without a buffer, are removed.  Errors are not
 * printed: runs_put() tries again and prints them.
 */
void runs_begin(struct runs *runs, const struct run_id *id);

/**
 * runs_put() - write one kernel buffer to the file of its run
 *
 * After success, the buffer can be returned to the kernel: it is written completely, or was in
 * the file before.  After an error, nothing of it is in the file, and the caller tries again
 * later with the same buffer.  The error is printed once.
 *
 * Returns 0 or -errno.
 */
int runs_put(struct runs *runs, const struct evtlog_buffer_header *buffer);

/**
 * runs_spare_memory() - free the memory of the compressor, and compress no more
 *
 * Returns true if there was memory to free.
 */
bool runs_spare_memory(struct runs *runs);

/**
 * runs_put_unreadable() - record an invalid buffer with a gap block
 *
 * The block goes to the file of the run last written to.  If there is none, only a message is
 * printed.
 */
void runs_put_unreadable(struct runs *runs, uint32_t cpu, uint32_t bytes);

/**
 * runs_adopt() - find files of this boot that were not closed properly
 *
 * A killed logger leaves such files.  Complete ones are closed, others wait for more buffers.
 */
void runs_adopt(struct runs *runs, const uint8_t *boot_id);

/**
 * runs_settle() - close the files of all runs but one
 * @recording:	run that continues, 0 if none
 *
 * Call it if the kernel has no more buffers of the other runs.  If a buffer still comes, its
 * file is reopened.
 */
void runs_settle(struct runs *runs, uint64_t recording);

/** runs_reopen() - close all files; call after a change of @config or a rotation of the files */
void runs_reopen(struct runs *runs);

/** runs_close() - close all files; returns 0 or the last error */
int runs_close(struct runs *runs);

/** runs_last_complete() - return the highest run with all its buffers; 0 if none */
uint64_t runs_last_complete(const struct runs *runs);

/** runs_is_stalled() - returns true if the last attempt to write failed */
bool runs_is_stalled(const struct runs *runs);

#endif /* EVTLOG_LOGD_RUNS_H */
