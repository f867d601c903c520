/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A location of an OTF2 archive: the regions that it is in, what enters and leaves them, messages,
 * counters and parameters.
 *
 * A writer of OTF2 takes 256 KiB: locations beyond the first ones of an archive have their events in
 * a spool until they are closed.
 *
 * Times of a location never step back: its owner sees to that.
 */
#ifndef EVTLOG_OTF2_LOCATION_H
#define EVTLOG_OTF2_LOCATION_H

#include "archive.h"

/* A task, a system call, exceptions, and interrupts as deep as lib/stream/context.h has them */
#define LOCATION_DEPTH	16
#define LOCATION_COUNTERS	(SPOOL_VALUES - 1)

/*
 * @writer, @spooled: where its events go; both NULL: nothing is written of it, but what it is in is
 *		known
 * @id:		OTF2's number
 * @group:	location group, which is the CPU's number in the archive
 * @events:	written, once it is closed
 */
struct location {
	OTF2_EvtWriter *writer;
	struct spooled *spooled;
	uint64_t id;
	uint64_t events;
	uint32_t group;
	unsigned int depth;
	uint32_t at[LOCATION_DEPTH];
};

/* Writes what it is in: before, nothing of it was written. */
void location_open(struct location *location, struct archive *archive, uint64_t time_ns);

/* Ends its events; its number of events is known from here on. */
void location_close(struct location *location, struct archive *archive);

/* What was not closed, as an error came before. */
void location_free(struct location *location, struct archive *archive);

/* To where no writer is. */
void location_spool(struct location *location, struct archive *archive, uint64_t time_ns,
		    enum spool_kind kind, const uint64_t *values, unsigned int count);

/* A message of a byte; @other is the location at its other end. */
void location_send(struct location *location, struct archive *archive, uint64_t time_ns,
		   uint64_t other, uint32_t tag);
void location_receive(struct location *location, struct archive *archive, uint64_t time_ns,
		      uint64_t other, uint32_t tag);

/* Counters of a class, at most LOCATION_COUNTERS. */
void location_count(struct location *location, struct archive *archive, uint64_t time_ns,
		    uint32_t class, const uint64_t *values, unsigned int count);

/* An attribute of the next parameter: @value is a number in OTF2's form, or the number of a string. */
void location_attribute(struct location *location, struct archive *archive, uint64_t time_ns,
			uint32_t attribute, OTF2_Type type, uint64_t value);
void location_parameter(struct location *location, struct archive *archive, uint64_t time_ns,
			uint32_t parameter, int64_t value);

static inline bool location_is_open(const struct location *location)
{
	return location->writer || location->spooled;
}

static inline void location_leave(struct location *location, struct archive *archive,
				  uint64_t time_ns, uint64_t region)
{
	if (location->writer)
		archive_check_error(archive, OTF2_EvtWriter_Leave(location->writer, NULL, time_ns,
								  region));
	else if (location->spooled)
		location_spool(location, archive, time_ns, SPOOL_LEAVE, &region, 1);
}

static inline void location_enter(struct location *location, struct archive *archive,
				  uint64_t time_ns, uint64_t region)
{
	if (location->writer)
		archive_check_error(archive, OTF2_EvtWriter_Enter(location->writer, NULL, time_ns,
								  region));
	else if (location->spooled)
		location_spool(location, archive, time_ns, SPOOL_ENTER, &region, 1);
}

/* location_set() - leaves and enters what is needed to be in @regions, the outermost first */
static inline void location_set(struct location *location, struct archive *archive,
				uint64_t time_ns, const uint32_t *regions, unsigned int count)
{
	unsigned int same = 0;

	while (same < location->depth && same < count && location->at[same] == regions[same])
		same++;
	while (location->depth > same) {
		location->depth--;
		location_leave(location, archive, time_ns, location->at[location->depth]);
	}
	while (location->depth < count) {
		location->at[location->depth] = regions[location->depth];
		location_enter(location, archive, time_ns, regions[location->depth]);
		location->depth++;
	}
}

#endif /* EVTLOG_OTF2_LOCATION_H */
