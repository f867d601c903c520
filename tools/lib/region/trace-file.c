// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The file of a process's regions in time: its header, and places of chunks.
 *
 * It is opened again for each chunk: a program may close all unknown descriptors, and a chunk must
 * not be written to another file that then has the number.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/region/process.h"
#include "lib/region/trace.h"

#define NAMES_MAX	1000
#define PATH_BYTES	4096

/*
 * @opened:	region_process.mark of the process that has this file; @opening: a thread of it
 *		makes the file
 * @is_made:	the file exists; @error: reason that writing has stopped
 * @bytes:	length of the file
 * @device, @inode: of @path when it was made, to detect another file
 */
static struct {
	uint32_t opened, opening;
	bool is_made;
	int error;
	uint64_t device, inode;
	uint64_t places, bytes;
	struct region_trace_header header;
	char path[PATH_BYTES];
} file;

static int rank = -1;

/*
 * Read once, before main(), because another thread may change the environment later.  A path that
 * is truncated here is too long; make_path() reports it.
 */
static struct {
	bool is_known;
	char path[PATH_BYTES];
} wanted;

static __attribute__((constructor)) void read_wanted(void)
{
	const char *path = secure_getenv("EVTLOG_TRACE_FILE");

	if (!wanted.is_known && path)
		snprintf(wanted.path, sizeof(wanted.path), "%s", path);
	wanted.is_known = true;
}

static const char *wanted_path(void)
{
	/* Constructors may have regions. */
	if (!wanted.is_known)
		read_wanted();
	return *wanted.path ? wanted.path : NULL;
}

bool region_trace_file_is_wanted(void)
{
	return wanted_path() != NULL;
}

/* As in region.c: nothing else would report the error. */
static void say(const char *path, int error, const char *what)
{
	const char *texts[] = { "libevtlog: ", path, ": ", strerrordesc_np(error), "; ", what, "\n" };
	struct iovec pieces[sizeof(texts) / sizeof(*texts)];

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		pieces[i] = (struct iovec) {
			.iov_base = (char *)(texts[i] ? texts[i] : "unknown error"),
			.iov_len = strlen(texts[i] ? texts[i] : "unknown error"),
		};
	if (syscall(SYS_writev, STDERR_FILENO, pieces, sizeof(texts) / sizeof(*texts)) < 0)
		return;
}

/* ---- Writing ---- */

/* A write beyond the limit would raise a signal. */
static bool is_beyond_limit(uint64_t end)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	       end > limit.rlim_cur;
}

static int reopen(void)
{
	int fd = syscall(SYS_openat, AT_FDCWD, file.path,
			 O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	struct stat status;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &status) && status.st_dev == file.device && status.st_ino == file.inode)
		return fd;
	syscall(SYS_close, fd);
	return -ESTALE;
}

/* Returns the number of bytes written; if it is less than @bytes, @error is set. */
static size_t write_at(int fd, const void *from, size_t bytes, uint64_t offset, int *error)
{
	size_t done = 0;

	if (is_beyond_limit(offset + bytes)) {
		*error = EFBIG;
		return 0;
	}
	while (done < bytes) {
		long put = syscall(SYS_pwrite64, fd, (const char *)from + done, bytes - done,
				   offset + done);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0) {
			*error = put ? errno : ENOSPC;
			break;
		}
		done += put;
	}
	return done;
}

/* The header's place exists, so no disk space is needed. */
static void write_header(void)
{
	int fd = reopen(), error;

	if (fd < 0)
		return;
	write_at(fd, &file.header, sizeof(file.header), 0, &error);
	syscall(SYS_close, fd);
}

