// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads and writes whole counts: short transfers and EINTR are handled here.
 *
 * For the library, logd and the commands.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io.h"

ssize_t io_read(int fd, void *to, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t got = read(fd, (char *)to + done, bytes - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		done += got;
	}
	return done;
}

ssize_t io_read_at(int fd, void *to, size_t bytes, uint64_t offset)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t got = pread(fd, (char *)to + done, bytes - done, offset + done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		done += got;
	}
	return done;
}

int io_write(int fd, const void *from, size_t bytes)
{
	const char *at = from;

	while (bytes) {
		ssize_t put = write(fd, at, bytes);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put ? -errno : -ENOSPC;
		at += put;
		bytes -= put;
	}
	return 0;
}

int io_write_at(int fd, const void *from, size_t bytes, uint64_t offset)
{
	const char *at = from;

	while (bytes) {
		ssize_t put = pwrite(fd, at, bytes, offset);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put ? -errno : -ENOSPC;
		at += put;
		bytes -= put;
		offset += put;
	}
	return 0;
}

int io_write_vectors_at(int fd, struct iovec *vectors, int count, uint64_t offset)
{
	while (count) {
		ssize_t put = pwritev(fd, vectors, count, offset);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		if (!put)
			return -EIO;
		offset += put;
		while (count && (size_t)put >= vectors->iov_len) {
			put -= vectors->iov_len;
			vectors++;
			count--;
		}
		if (count) {
			vectors->iov_base = (char *)vectors->iov_base + put;
			vectors->iov_len -= put;
		}
	}
	return 0;
}

int io_truncate(int fd, uint64_t bytes)
{
	while (ftruncate(fd, bytes) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

pid_t io_wait(pid_t pid, int *status)
{
	pid_t ended;

	do
		ended = waitpid(pid, status, 0);
	while (ended < 0 && errno == EINTR);
	return ended < 0 ? -errno : ended;
}

/* For file systems without O_TMPFILE. */
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

int nameless_file(void)
{
	const char *directory = getenv("TMPDIR");
	int fd;

	if (directory && *directory)
		return make_in(directory);
	fd = make_in("/var/tmp");
	return fd >= 0 ? fd : make_in("/tmp");
}
