// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whole counts are transferred despite signals and partial transfers.
 *
 * The linker's --wrap replaces the system calls by calls that are short and interrupted.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "lib/base/io.h"
#include "tests/support/seed.h"

#define BYTES	((size_t)1 << 20)

static uint64_t state;
static unsigned int interrupted, cut;

static bool one_in(unsigned int n)
{
	return !(xorshift(&state) % n);
}

/* Interrupts every third call. Other calls transfer a part of the requested bytes. */
static bool interrupts(size_t *bytes)
{
	if (one_in(3)) {
		interrupted++;
		errno = EINTR;
		return true;
	}
	if (*bytes > 1 && one_in(2)) {
		cut++;
		*bytes = 1 + xorshift(&state) % (*bytes - 1);
	}
	return false;
}

ssize_t __real_read(int fd, void *to, size_t bytes);
ssize_t __wrap_read(int fd, void *to, size_t bytes);
ssize_t __wrap_read(int fd, void *to, size_t bytes)
{
	return interrupts(&bytes) ? -1 : __real_read(fd, to, bytes);
}

ssize_t __real_write(int fd, const void *from, size_t bytes);
ssize_t __wrap_write(int fd, const void *from, size_t bytes);
ssize_t __wrap_write(int fd, const void *from, size_t bytes)
{
	return interrupts(&bytes) ? -1 : __real_write(fd, from, bytes);
}

pid_t __real_waitpid(pid_t pid, int *status, int options);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);
pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	size_t none = 0;

	return interrupts(&none) ? -1 : __real_waitpid(pid, status, options);
}

ssize_t __real_pread64(int fd, void *to, size_t bytes, off_t offset);
ssize_t __wrap_pread64(int fd, void *to, size_t bytes, off_t offset);
ssize_t __wrap_pread64(int fd, void *to, size_t bytes, off_t offset)
{
	return interrupts(&bytes) ? -1 : __real_pread64(fd, to, bytes, offset);
}

ssize_t __real_pwrite64(int fd, const void *from, size_t bytes, off_t offset);
ssize_t __wrap_pwrite64(int fd, const void *from, size_t bytes, off_t offset);
ssize_t __wrap_pwrite64(int fd, const void *from, size_t bytes, off_t offset)
{
	return interrupts(&bytes) ? -1 : __real_pwrite64(fd, from, bytes, offset);
}

/* Transfers the first vectors, and a part of the last of them. */
ssize_t __wrap_pwritev64(int fd, const struct iovec *vectors, int count, off_t offset);
ssize_t __wrap_pwritev64(int fd, const struct iovec *vectors, int count, off_t offset)
{
	size_t bytes = 0, done = 0;

	for (int i = 0; i < count; i++)
		bytes += vectors[i].iov_len;
	if (interrupts(&bytes))
		return -1;
	for (int i = 0; i < count && bytes; i++) {
		size_t length = vectors[i].iov_len < bytes ? vectors[i].iov_len : bytes;

		if (length && __real_pwrite64(fd, vectors[i].iov_base, length,
					      offset + done) != (ssize_t)length)
			return -1;
		done += length;
		bytes -= length;
	}
	return done;
}

static unsigned char *random_bytes(size_t count)
{
	unsigned char *bytes = malloc(count);

	assert_non_null(bytes);
	for (size_t i = 0; i < count; i++)
		bytes[i] = xorshift(&state);
	return bytes;
}

