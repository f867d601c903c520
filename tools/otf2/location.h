/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A location of an OTF2 archive: the regions that it is in, and what enters and leaves them.
 *
 * Times of a location never step back: its owner sees to that.
 */
#ifndef EVTLOG_OTF2_LOCATION_H
#define EVTLOG_OTF2_LOCATION_H

#include "archive.h"

/* A task, a system call, exceptions, and interrupts as deep as lib/stream/context.h has them */
#define LOCATION_DEPTH	16

/*
 * @writer:	NULL: nothing is written of it, but what it is in is known
 * @id:		OTF2's number
 * @group:	location group, which is the CPU's number in the archive
 * @events:	written, once it is closed
 */
struct location {
	OTF2_EvtWriter *writer;
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

/* location_set() - leaves and enters what is needed to be in @regions, the outermost first */
static inline void location_set(struct location *location, struct archive *archive,
				uint64_t time_ns, const uint32_t *regions, unsigned int count)
{
	unsigned int same = 0;

	while (same < location->depth && same < count && location->at[same] == regions[same])
		same++;
	while (location->depth > same) {
		location->depth--;
		if (location->writer)
			archive_check_error(archive,
				OTF2_EvtWriter_Leave(location->writer, NULL, time_ns,
						     location->at[location->depth]));
	}
	while (location->depth < count) {
		location->at[location->depth] = regions[location->depth];
		if (location->writer)
			archive_check_error(archive,
				OTF2_EvtWriter_Enter(location->writer, NULL, time_ns,
						     regions[location->depth]));
		location->depth++;
	}
}

#endif /* EVTLOG_OTF2_LOCATION_H */
