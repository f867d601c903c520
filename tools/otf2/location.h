/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A location of an OTF2 archive: its current regions, and its events: enter, leave, messages,
 * counters and parameters.
 *
 * Stage: between CPUs or threads (cpu.h, thread.h) and OTF2's writers.  A writer takes 256 KiB, so
 * only the first locations have one; events of others are in a spool until the location is closed.
 *
 * The caller must ensure that times of a location do not decrease.
 */
#ifndef EVTLOG_OTF2_LOCATION_H
#define EVTLOG_OTF2_LOCATION_H

#include "archive.h"

/* A task, a system call, exceptions, and the interrupts of lib/stream/context.h */
#define LOCATION_DEPTH	16
#define LOCATION_COUNTERS	(SPOOL_VALUES - 1)

/*
 * @writer, @spooled: destination of events; both NULL: events are not written
 * @id:		OTF2's number
 * @events:	number of written events, set when the location is closed
 * @group:	location group; for locations of CPUs the CPU's number in the archive
 * @depth, @at:	current regions, the outermost first
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

/* Starts to write events: enters the current regions. */
void location_open(struct location *location, struct archive *archive, uint64_t time_ns);

/* Ends the events and sets @events. */
void location_close(struct location *location, struct archive *archive);

/* Frees a location, also if it was not closed because of an error. */
void location_free(struct location *location, struct archive *archive);

/* Adds an event to the spool. */
void location_spool(struct location *location, struct archive *archive, uint64_t time_ns,
		    enum spool_kind kind, const uint64_t *values, unsigned int count);

/* Send or receive a message of one byte; @other is the location at the other end. */
void location_send(struct location *location, struct archive *archive, uint64_t time_ns,
		   uint64_t other, uint32_t tag);
void location_receive(struct location *location, struct archive *archive, uint64_t time_ns,
		      uint64_t other, uint32_t tag);

/* Writes the counters of a class, at most LOCATION_COUNTERS. */
void location_count(struct location *location, struct archive *archive, uint64_t time_ns,
		    uint32_t class, const uint64_t *values, unsigned int count);

/* Adds an attribute to the next parameter; @value is a number, or the number of a string. */
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

/* location_set() - leave and enter regions until the current ones are @regions, outermost first */
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
