// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A file without a name, for buffers that do not fit into memory at once.
 *
 * What is never written takes no room.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "spill.h"

#define SLOT_ALIGN	4096u

void spill_init(struct spill *spill, size_t piece_bytes)
{
	memset(spill, 0, sizeof(*spill));
	spill->fd = -1;
	spill->piece_bytes = piece_bytes;
}

void spill_free(struct spill *spill)
{
	if (spill->fd >= 0)
		close(spill->fd);
	free(spill->loaded.memory);
	scratch_free(&spill->scratch);
	memset(spill, 0, sizeof(*spill));
	spill->fd = -1;
}

uint64_t spill_slot(struct spill *spill, uint64_t bytes)
{
	uint64_t offset = spill->end;

	spill->end += (bytes + SLOT_ALIGN - 1) & ~(uint64_t)(SLOT_ALIGN - 1);
	return offset;
}

int spill_write(struct spill *spill, uint64_t offset, const void *bytes,
		size_t length)
{
	if (spill->fd < 0)
		spill->fd = nameless_file();
	if (spill->fd < 0)
		return spill->fd;
	return io_write_at(spill->fd, bytes, length, offset);
}

int spill_read(const struct spill *spill, uint64_t offset, void *to,
	       size_t length)
{
	struct source source = { .fd = spill->fd };
	ssize_t got = source_read(&source, to, length, offset);

	if (got < 0)
		return got;
	return (size_t)got == length ? 0 : -EIO;
}