/* Only the first call, by any thread, has an effect. */
static void stop(int error)
{
	int none = 0;

	if (!__atomic_compare_exchange_n(&file.error, &none, error, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		return;
	file.header.error = error;
	file.header.bytes = __atomic_load_n(&file.bytes, __ATOMIC_RELAXED);
	write_header();
	say(file.path, error, "the trace of regions ends here; the program continues");
}

/* ---- The file ---- */

static void read_boot_id(uint8_t *id)
{
	int fd = syscall(SYS_openat, AT_FDCWD, "/proc/sys/kernel/random/boot_id",
			 O_RDONLY | O_CLOEXEC, 0);
	char text[64] = "";
	unsigned int digits = 0;

	if (fd < 0)
		return;
	if (syscall(SYS_read, fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	syscall(SYS_close, fd);
	for (const char *at = text; *at && digits < 32; at++) {
		static const char hex[] = "0123456789abcdef";
		const char *digit = strchr(hex, *at);

		if (!digit)
			continue;
		id[digits / 2] |= (digit - hex) << (digits % 2 ? 0 : 4);
		digits++;
	}
}

static uint64_t pid_namespace(void)
{
	struct stat status;

	return stat("/proc/self/ns/pid", &status) ? 0 : status.st_ino;
}

static void fill_header(struct region_trace_header *header)
{
	*header = (struct region_trace_header) {
		.version = REGION_TRACE_VERSION,
		.header_bytes = REGION_TRACE_HEADER_BYTES,
		.chunk_bytes = REGION_TRACE_CHUNK_BYTES,
		.pid_namespace = pid_namespace(),
		.pid = getpid(),
		.rank = __atomic_load_n(&rank, __ATOMIC_RELAXED),
		.bytes = REGION_TRACE_NOT_SAVED,
	};
	memcpy(header->magic, REGION_TRACE_MAGIC, sizeof(header->magic));
	read_boot_id(header->boot_id);
	gethostname(header->host, sizeof(header->host) - 1);
	prctl(PR_GET_NAME, header->comm);
}

/* Makes an absolute path, because the working directory may change. */
static int make_path(const char *prefix, unsigned int number)
{
	size_t length = 0;
	int bytes;

	if (*prefix != '/') {
		long got = syscall(SYS_getcwd, file.path, PATH_BYTES - 1);

		if (got < 0)
			return -errno;
		length = strlen(file.path);
		if (file.path[length - 1] != '/')
			file.path[length++] = '/';
	}
	if (number)
		bytes = snprintf(file.path + length, PATH_BYTES - length, "%s.%d.%u", prefix,
				 (int)getpid(), number);
	else
		bytes = snprintf(file.path + length, PATH_BYTES - length, "%s.%d", prefix,
				 (int)getpid());
	return bytes < 0 || (size_t)bytes >= PATH_BYTES - length ? -ENAMETOOLONG : 0;
}

static int make_file(const char *prefix)
{
	struct stat status;
	int fd = -EEXIST, error = 0;

	for (unsigned int i = 0; i < NAMES_MAX && fd == -EEXIST; i++) {
		error = make_path(prefix, i);
		if (error)
			return error;
		fd = syscall(SYS_openat, AT_FDCWD, file.path,
			     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd < 0)
			fd = -errno;
	}
	if (fd < 0)
		return fd;
	fill_header(&file.header);
	if (fstat(fd, &status))
		error = errno;
	else
		write_at(fd, &file.header, sizeof(file.header), 0, &error);
	syscall(SYS_close, fd);
	if (error) {
		unlink(file.path);
		return -error;
	}
	file.device = status.st_dev;
	file.inode = status.st_ino;
	file.is_made = true;
	return 0;
}

static void open_file(void)
{
	const char *prefix = wanted_path();
	int error;

	file.is_made = false;
	file.error = 0;
	file.places = 0;
	file.bytes = REGION_TRACE_HEADER_BYTES;
	error = prefix ? make_file(prefix) : -ENOENT;
	if (!error)
		return;
	file.error = -error;
	say(error == -ENAMETOOLONG || !prefix ? "EVTLOG_TRACE_FILE" : file.path, -error,
	    "regions are not traced: set EVTLOG_TRACE_FILE to a file that can be written");
}

/* Other threads may call it at the same time; signal handlers do not, as this thread is busy. */
bool region_trace_file_open(void)
{
	uint32_t mark = region_process.mark, before;

	if (__atomic_load_n(&file.opened, __ATOMIC_ACQUIRE) == mark)
		return region_trace_file_is_open();
	before = __atomic_load_n(&file.opening, __ATOMIC_RELAXED);
	if (before != mark && __atomic_compare_exchange_n(&file.opening, &before, mark, false,
							  __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
		open_file();
		__atomic_store_n(&file.opened, mark, __ATOMIC_RELEASE);
	}
	for (unsigned int i = 0; __atomic_load_n(&file.opened, __ATOMIC_ACQUIRE) != mark;
	     i += i < REGION_TRIES)
		region_wait(i);
	return region_trace_file_is_open();
}

bool region_trace_file_is_open(void)
{
	return __atomic_load_n(&file.opened, __ATOMIC_ACQUIRE) == region_process.mark &&
	       file.is_made && !__atomic_load_n(&file.error, __ATOMIC_RELAXED);
}

uint64_t region_trace_file_place(void)
{
	return __atomic_fetch_add(&file.places, 1, __ATOMIC_RELAXED);
}

/* Several threads can write at the same time. */
static void note_end(uint64_t end)
{
	uint64_t bytes = __atomic_load_n(&file.bytes, __ATOMIC_RELAXED);

	while (bytes < end && !__atomic_compare_exchange_n(&file.bytes, &bytes, end, true,
							   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

uint64_t region_trace_file_put(uint64_t place, const struct region_trace_chunk *chunk,
			       uint64_t words)
{
	size_t bytes = sizeof(*chunk) + words * sizeof(chunk->words[0]), done = 0;
	uint64_t offset = REGION_TRACE_HEADER_BYTES + place * REGION_TRACE_CHUNK_BYTES;
	int fd, error = 0;

	if (!region_trace_file_is_open())
		return 0;
	fd = reopen();
	if (fd >= 0) {
		done = write_at(fd, chunk, bytes, offset, &error);
		syscall(SYS_close, fd);
	}
	if (done)
		note_end(offset + done);
	if (fd < 0 || error)
		stop(fd < 0 ? -fd : error);
	return done < sizeof(*chunk) ? 0 : (done - sizeof(*chunk)) / sizeof(chunk->words[0]);
}

void region_trace_file_rank(int number)
{
	__atomic_store_n(&rank, number, __ATOMIC_RELAXED);
	if (__atomic_load_n(&file.opened, __ATOMIC_ACQUIRE) != region_process.mark || !file.is_made)
		return;
	file.header.rank = number;
	write_header();
}

void region_trace_file_count(const struct region_trace_counts *counts)
{
	if (__atomic_load_n(&file.opened, __ATOMIC_ACQUIRE) != region_process.mark || !file.is_made)
		return;
	file.header.lost = counts->lost;
	file.header.missed = counts->missed;
	file.header.unmatched = counts->unmatched;
	file.header.threads_missed = counts->threads_missed;
	file.header.bytes = __atomic_load_n(&file.bytes, __ATOMIC_RELAXED);
	write_header();
}
