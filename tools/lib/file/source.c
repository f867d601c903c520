// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads bytes from a descriptor or from memory.
 *
 * It does not interpret bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "source.h"

int source_open(struct source *source, const char *path)
{
	/* A pipe that nobody writes to must not hold us up; it is refused below. */
	int error, fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	error = source_use_fd(source, fd);
	if (error) {
		close(fd);
		return error;
	}
	source->owns_fd = true;
	return 0;
}

int source_use_fd(struct source *source, int fd)
{
	struct stat stat;
	off_t end;

	memset(source, 0, sizeof(*source));
	if (fstat(fd, &stat))
		return -errno;
	if (S_ISDIR(stat.st_mode))
		return -EISDIR;
	/* Not st_size, which block devices do not have. */
	end = lseek(fd, 0, SEEK_END);
	if (end < 0)
		return -errno;
	source->fd = fd;
	source->size_bytes = end;
	return 0;
}

void source_use_bytes(struct source *source, const void *bytes, size_t length)
{
	memset(source, 0, sizeof(*source));
	source->bytes = bytes;
	source->size_bytes = length;
}

void source_close(struct source *source)
{
	if (source->owns_fd)
		close(source->fd);
	memset(source, 0, sizeof(*source));
}

static ssize_t read_bytes(const struct source *source, void *to, size_t length,
			  uint64_t offset)
{
	if (offset >= source->size_bytes)
		return 0;
	if (length > source->size_bytes - offset)
		length = source->size_bytes - offset;
	memcpy(to, source->bytes + offset, length);
	return length;
}

ssize_t source_read(const struct source *source, void *to, size_t length,
		    uint64_t offset)
{
	if (source->bytes)
		return read_bytes(source, to, length, offset);
	return io_read_at(source->fd, to, length, offset);
}
