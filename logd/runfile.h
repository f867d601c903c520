/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One HOST-NAME.evl or HOST-RUN.evl on disk: made, found again, appended to, closed.
 */
#ifndef EVTLOG_LOGD_RUNFILE_H
#define EVTLOG_LOGD_RUNFILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "block.h"
#include "run-id.h"
#include "scan.h"

/*
 * @fd:		-1 when not open
 * @name:	in the directory
 * @tail:	end of the last whole block
 * @tail_is_end: the file ends there: nothing to cut off or to pad
 * @closed:	index and trailer follow the tail
 * @is_direct:	large payloads pass the page cache by, until the file system refuses
 * @pushed, @dropped: write-back was started, and the page cache given back, up
 *		to these offsets
 */
struct runfile {
	int fd;
	char name[NAME_MAX + 1];
	uint64_t run;
	uint64_t tail;
	bool tail_is_end;
	bool closed;
	bool is_direct;
	struct block_index index;
	uint64_t pushed;
	uint64_t dropped;
};

/*
 * @host:	first part of the name
 * @text:	for the header, when the file is made
 * @visitor:	told of the buffers in it, when the file is found
 * @fresh:	never go on with a file that is there
 * @direct:	large payloads are to pass the page cache by (O_DIRECT)
 */
struct runfile_request {
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
 * runfile_open() - find the run's file in a directory, or make it
 *
 * A file of another run, boot or owner is never touched: HOST-NAME.evl,
 * HOST-NAME.2.evl, ... are tried in turn.  A new file appears under its name
 * with its header whole.  What is found is not changed before the first append.
 *
 * Returns 1 when found, 0 when made, or -errno.
 */
int runfile_open(struct runfile *file, int directory, const struct runfile_request *request);

/**
 * runfile_append() - write blocks behind the tail, all or none
 *
 * Returns 0, or -errno after cutting off what was written of them.
 */
int runfile_append(struct runfile *file, const struct block *const *blocks, size_t count);

/**
 * runfile_push() - start write-back, keep the page cache below @cache_bytes
 *
 * Returns 0, or the error of an earlier write that the disk only tells now.
 */
int runfile_push(struct runfile *file, uint64_t cache_bytes);

/** runfile_is_removed() - whether no name leads to it any more */
bool runfile_is_removed(const struct runfile *file);

/**
 * runfile_close() - write index and trailer, force all to disk, forget it
 * @complete:	no more buffers of the run will come
 *
 * Returns 0 or -errno; the file is closed in any case, without a trailer if
 * there was no room.
 */
int runfile_close(struct runfile *file, bool complete);

/** runfile_remove() - close it and take it away; false: it has not its name in @directory any more */
bool runfile_remove(struct runfile *file, int directory);

/** runfile_drop() - forget the file as it is */
void runfile_drop(struct runfile *file);

#endif /* EVTLOG_LOGD_RUNFILE_H */
