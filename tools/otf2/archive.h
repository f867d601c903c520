/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An OTF2 archive that is there whole or not at all.
 *
 * Stage: between what a log is shown as (location.h) and OTF2's library.  It does not know
 * events: it holds the directory, the writers, and definitions that need nothing but a name.
 */
#ifndef EVTLOG_OTF2_ARCHIVE_H
#define EVTLOG_OTF2_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "export/directory.h"

/* ---- Events of locations that have no writer of OTF2 yet ---- */

/* In one file without a name. */

#define SPOOL_EXTENT_BYTES	2048
#define SPOOL_VALUES		7

enum spool_kind {
	SPOOL_END,	/* of an extent */
	SPOOL_ENTER,	/* region */
	SPOOL_LEAVE,	/* region */
	SPOOL_SEND,	/* location, tag */
	SPOOL_RECEIVE,	/* location, tag */
	SPOOL_METRIC,	/* class, values */
	SPOOL_ATTRIBUTE, /* of the next parameter: number, OTF2_Type, value */
	SPOOL_PARAMETER, /* number, value */
};

struct spool_event {
	uint64_t time_ns;
	enum spool_kind kind;
	unsigned int count;
	uint64_t values[SPOOL_VALUES];
};

/*
 * @fd:		-1: there is no file yet
 * @directory:	where the file is made; NULL: the spool has not begun
 * @extents:	that the file has
 * @locations:	whose events are in it: when there are none any more it begins anew
 */
struct spool {
	int fd;
	const char *directory;
	uint32_t extents;
	uint32_t locations;
};

/* The events of one location, in the order of time. */
struct spooled;

/* @directory must live as long.  The file is made when it is needed. */
void spool_begin(struct spool *spool, const char *directory);
void spool_end(struct spool *spool);

/* ---- An archive ---- */

/*
 * @spool:	events of locations beyond the first @writers that have writers of OTF2
 * @evt, @def:	OTF2's files of these kinds are open
 * @list:	attributes of the event that is written
 * @strings, @regions, @attributes, @parameters: defined so far
 * @error:	the first error of OTF2; @cause: errno of it, or 0
 */
struct archive {
	struct directory directory;
	OTF2_Archive *handle;
	OTF2_GlobalDefWriter *global;
	OTF2_AttributeList *list;
	struct spool spool;
	unsigned int writers;
	bool evt;
	bool def;
	uint32_t strings;
	uint32_t regions;
	uint32_t attributes;
	uint32_t parameters;
	OTF2_ErrorCode error;
	int cause;
};

#define ARCHIVE_NO_STRING	0	/* "" */

/* Makes the temporary directory.  An exit status, after saying what is wrong. */
int archive_begin(struct archive *archive, const char *path);

/* No events come any more, but definitions of locations. */
void archive_close_events(struct archive *archive);

/*
 * Waits for the disk and gives the archive its name, once all writers are closed.  An exit
 * status, after saying what is wrong: then nothing is left of it.
 */
int archive_finish(struct archive *archive);

/* Takes away what there is, unless it is finished. */
void archive_discard(struct archive *archive);

/* Errors of OTF2 are the archive's from now on, if they were another's meanwhile. */
void archive_catch_errors(struct archive *archive);

/* Takes note of what a function of OTF2 returns. */
void archive_check_error(struct archive *archive, OTF2_ErrorCode error);

/* The same of what returns 0 or -errno. */
void archive_check_errno(struct archive *archive, int error);

/* Defines a string, which may be anything: what is not UTF-8, or can't be seen, is replaced. */
uint32_t archive_string(struct archive *archive, const char *text);

/* Defines a region; @kind is its description.  Returns its number; the first is 0. */
uint32_t archive_region(struct archive *archive, const char *name, uint32_t kind,
			OTF2_RegionRole role);

/* Defines an attribute of events, or a parameter, which is an INT64.  Returns its number. */
uint32_t archive_attribute(struct archive *archive, uint32_t name, OTF2_Type type);
uint32_t archive_parameter(struct archive *archive, uint32_t name);

/* ---- What memory OTF2 has for each location ---- */

/* One chunk, so that a log's size does not matter. */

/* A chunk for each buffer of OTF2, which writes it out when it is full: else it takes 128 MiB. */
extern const OTF2_MemoryCallbacks memory_callbacks;

/*
 * memory_limit() - OTF2's files have no buffers from now on, or again
 *
 * They are 4 MiB each, and behind the chunks of no use.
 */
void memory_limit(bool limits);

#endif /* EVTLOG_OTF2_ARCHIVE_H */
