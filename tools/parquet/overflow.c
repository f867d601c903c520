// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bytes that wait for the end of a file: in memory, and in a file without a name.
 *
 * Called by file.c.
 */
#include <unistd.h>

#include "lib/base/io.h"
#include "overflow.h"

/* Of one file; there may be 50. */
#define HELD_MAX	(128u << 10)

static int spill(struct overflow *overflow)
{
	int error;

	if (!overflow->spilled) {
		overflow->fd = nameless_file();
		if (overflow->fd < 0)
			return overflow->fd;
	}
	error = io_write_at(overflow->fd, overflow->held.at, overflow->held.count,
			    overflow->spilled);
	overflow->spilled += overflow->held.count;
	overflow->held.count = 0;
	return error;
}

int overflow_put(struct overflow *overflow, const void *bytes, size_t count)
{
	bytes_put(&overflow->held, bytes, count);
	if (overflow->held.error)
		return overflow->held.error;
	return overflow->held.count > HELD_MAX ? spill(overflow) : 0;
}

int overflow_take(struct overflow *overflow, void *bytes, size_t count)
{
	uint64_t left = overflow->taken < overflow->spilled ?
			overflow->spilled - overflow->taken : 0;
	size_t there = count < left ? count : left;

	if (there) {
		ssize_t got = io_read_at(overflow->fd, bytes, there, overflow->taken);

		if (got < 0)
			return got;
		if ((size_t)got != there)
			return -EIO;
	}
	overflow->taken += there;
	if (count == there)
		return 0;
	memcpy((char *)bytes + there, overflow->held.at + (overflow->taken - overflow->spilled),
	       count - there);
	overflow->taken += count - there;
	return 0;
}

void overflow_free(struct overflow *overflow)
{
	if (overflow->spilled)
		close(overflow->fd);
	bytes_free(&overflow->held);
	memset(overflow, 0, sizeof(*overflow));
}
