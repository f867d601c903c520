/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An OTF2 archive that appears complete or not at all.
 *
 * Stage: between locations (location.h) and OTF2's library.  It does not handle events: it has the
 * directory, the writers, and definitions that consist of a name.
 */
#ifndef EVTLOG_OTF2_ARCHIVE_H
#define EVTLOG_OTF2_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "export/directory.h"

/* ---- Spool: events of locations that have no writer of OTF2 yet, in one nameless file ---- */

#define SPOOL_EXTENT_BYTES	2048
#define SPOOL_VALUES		7

enum spool_kind {
	SPOOL_END,	/* end of an extent */
	SPOOL_ENTER,	/* region */
	SPOOL_LEAVE,	/* region */
	SPOOL_SEND,	/* location, tag */
	SPOOL_RECEIVE,	/* location, tag */
	SPOOL_METRIC,	/* class, values */
	SPOOL_ATTRIBUTE, /* for the next parameter: number, OTF2_Type, value */
	SPOOL_PARAMETER, /* number, value */
};

struct spool_event {
	uint64_t time_ns;
	enum spool_kind kind;
	unsigned int count;
	uint64_t values[SPOOL_VALUES];
};

/*
 * @fd:		-1 if there is no file yet
 * @directory:	directory of the file; NULL: the spool has not begun
 * @extents:	number of extents in the file
 * @locations:	locations that use the spool; if 0, the file is written from its start again
 */
struct spool {
	int fd;
	const char *directory;
	uint32_t extents;
	uint32_t locations;
};

/* Events of one location in the order of time */
struct spooled;

/* @directory must outlive @spool.  The file is made when first needed. */
void spool_begin(struct spool *spool, const char *directory);
void spool_end(struct spool *spool);

/* ---- An archive ---- */

/*
 * @list:	attributes of the current event
 * @spool:	events of locations without a writer of OTF2
 * @writers:	open writers of OTF2
 * @evt, @def:	OTF2's event or definition files are open
 * @strings, @regions, @attributes, @parameters: numbers of definitions so far
 * @error:	first error of OTF2; @cause: its errno, or 0
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

/* Makes the temporary directory.  Returns an exit status, after an error message. */
int archive_begin(struct archive *archive, const char *path);

/* Call it after all events, before definitions of locations. */
void archive_close_events(struct archive *archive);

/*
 * Syncs the files and renames the archive to its path; all writers must be closed.  Returns an exit
 * status, after an error message.
 */
int archive_finish(struct archive *archive);

/* Removes the archive, unless it is finished. */
void archive_discard(struct archive *archive);

/* From now on, errors of OTF2 set @error of the archive. */
void archive_catch_errors(struct archive *archive);

/* Keeps @error of a function of OTF2, if it is the first error. */
void archive_check_error(struct archive *archive, OTF2_ErrorCode error);

/* Keeps @error, 0 or -errno, if it is the first error. */
void archive_check_errno(struct archive *archive, int error);

/* Defines a string, and replaces invalid UTF-8 and control characters.  Returns its number. */
uint32_t archive_string(struct archive *archive, const char *text);

/* Defines a region; @kind is its description.  Returns its number; the first is 0. */
uint32_t archive_region(struct archive *archive, const char *name, uint32_t kind,
			OTF2_RegionRole role);

/* Defines an attribute of events, or a parameter of type INT64.  Returns its number. */
uint32_t archive_attribute(struct archive *archive, uint32_t name, OTF2_Type type);
uint32_t archive_parameter(struct archive *archive, uint32_t name);

/* ---- OTF2's memory for each location ---- */

/* One chunk for each buffer of OTF2, which writes it when full; by default OTF2 takes 128 MiB. */
extern const OTF2_MemoryCallbacks memory_callbacks;

/*
 * memory_limit() - disable or enable the buffers of OTF2's files
 *
 * They take 4 MiB each, and are useless in addition to the chunks.
 */
void memory_limit(bool limits);

#endif /* EVTLOG_OTF2_ARCHIVE_H */
