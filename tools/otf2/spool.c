// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of locations that have no writer of OTF2 yet, in one file without a name.
 *
 *	extent: events, and SPOOL_END if there is room for it
 *	event:  kind, and how many values << 4; ns since the event before, and values, as LEB128
 *
 * Extents of a location are where the file ended when they were full.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/io.h"
#include "spool.h"

#define VARINT_BYTES	10
#define EVENT_BYTES	(1 + VARINT_BYTES * (1 + SPOOL_VALUES))

/*
 * @last_ns:	of the last event that was put, or taken
 * @extents:	numbers of those in the file; @taken: so many are read
 * @used:	of @bytes, which are the last extent; when events are taken the one that is read
 * @at:		what was taken of it
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

struct spooled *spooled_new(struct spool *spool)
{
	struct spooled *spooled = malloc(sizeof(*spooled));

	if (!spooled)
		return NULL;
	/* Pages of @bytes are touched when they are needed. */
	memset(spooled, 0, offsetof(struct spooled, bytes));
	if (!spool->locations++)
		spool->extents = 0;
	return spooled;
}

void spooled_free(struct spool *spool, struct spooled *spooled)
{
	if (!spooled)
		return;
	spool->locations--;
	free(spooled->extents);
	free(spooled);
}

/* ---- Extents ---- */

/* Beside the archive, if its file system has such files. */
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

/* 1, or 0: there is none any more. */
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

int spooled_put(struct spool *spool, struct spooled *spooled, const struct spool_event *event)
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

/* What is not in the file yet comes last. */
static int begin_taking(struct spool *spool, struct spooled *spooled)
{
	int error = spooled->count ? write_extent(spool, spooled) : 0;

	spooled->takes = true;
	spooled->last_ns = 0;
	return error;
}

int spooled_take(struct spool *spool, struct spooled *spooled, struct spool_event *event)
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