static int memory_file(void)
{
	int fd = memfd_create("io_test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static void transfers_whole_counts(void **context)
{
	unsigned char *bytes = random_bytes(BYTES), *got = calloc(1, BYTES + 1);
	int fd = memory_file();

	interrupted = cut = 0;
	for (unsigned int i = 0; i < 60; i++) {
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
		assert_int_equal(io_write(fd, bytes, BYTES), 0);
		assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
		assert_int_equal(io_read(fd, got, BYTES / 2), BYTES / 2);
		/* Read the second half, and the end of the file. */
		assert_int_equal(io_read(fd, got + BYTES / 2, BYTES / 2 + 1), BYTES / 2);
		assert_memory_equal(bytes, got, BYTES);
		assert_int_equal(io_read(fd, got, 1), 0);
	}
	assert_true(interrupted > 100 && cut > 100);
	close(fd);
	free(bytes);
	free(got);
}

static void waits_despite_interrupts(void **context)
{
	interrupted = 0;
	for (int i = 0; i < 40; i++) {
		pid_t child = fork();
		int status;

		if (!child)
			_exit(i);
		assert_int_equal(io_wait(i % 2 ? -1 : child, &status), child);
		assert_int_equal(WEXITSTATUS(status), i);
	}
	assert_true(interrupted > 5);
}

static void transfers_whole_counts_at_offsets(void **context)
{
	unsigned char *bytes = random_bytes(BYTES), *got = calloc(1, BYTES);
	int fd = memory_file();

	interrupted = cut = 0;
	for (size_t at = 0; at < BYTES;) {
		size_t piece = 1 + xorshift(&state) % 100000;

		if (piece > BYTES - at)
			piece = BYTES - at;
		assert_int_equal(io_write_at(fd, bytes + at, piece, at), 0);
		at += piece;
	}
	for (unsigned int i = 0; i < 200; i++) {
		size_t from = xorshift(&state) % BYTES, length = xorshift(&state) % BYTES;
		size_t there = length < BYTES - from ? length : BYTES - from;

		assert_int_equal(io_read_at(fd, got, length, from), there);
		assert_memory_equal(got, bytes + from, there);
	}
	assert_int_equal(io_read_at(fd, got, 10, BYTES), 0);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 0);
	assert_true(interrupted > 100 && cut > 100);
	close(fd);
	free(bytes);
	free(got);
}

static void writes_whole_vectors(void **context)
{
	unsigned char *bytes = random_bytes(BYTES), *got = calloc(1, BYTES);
	int fd = memory_file();
	size_t at = 0;

	interrupted = cut = 0;
	while (at < BYTES) {
		struct iovec vectors[8];
		size_t offset = at;

		for (size_t i = 0; i < 8; i++) {
			size_t piece = one_in(5) ? 0 : xorshift(&state) % 9000;

			if (piece > BYTES - at)
				piece = BYTES - at;
			vectors[i] = (struct iovec) { bytes + at, piece };
			at += piece;
		}
		if (at > offset)
			assert_int_equal(io_write_vectors_at(fd, vectors, 8, offset), 0);
	}
	assert_int_equal(io_read_at(fd, got, BYTES, 0), BYTES);
	assert_memory_equal(got, bytes, BYTES);
	assert_true(interrupted > 10 && cut > 10);
	assert_int_equal(io_truncate(fd, 5), 0);
	assert_int_equal(io_read_at(fd, got, BYTES, 0), 5);
	close(fd);
	free(bytes);
	free(got);
}

static void returns_the_cause(void **context)
{
	struct iovec vector = { "x", 1 };
	char byte;
	int ends[2];

	assert_int_equal(io_read(-1, &byte, 1), -EBADF);
	assert_int_equal(io_write(-1, &byte, 1), -EBADF);
	assert_int_equal(io_read_at(-1, &byte, 1, 0), -EBADF);
	assert_int_equal(io_write_at(-1, &byte, 1, 0), -EBADF);
	assert_int_equal(io_write_vectors_at(-1, &vector, 1, 0), -EBADF);
	assert_int_equal(io_truncate(-1, 0), -EBADF);
	assert_int_equal(io_wait(getpid(), NULL), -ECHILD);
	/* Zero bytes need no valid descriptor. */
	assert_int_equal(io_read(-1, &byte, 0), 0);
	assert_int_equal(io_write(-1, &byte, 0), 0);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_int_equal(io_write(ends[1], "x", 1), -EPIPE);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transfers_whole_counts),
		cmocka_unit_test(waits_despite_interrupts),
		cmocka_unit_test(transfers_whole_counts_at_offsets),
		cmocka_unit_test(writes_whole_vectors),
		cmocka_unit_test(returns_the_cause),
	};

	state = seed_state();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
