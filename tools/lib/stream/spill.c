// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A file without a name, for buffers that do not fit into memory at once.
 *
 * It lies in $TMPDIR, else in /var/tmp, which is more often on a disk than /tmp
 * is; what is never written takes no room.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

/* Not every file system knows O_TMPFILE. */
static int make_named(const char *directory)
{
	char path[4096];
	int fd, length;

	length = snprintf(path, sizeof(path), "%s/evtlog-XXXXXX", directory);
	if (length >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

static int make_in(const char *directory)
{
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : make_named(directory);
}

static int make(struct spill *spill)
{
	const char *directory = getenv("TMPDIR");
	int fd;

	if (directory && *directory) {
		fd = make_in(directory);
	} else {
		fd = make_in("/var/tmp");
		if (fd < 0)
			fd = make_in("/tmp");
	}
	if (fd < 0)
		return fd;
	spill->fd = fd;
	return 0;
}

int spill_write(struct spill *spill, uint64_t offset, const void *bytes,
		size_t length)
{
	int error;

	if (spill->fd < 0) {
		error = make(spill);
		if (error)
			return error;
	}
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
