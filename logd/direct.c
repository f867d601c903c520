// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes large payloads from where they lie to the disk, past the page cache.
 *
 * Stage: between a kernel buffer and the run file.  Of 4,096 bytes the page cache takes as many
 * instructions as all else that logd does with them.  What is no whole page goes through it: the
 * file's pages are of one kind or the other, never of both.
 */
#include <errno.h>
#include <fcntl.h>

#include "direct.h"
#include "lib/base/io.h"

/* Larger than the page of any processor that logd runs on, or the block of a disk */
#define PAGE_BYTES	UINT64_C(4096)

/* A write costs as much as some pages. */
#define WORTH_BYTES	65536

size_t direct_bytes(size_t bytes)
{
	return bytes & ~(PAGE_BYTES - 1);
}

bool direct_is_worth(const void *payload, size_t bytes)
{
	return bytes >= WORTH_BYTES && !((uintptr_t)payload & (PAGE_BYTES - 1));
}

uint64_t direct_offset(uint64_t tail, size_t header_bytes)
{
	uint64_t payload = (tail + header_bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);

	/* A filler has a header, too. */
	if (payload != tail + header_bytes && payload - header_bytes - tail < header_bytes)
		payload += PAGE_BYTES;
	return payload - header_bytes;
}

/* How a file is written next; the status flags that can be set are O_DIRECT alone. */
static bool set_direct(int fd, bool is_direct)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 &&
	       !fcntl(fd, F_SETFL, is_direct ? flags | O_DIRECT : flags & ~O_DIRECT);
}

int direct_write_at(int fd, const void *payload, size_t bytes, uint64_t offset, bool *is_direct)
{
	int error = -EINVAL;

	if (set_direct(fd, true)) {
		error = io_write_at(fd, payload, bytes, offset);
		if (!set_direct(fd, false))
			return -errno;
	}
	if (error != -EINVAL)
		return error;
	*is_direct = false;
	return io_write_at(fd, payload, bytes, offset);
}
