// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A location of an OTF2 archive: how its events begin and end.
 */
#include "location.h"

void location_open(struct location *location, struct archive *archive, uint64_t time_ns)
{
	location->writer = OTF2_Archive_GetEvtWriter(archive->handle, location->id);
	if (!location->writer) {
		archive_check_error(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	for (unsigned int i = 0; i < location->depth; i++)
		archive_check_error(archive, OTF2_EvtWriter_Enter(location->writer, NULL, time_ns,
								  location->at[i]));
}

void location_close(struct location *location, struct archive *archive)
{
	if (!location->writer)
		return;
	archive_check_error(archive, OTF2_EvtWriter_GetNumberOfEvents(location->writer,
								      &location->events));
	archive_check_error(archive, OTF2_Archive_CloseEvtWriter(archive->handle,
								 location->writer));
	location->writer = NULL;
}
