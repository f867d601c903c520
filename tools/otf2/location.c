// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens, spools and closes the events of a location of an OTF2 archive.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive.h"
#include "lib/base/array.h"
#include "lib/base/io.h"
#include "location.h"

/* ---- Spool: events of locations that have no writer of OTF2 yet, in one nameless file ---- */

/*
 * 	extent: events, then SPOOL_END if there is space
 * 	event:  kind | number of values << 4; ns since the previous event, and the values, as LEB128
 *
 * A full extent is appended to the file.
 */

#define VARINT_BYTES	10
#define EVENT_BYTES	(1 + VARINT_BYTES * (1 + SPOOL_VALUES))

/*
 * @last_ns:	time of the last event that was added, or read
 * @extents:	numbers of its @count extents in the file; @taken: number of extents read
 * @takes:	reading has begun
 * @used:	used bytes in @bytes, the current extent
 * @at:		number of bytes read from @bytes
 */
struct spooled {
	uint64_t last_ns;
	uint32_t *extents;
	size_t count;
	size_t capacity;
	size_t taken;
	bool takes;
	unsigned int used;
	unsigned int at;
	uint8_t bytes[SPOOL_EXTENT_BYTES];
};

void spool_begin(struct spool *spool, const char *directory)
{
	*spool = (struct spool) { .fd = -1, .directory = directory };
}

void spool_end(struct spool *spool)
{
	if (spool->directory && spool->fd >= 0)
		close(spool->fd);
	spool->directory = NULL;
}

/* Returns NULL without memory.  Free it with spooled_free(). */
static struct spooled *spooled_new(struct spool *spool)
{
	struct spooled *spooled = malloc(sizeof(*spooled));

	if (!spooled)
		return NULL;
	/* Do not touch pages of @bytes before they are needed. */
	memset(spooled, 0, offsetof(struct spooled, bytes));
	if (!spool->locations++)
		spool->extents = 0;
	return spooled;
}

static void spooled_free(struct spool *spool, struct spooled *spooled)
{
	if (!spooled)
		return;
	spool->locations--;
	free(spooled->extents);
	free(spooled);
}

/* ---- Extents ---- */

/* Makes the file in the archive's directory, or elsewhere if its file system lacks O_TMPFILE. */
static int open_file(struct spool *spool)
{
	if (spool->fd >= 0)
		return 0;
	spool->fd = open(spool->directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (spool->fd < 0)
		spool->fd = nameless_file();
	return spool->fd < 0 ? spool->fd : 0;
}

static int write_extent(struct spool *spool, struct spooled *spooled)
{
	int error = open_file(spool);

	if (!error)
		error = array_reserve(&spooled->extents, &spooled->capacity, spooled->count,
				      sizeof(*spooled->extents));
	if (error)
		return error;
	if (spooled->used < SPOOL_EXTENT_BYTES)
		spooled->bytes[spooled->used] = SPOOL_END;
	error = io_write_at(spool->fd, spooled->bytes, SPOOL_EXTENT_BYTES,
			    (uint64_t)spool->extents * SPOOL_EXTENT_BYTES);
	if (error)
		return error;
	spooled->extents[spooled->count++] = spool->extents++;
	spooled->used = 0;
	return 0;
}

/* Returns 1; 0 if there is no more extent; -errno. */
static int read_extent(struct spool *spool, struct spooled *spooled)
{
	ssize_t bytes;

	if (spooled->taken == spooled->count)
		return 0;
	bytes = io_read_at(spool->fd, spooled->bytes, SPOOL_EXTENT_BYTES,
			   (uint64_t)spooled->extents[spooled->taken++] * SPOOL_EXTENT_BYTES);
	if (bytes < 0)
		return bytes;
	if (bytes < SPOOL_EXTENT_BYTES)
		return -EIO;
	spooled->at = 0;
	spooled->used = SPOOL_EXTENT_BYTES;
	return 1;
}

/* ---- Events ---- */

static uint8_t *put_number(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = number | 0x80;
	*at++ = number;
	return at;
}

static uint64_t take_number(struct spooled *spooled)
{
	unsigned int shift = 0;
	uint64_t number = 0;
	uint8_t byte;

	do {
		byte = spooled->bytes[spooled->at++];
		number |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return number;
}

/* Adds an event, not earlier than the last one.  Returns 0, -ENOMEM, or -errno of the file. */
static int spooled_put(struct spool *spool, struct spooled *spooled,
		       const struct spool_event *event)
{
	int error = spooled->used + EVENT_BYTES > SPOOL_EXTENT_BYTES ?
		    write_extent(spool, spooled) : 0;
	uint8_t *at = spooled->bytes + spooled->used;

	if (error)
		return error;
	*at++ = event->kind | event->count << 4;
	at = put_number(at, event->time_ns - spooled->last_ns);
	for (unsigned int i = 0; i < event->count; i++)
		at = put_number(at, event->values[i]);
	spooled->last_ns = event->time_ns;
	spooled->used = at - spooled->bytes;
	return 0;
}

/* If the file has extents, appends the current one, because it must be read last. */
static int begin_taking(struct spool *spool, struct spooled *spooled)
{
	int error = spooled->count ? write_extent(spool, spooled) : 0;

	spooled->takes = true;
	spooled->last_ns = 0;
	return error;
}

/*
 * Reads the next event, starting with the first; no event may be added any more.  Returns 1; 0 at
 * the end; -errno of the file.
 */
static int spooled_take(struct spool *spool, struct spooled *spooled, struct spool_event *event)
{
	int result = spooled->takes ? 0 : begin_taking(spool, spooled);

	if (result)
		return result;
	if (spooled->at == spooled->used || !spooled->bytes[spooled->at]) {
		result = read_extent(spool, spooled);
		if (result <= 0)
			return result;
	}
	event->kind = spooled->bytes[spooled->at] & 0xf;
	event->count = spooled->bytes[spooled->at++] >> 4;
	event->time_ns = spooled->last_ns + take_number(spooled);
	for (unsigned int i = 0; i < event->count; i++)
		event->values[i] = take_number(spooled);
	spooled->last_ns = event->time_ns;
	return 1;
}

/* ---- Locations ---- */

/* Locations that have a writer of OTF2 from their start; they take 8 MiB. */
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

/* ---- Events of a location ---- */

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

/* ---- Close ---- */

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
