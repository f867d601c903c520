/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and writes whole counts: short transfers and EINTR are handled here.
 *
 * For the library, logd and the commands.  Does not wait for non-blocking descriptors: -EAGAIN is
 * returned like any other error.  Data that does not fit into memory goes to a nameless file.
 */
#ifndef EVTLOG_LIB_BASE_IO_H
#define EVTLOG_LIB_BASE_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/**
 * io_read() - reads @bytes, fewer only at the end of the file
 * @fd: a file, or a pipe; blocks until the pipe's writer has written or closed it
 *
 * Return: the number of bytes read, less than @bytes only at the end; -errno, after which
 * part of @to may be overwritten.
 */
ssize_t io_read(int fd, void *to, size_t bytes);

/**
 * io_read_at() - reads as io_read() from @offset; the file's position is unchanged
 *
 * Return: as io_read().
 */
ssize_t io_read_at(int fd, void *to, size_t bytes, uint64_t offset);

/**
 * io_write() - writes all of @from
 *
 * Return: 0; -errno, after which a part may be written; -ENOSPC if write() returns 0.
 */
int io_write(int fd, const void *from, size_t bytes);

/**
 * io_write_at() - writes as io_write() from @offset; the file's position is unchanged
 *
 * Return: as io_write().
 */
int io_write_at(int fd, const void *from, size_t bytes, uint64_t offset);

/**
 * io_write_vectors_at() - writes the data of @count @vectors, one after another
 * @vectors: modified
 *
 * Return: as io_write(), but -EIO if pwritev() returns 0.
 */
int io_write_vectors_at(int fd, struct iovec *vectors, int count, uint64_t offset);

/**
 * io_truncate() - sets a file's length to @bytes
 *
 * Return: 0 or -errno.
 */
int io_truncate(int fd, uint64_t bytes);

/**
 * io_wait() - waits until a child has ended
 * @pid: of the child; -1: any child
 * @status: as for waitpid(); NULL: not needed
 *
 * Return: its pid, or -errno if there is no such child.
 */
pid_t io_wait(pid_t pid, int *status);

/*
 * nameless_file() - creates an empty file, which is deleted when it is closed
 *
 * The file is in $TMPDIR, else in /var/tmp, which is more often on a disk than /tmp.
 *
 * Return: a descriptor for reading and writing, or -errno.
 */
int nameless_file(void);

#endif /* EVTLOG_LIB_BASE_IO_H */
