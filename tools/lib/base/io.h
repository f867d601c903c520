/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and writes whole counts: short transfers and signals are handled here, once.
 *
 * The library, logd and the commands call it.  It opens and closes nothing, and waits for
 * no descriptor that does not block: -EAGAIN is an error like others.  What does not fit into memory
 * goes into a file without a name.
 */
#ifndef EVTLOG_LIB_BASE_IO_H
#define EVTLOG_LIB_BASE_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/**
 * io_read() - reads until @bytes are there, or the end
 * @fd: of a file, or a pipe, for whose other end it waits
 *
 * Return: the bytes read, less than @bytes at the end only; -errno, after which some of
 * @to may be overwritten.
 */
ssize_t io_read(int fd, void *to, size_t bytes);

/**
 * io_read_at() - the same from @offset on; the file's position stays
 *
 * Return: as io_read().
 */
ssize_t io_read_at(int fd, void *to, size_t bytes, uint64_t offset);

/**
 * io_write() - writes all of @from
 *
 * Return: 0; -errno, after which some of it may be written; -ENOSPC when nothing more is
 * taken and no cause is given.
 */
int io_write(int fd, const void *from, size_t bytes);

/**
 * io_write_at() - the same from @offset on; the file's position stays
 *
 * Return: as io_write().
 */
int io_write_at(int fd, const void *from, size_t bytes, uint64_t offset);

/**
 * io_write_vectors_at() - writes what @count of @vectors point to, one after another
 * @vectors: are changed
 *
 * Return: as io_write(), but -EIO when nothing more is taken.
 */
int io_write_vectors_at(int fd, struct iovec *vectors, int count, uint64_t offset);

/**
 * io_truncate() - makes a file @bytes long
 *
 * Return: 0 or -errno.
 */
int io_truncate(int fd, uint64_t bytes);

/**
 * io_wait() - waits until a child has ended
 * @pid: which one; -1: any
 * @status: as of waitpid(); NULL: it does not matter
 *
 * Return: its pid, or -errno: there is no such child.
 */
pid_t io_wait(pid_t pid, int *status);

/*
 * nameless_file() - makes an empty file, which is gone when it is closed
 *
 * It lies in $TMPDIR, else in /var/tmp, which is more often on a disk than /tmp is.
 *
 * Return: a descriptor to read and write; -errno.
 */
int nameless_file(void);

#endif /* EVTLOG_LIB_BASE_IO_H */
