// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How right the times of several hosts are: clock offsets of their locations.
 */
#include "offsets.h"

void offsets_take(struct offsets *offsets, const struct evtlog_clocksync *clocks, size_t number,
		  const struct evtlog_file *file)
{
	uint64_t begin_ns = evtlog_begin_ns(file);
	uint64_t length_ns = evtlog_end_ns(file) - begin_ns;

	for (unsigned int i = 0; i < OFFSET_POINTS; i++) {
		uint64_t raw_ns = begin_ns + length_ns / (OFFSET_POINTS - 1) * i;
		uint64_t time_ns = evtlog_clocksync_time(clocks, number, raw_ns);
		uint64_t error_ns = evtlog_clocksync_bound(clocks, number, raw_ns);

		/* Nothing relates it to the others: OTF2 has no way to say that. */
		if (error_ns == UINT64_MAX)
			continue;
		if (offsets->points && offsets->time_ns[offsets->points - 1] >= time_ns)
			continue;
		offsets->time_ns[offsets->points] = time_ns;
		offsets->error_ns[offsets->points++] = error_ns;
	}
}

static void write_location(const struct offsets *offsets, struct archive *archive, uint64_t id)
{
	OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive->handle, id);

	if (!writer) {
		archive_check_error(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	for (unsigned int i = 0; i < offsets->points; i++)
		archive_check_error(archive,
			OTF2_DefWriter_WriteClockOffset(writer, offsets->time_ns[i], 0,
							offsets->error_ns[i]));
	archive_check_error(archive, OTF2_Archive_CloseDefWriter(archive->handle, writer));
}

void offsets_write(const struct offsets *offsets, size_t count, struct archive *archive)
{
	archive_close_events(archive);
	for (size_t i = 0; i < count && !archive->error; i++) {
		for (uint64_t id = offsets[i].cpus[0]; id < offsets[i].cpus[1]; id++)
			write_location(&offsets[i], archive, id);
		for (uint64_t id = offsets[i].streams[0]; id < offsets[i].streams[1]; id++)
			write_location(&offsets[i], archive, id);
	}
}
