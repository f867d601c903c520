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
#include "spool.h"

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

/* Why it can't be written; NULL: it can. */
const char *archive_error(const struct archive *archive);

/* Defines a string, which may be anything: what is not UTF-8, or can't be seen, is replaced. */
uint32_t archive_string(struct archive *archive, const char *text);

/* Defines a region; @kind is its description.  Returns its number; the first is 0. */
uint32_t archive_region(struct archive *archive, const char *name, uint32_t kind,
			OTF2_RegionRole role);

/* Defines an attribute of events, or a parameter, which is an INT64.  Returns its number. */
uint32_t archive_attribute(struct archive *archive, uint32_t name, OTF2_Type type);
uint32_t archive_parameter(struct archive *archive, uint32_t name);

#endif /* EVTLOG_OTF2_ARCHIVE_H */
