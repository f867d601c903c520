// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A location of an OTF2 archive: how its events begin and end, and where they are until then.
 */
#include <errno.h>

#include "location.h"

/* So many have a writer of OTF2 from their start: 8 MiB. */
#define WRITERS_MAX	32

static OTF2_EvtWriter *open_writer(const struct location *location, struct archive *archive)
{
	OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive->handle, location->id);

	if (!writer)
		archive_check_error(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
	return writer;
}

void location_open(struct location *location, struct archive *archive, uint64_t time_ns)
{
	if (archive->writers < WRITERS_MAX) {
		location->writer = open_writer(location, archive);
		archive->writers += !!location->writer;
	} else {
		location->spooled = spooled_new(&archive->spool);
		if (!location->spooled)
			archive_check_errno(archive, -ENOMEM);
	}
	for (unsigned int i = 0; i < location->depth; i++)
		location_enter(location, archive, time_ns, location->at[i]);
}

/* ---- What it tells ---- */

void location_spool(struct location *location, struct archive *archive, uint64_t time_ns,
		    enum spool_kind kind, const uint64_t *values, unsigned int count)
{
	struct spool_event event = { .time_ns = time_ns, .kind = kind, .count = count };

	for (unsigned int i = 0; i < count; i++)
		event.values[i] = values[i];
	archive_check_errno(archive, spooled_put(&archive->spool, location->spooled, &event));
}

static OTF2_ErrorCode add_attribute(OTF2_AttributeList *attributes, const uint64_t *values)
{
	OTF2_AttributeValue value = { .uint64 = values[2] };

	if (values[1] == OTF2_TYPE_STRING)
		value.stringRef = values[2];
	return OTF2_AttributeList_AddAttribute(attributes, values[0], values[1], value);
}

static OTF2_ErrorCode write_event(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
				  const struct spool_event *event)
{
	static const OTF2_Type types[LOCATION_COUNTERS] = {
		OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64,
		OTF2_TYPE_UINT64, OTF2_TYPE_UINT64,
	};
	const uint64_t *values = event->values;
	OTF2_MetricValue counters[LOCATION_COUNTERS];

	switch (event->kind) {
	case SPOOL_ENTER:
		return OTF2_EvtWriter_Enter(writer, NULL, event->time_ns, values[0]);
	case SPOOL_LEAVE:
		return OTF2_EvtWriter_Leave(writer, NULL, event->time_ns, values[0]);
	case SPOOL_SEND:
		return OTF2_EvtWriter_MpiSend(writer, NULL, event->time_ns, values[0], 0, values[1], 1);
	case SPOOL_RECEIVE:
		return OTF2_EvtWriter_MpiRecv(writer, NULL, event->time_ns, values[0], 0, values[1], 1);
	case SPOOL_METRIC:
		for (unsigned int i = 1; i < event->count; i++)
			counters[i - 1].unsigned_int = values[i];
		return OTF2_EvtWriter_Metric(writer, NULL, event->time_ns, values[0],
					     event->count - 1, types, counters);
	case SPOOL_ATTRIBUTE:
		return add_attribute(attributes, values);
	case SPOOL_PARAMETER:
		return OTF2_EvtWriter_ParameterInt(writer, attributes, event->time_ns, values[0],
						   values[1]);
	case SPOOL_END:
		break;
	}
	return OTF2_ERROR_INVALID_DATA;
}

static void put(struct location *location, struct archive *archive,
		const struct spool_event *event)
{
	if (location->writer)
		archive_check_error(archive, write_event(location->writer, archive->list,
							 event));
	else if (location->spooled)
		archive_check_errno(archive, spooled_put(&archive->spool, location->spooled, event));
}

void location_send(struct location *location, struct archive *archive, uint64_t time_ns,
		   uint64_t other, uint32_t tag)
{
	put(location, archive, &(struct spool_event) { time_ns, SPOOL_SEND, 2, { other, tag } });
}

void location_receive(struct location *location, struct archive *archive, uint64_t time_ns,
		      uint64_t other, uint32_t tag)
{
	put(location, archive, &(struct spool_event) { time_ns, SPOOL_RECEIVE, 2, { other, tag } });
}

void location_count(struct location *location, struct archive *archive, uint64_t time_ns,
		    uint32_t class, const uint64_t *values, unsigned int count)
{
	struct spool_event event = { time_ns, SPOOL_METRIC, 1 + count, { class } };

	for (unsigned int i = 0; i < count; i++)
		event.values[1 + i] = values[i];
	put(location, archive, &event);
}

void location_attribute(struct location *location, struct archive *archive, uint64_t time_ns,
			uint32_t attribute, OTF2_Type type, uint64_t value)
{
	put(location, archive,
	    &(struct spool_event) { time_ns, SPOOL_ATTRIBUTE, 3, { attribute, type, value } });
}

void location_parameter(struct location *location, struct archive *archive, uint64_t time_ns,
			uint32_t parameter, int64_t value)
{
	put(location, archive,
	    &(struct spool_event) { time_ns, SPOOL_PARAMETER, 2, { parameter, value } });
}

/* ---- Its end ---- */

static void write_spooled(struct location *location, struct archive *archive)
{
	struct spool_event event;
	int result = 0;

	location->writer = open_writer(location, archive);
	if (!location->writer)
		return;
	archive->writers++;
	while (!archive->error &&
	       (result = spooled_take(&archive->spool, location->spooled, &event)) > 0)
		archive_check_error(archive, write_event(location->writer, archive->list,
							 &event));
	if (result < 0)
		archive_check_errno(archive, result);
}

void location_close(struct location *location, struct archive *archive)
{
	if (location->spooled)
		write_spooled(location, archive);
	location_free(location, archive);
	if (!location->writer)
		return;
	archive_check_error(archive, OTF2_EvtWriter_GetNumberOfEvents(location->writer,
								      &location->events));
	archive_check_error(archive, OTF2_Archive_CloseEvtWriter(archive->handle,
								 location->writer));
	location->writer = NULL;
	archive->writers--;
}

void location_free(struct location *location, struct archive *archive)
{
	spooled_free(&archive->spool, location->spooled);
	location->spooled = NULL;
}
