// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes large payloads directly from memory to the disk, without the page cache.
 *
 * Stage: between a kernel buffer and the file.  For 4,096 bytes, the page cache needs as
 * many instructions as the rest of logd's work.  Partial pages are written through it: each page
 * of the file is written in one form only, never in both.
 */
#include <errno.h>
#include <fcntl.h>

#include "direct.h"
#include "lib/base/io.h"

/* At least as large as the pages of all supported processors and the blocks of disks. */
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

	/* A filler needs room for its own header. */
	if (payload != tail + header_bytes && payload - header_bytes - tail < header_bytes)
		payload += PAGE_BYTES;
	return payload - header_bytes;
}

/* Sets how the file is written next: fcntl() changes only O_DIRECT here. */
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
