/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All runs that have a file open or buffers to come.
 */
#ifndef EVTLOG_LOGD_RUNS_H
#define EVTLOG_LOGD_RUNS_H

#include <stdbool.h>

#include <evtlog/abi.h>

#include "config.h"
#include "run-id.h"

struct runs;

/*
 * @text:	gives the text of a new file's header, malloc()ed; 0 or -errno
 * @host:	gives the HOST of file names
 */
struct runs_source {
	int (*text)(void *context, const struct run_id *run, char **text, size_t *bytes);
	const char *(*host)(void *context);
	void *context;
};

/**
 * runs_new() - no run yet
 * @config:	not owned, must live on; see runs_reconfigure()
 * @source:	copied
 *
 * Returns NULL when out of memory.
 */
struct runs *runs_new(const struct config *config, const struct runs_source *source);

/**
 * runs_prepare() - see that there is a directory for the files, that can be written to
 * @needs_room:	and where there is room; else runs_put() waits for that
 *
 * Says what is wrong.  Returns 0 or -errno.
 */
int runs_prepare(struct runs *runs, bool needs_room);

/** runs_free() - forget everything; files not closed stay without an index */
void runs_free(struct runs *runs);

/** runs_is_writing() - whether a file is open that has more than its run's description */
bool runs_is_writing(const struct runs *runs);

/**
 * runs_begin() - make and describe the file of the run that is recorded, before its first buffer
 * @id:		of the run; NULL: none is recorded
 *
 * Files that were so made for other runs, which have ended without a record, are removed.  Says
 * nothing of what fails: runs_put() tries again, and says it.
 */
void runs_begin(struct runs *runs, const struct run_id *id);

/**
 * runs_put() - keep one kernel buffer, in the file of its run
 *
 * On success the buffer may be handed back: it is written wholly, or it was
 * there already.  After an error nothing of it is in the file, and the caller
 * comes again with the same buffer later; what is wrong is said once.
 *
 * Returns 0 or -errno.
 */
int runs_put(struct runs *runs, const struct evtlog_buffer_header *buffer);

/**
 * runs_put_unreadable() - note a buffer that is not one, with a gap block
 *
 * Goes to the file of the run last written to; if there is none, it is only
 * said.
 */
/**
 * runs_spare_memory() - give back what compressing takes, for good
 *
 * Returns whether there was anything to give.
 */
bool runs_spare_memory(struct runs *runs);

void runs_put_unreadable(struct runs *runs, uint32_t cpu, uint32_t bytes);

/**
 * runs_adopt() - find files of this boot that were not closed in order
 *
 * A logger that was killed leaves them; those that turn out complete are
 * closed, the others wait for late buffers.
 */
void runs_adopt(struct runs *runs, const uint8_t *boot_id);

/**
 * runs_settle() - close the files of all runs but one
 * @recording:	run that goes on; 0 if none
 *
 * For when the kernel holds no more buffers of others.  Should one come after
 * all, its file is found again.
 */
void runs_settle(struct runs *runs, uint64_t recording);

/**
 * runs_reopen() - close all files, so that the next buffers open them anew
 *
 * After a change of @config or a rotation of the files.
 */
void runs_reopen(struct runs *runs);

/** runs_close() - close all files; 0, or the last error */
int runs_close(struct runs *runs);

/** runs_last_complete() - the highest run whose buffers have all come; 0 = none */
uint64_t runs_last_complete(const struct runs *runs);

/** runs_is_stalled() - the last attempt to write failed */
bool runs_is_stalled(const struct runs *runs);

#endif /* EVTLOG_LOGD_RUNS_H */
