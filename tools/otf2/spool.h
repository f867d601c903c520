/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of locations that have no writer of OTF2 yet, in one file without a name.
 *
 * Stage: between location.c and the disk.  A writer of OTF2 takes 256 KiB for each location, however
 * few events it has; here a location takes one extent, and gets its writer when it is closed.  It
 * does not know what the events mean.
 */
#ifndef EVTLOG_OTF2_SPOOL_H
#define EVTLOG_OTF2_SPOOL_H

#include <stdint.h>

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

/* NULL: there is no memory.  spooled_free() it. */
struct spooled *spooled_new(struct spool *spool);
void spooled_free(struct spool *spool, struct spooled *spooled);

/* Adds an event, not earlier than the last one.  0, -ENOMEM, or -errno of the file. */
int spooled_put(struct spool *spool, struct spooled *spooled, const struct spool_event *event);

/*
 * Takes the next event, from the first on; none is added any more.  1; 0: there is none; -errno of
 * the file.
 */
int spooled_take(struct spool *spool, struct spooled *spooled, struct spool_event *event);

#endif /* EVTLOG_OTF2_SPOOL_H */
