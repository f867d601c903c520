/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All runs that have an open file or more buffers to come; or one named buffer.
 *
 * logd writes runs, and evtlog buffer record a named buffer.  For both, a run is what has a number,
 * a last buffer of each CPU, and a file.
 */
#ifndef EVTLOG_LOGFILE_RUNS_H
#define EVTLOG_LOGFILE_RUNS_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include <evtlog/abi.h>

#include "run-id.h"

struct block;
struct runs;

/*
 * @directory:	of the files; unless @file is given, it is created if it is missing
 * @file:	name of the one file; NULL: HOST-NAME.evl or HOST-RUN.evl
 * @compress:	zlib's level, 0: store buffers unchanged, or COMPRESS_PACK
 * @retry_s:	longest pause between two attempts to write, after a failure
 * @group:	owner group of files and directory, -1: unchanged
 * @min_free_mb: space that is left free on the file system
 * @cache_mb:	page cache that a file may use; 0: the kernel decides
 * @direct:	True: uncompressed buffers bypass the page cache
 */
struct runs_settings {
	char directory[PATH_MAX];
	const char *file;
	unsigned int compress;
	unsigned int retry_s;
	unsigned int file_mode;
	gid_t group;
	unsigned int min_free_mb;
	unsigned int cache_mb;
	bool direct;
};

/* The settings of logd without a configuration */
#define RUNS_SETTINGS	{						\
	.directory = "/var/log/evtlog", .compress = COMPRESS_PACK,	\
	.retry_s = 30, .file_mode = 0600, .group = (gid_t)-1,		\
	.min_free_mb = 64, .cache_mb = 8,				\
}

/*
 * @text:	makes the text of a new file's header, malloc()ed; returns 0 or -errno
 * @first:	makes the first block of a file, whose payload is valid until the next call; returns
 *		1; 0: there is none; or -errno.  NULL: files have none
 * @host:	returns HOST for file names; NULL if the file has a given name
 */
struct runs_source {
	int (*text)(void *context, const struct run_id *run, char **text, size_t *bytes);
	int (*first)(void *context, const struct run_id *run, struct block *block);
	const char *(*host)(void *context);
	void *context;
};

/**
 * runs_new() - start without runs
 * @settings:	not owned, must live as long
 * @source:	copied
 *
 * Returns NULL if out of memory.
 */
struct runs *runs_new(const struct runs_settings *settings, const struct runs_source *source);

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
 *
 * Returns 0, also if the file exists and is continued; -EEXIST: the given name is another file's;
 * or -errno.
 */
int runs_begin(struct runs *runs, const struct run_id *id);

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

/** runs_reopen() - close all files, after a change of the settings or a rotation of the files */
void runs_reopen(struct runs *runs);

/** runs_close() - close all files, remove those without a buffer; returns 0 or the last error */
int runs_close(struct runs *runs);

/** runs_last_complete() - return the highest run with all its buffers; 0 if none */
uint64_t runs_last_complete(const struct runs *runs);

/** runs_lost() - return the events that were lost, as of all buffers written */
uint64_t runs_lost(const struct runs *runs);

/** runs_is_stalled() - returns true if the last attempt to write failed */
bool runs_is_stalled(const struct runs *runs);

#endif /* EVTLOG_LOGFILE_RUNS_H */
