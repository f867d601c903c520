/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One file of a run or named buffer on disk: created, reopened, appended to, closed.
 */
#ifndef EVTLOG_LOGFILE_RUNFILE_H
#define EVTLOG_LOGFILE_RUNFILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "block.h"
#include "run-id.h"
#include "scan.h"

/*
 * @fd:		-1 if not open
 * @name:	in the directory
 * @begin:	end of the header
 * @tail:	end of the last complete block
 * @tail_is_end: True: the file ends at @tail, with nothing to remove or to pad
 * @closed:	True: index and trailer follow the tail
 * @is_direct:	True: large payloads bypass the page cache, until the file system refuses this
 * @pushed, @dropped: offsets up to which write-back was started, and the page cache dropped
 */
struct runfile {
	int fd;
	char name[NAME_MAX + 1];
	uint64_t run;
	uint64_t begin;
	uint64_t tail;
	bool tail_is_end;
	bool closed;
	bool is_direct;
	struct block_index index;
	uint64_t pushed;
	uint64_t dropped;
};

/*
 * @name:	of the file; NULL: HOST-NAME.evl or HOST-RUN.evl
 * @host:	first part of the name
 * @text:	for the header of a new file
 * @visitor:	called for the buffers in an existing file
 * @fresh:	True: never continue an existing file
 * @direct:	True: large payloads bypass the page cache (O_DIRECT)
 */
struct runfile_request {
	const char *name;
	const char *host;
	const struct run_id *run;
	const char *text;
	size_t text_bytes;
	mode_t mode;
	gid_t group;
	struct scan_visitor visitor;
	bool fresh;
	bool direct;
};

/**
 * runfile_open() - find the run's file in a directory, or create it
 *
 * A file of another run, boot or owner is never changed: the names HOST-NAME.evl,
 * HOST-NAME.2.evl, ... are tried in turn.  A new file gets its name when its header is
 * complete.  An existing file is not changed before the first append.
 *
 * Returns 1 if found, 0 if created, or -errno; -EEXIST: all of these names are other files'.
 */
int runfile_open(struct runfile *file, int directory, const struct runfile_request *request);

/**
 * runfile_append() - write all of the blocks after the tail, or none
 *
 * Returns 0, or -errno after removing what was written.
 */
int runfile_append(struct runfile *file, const struct block *const *blocks, size_t count);

/**
 * runfile_push() - start write-back, and keep the page cache below @cache_bytes
 *
 * Returns 0, or the error of an earlier write that the disk reports only now.
 */
int runfile_push(struct runfile *file, uint64_t cache_bytes);

/** runfile_is_removed() - returns true if the file has no name any more */
bool runfile_is_removed(const struct runfile *file);

/**
 * runfile_close() - write index and trailer, flush all to disk, and close the file
 * @complete:	no more buffers of the run will come
 *
 * Returns 0 or -errno.  The file is always closed, without a trailer if there was no space.
 */
int runfile_close(struct runfile *file, bool complete);

/** runfile_remove() - close and delete the file; false if its name in @directory is not its own */
bool runfile_remove(struct runfile *file, int directory);

/** runfile_drop() - close the file without a change */
void runfile_drop(struct runfile *file);

#endif /* EVTLOG_LOGFILE_RUNFILE_H */
