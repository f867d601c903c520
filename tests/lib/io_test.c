// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whole counts arrive over pipes and sockets despite signals and partial transfers.
 *
 * On files, calls with an offset are never short. So the linker's --wrap replaces these system
 * calls by calls that are short and interrupted.
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
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "lib/base/io.h"
#include "tests/support/seed.h"

#define BYTES	((size_t)1 << 20)

static uint64_t state;
static unsigned int interrupted, cut;
static volatile sig_atomic_t signals;

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

static void on_alarm(int number)
{
	signals++;
}

/* The signal interrupts system calls without restarting them. */
static void start_signals(void)
{
	const struct sigaction action = { .sa_handler = on_alarm };
	const struct itimerval often = { { 0, 500 }, { 0, 500 } };

	signals = 0;
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
}

static void stop_signals(void)
{
	const struct itimerval never = { 0 };

	setitimer(ITIMER_REAL, &never, NULL);
	assert_true(signals > 0);
}

static unsigned char *random_bytes(size_t count)
{
	unsigned char *bytes = malloc(count);

	assert_non_null(bytes);
	for (size_t i = 0; i < count; i++)
		bytes[i] = xorshift(&state);
	return bytes;
}

static void nap(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	nanosleep(&pause, NULL);
}

/* The other end: writes @bytes in pieces, with pauses. */
static _Noreturn void give(int fd, const unsigned char *bytes, size_t left)
{
	while (left) {
		size_t piece = 1 + xorshift(&state) % (left < 50000 ? left : 50000);
		ssize_t put = write(fd, bytes, piece);

		if (put <= 0)
			_exit(1);
		bytes += put;
		left -= put;
		if (one_in(4))
			nap();
	}
	_exit(0);
}

static _Noreturn void take(int fd, const unsigned char *bytes, size_t left)
{
	unsigned char piece[20000];

	while (left) {
		ssize_t got = read(fd, piece, 1 + xorshift(&state) % sizeof(piece));

		if (got <= 0 || memcmp(piece, bytes, got))
			_exit(1);
		bytes += got;
		left -= got;
		if (one_in(4))
			nap();
	}
	_exit(0);
}

static void make_ends(bool is_socket, int ends[2])
{
	/* [0] reads */
	assert_int_equal(is_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends), 0);
}

static void read_through(bool is_socket)
{
	unsigned char *sent = random_bytes(BYTES), *got = calloc(1, BYTES + 1);
	int ends[2], status;
	pid_t child;

	make_ends(is_socket, ends);
	child = fork();
	if (!child) {
		close(ends[0]);
		give(ends[1], sent, BYTES);
	}
	close(ends[1]);
	start_signals();
	assert_int_equal(io_read(ends[0], got, BYTES / 2), BYTES / 2);
	/* Read the second half, and the end of the file. */
	assert_int_equal(io_read(ends[0], got + BYTES / 2, BYTES / 2 + 1), BYTES / 2);
	assert_int_equal(io_wait(child, &status), child);
	stop_signals();
	assert_int_equal(status, 0);
	assert_int_equal(io_read(ends[0], got, 1), 0);
	assert_memory_equal(sent, got, BYTES);
	close(ends[0]);
	free(sent);
	free(got);
}

static void write_through(bool is_socket)
{
	unsigned char *sent = random_bytes(BYTES);
	int ends[2], status;
	pid_t child;

	make_ends(is_socket, ends);
	child = fork();
	if (!child) {
		close(ends[1]);
		take(ends[0], sent, BYTES);
	}
	close(ends[0]);
	start_signals();
	assert_int_equal(io_write(ends[1], sent, BYTES), 0);
	assert_int_equal(io_wait(-1, &status), child);
	stop_signals();
	assert_int_equal(status, 0);
	close(ends[1]);
	free(sent);
}

static void reads_whole_counts_of_a_pipe(void **context)
{
	read_through(false);
}

static void reads_whole_counts_of_a_socket(void **context)
{
	read_through(true);
}

static void writes_whole_counts_to_a_pipe(void **context)
{
	write_through(false);
}

static void writes_whole_counts_to_a_socket(void **context)
{
	write_through(true);
}

static int memory_file(void)
{
	int fd = memfd_create("io_test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
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
		cmocka_unit_test(reads_whole_counts_of_a_pipe),
		cmocka_unit_test(reads_whole_counts_of_a_socket),
		cmocka_unit_test(writes_whole_counts_to_a_pipe),
		cmocka_unit_test(writes_whole_counts_to_a_socket),
		cmocka_unit_test(transfers_whole_counts_at_offsets),
		cmocka_unit_test(writes_whole_vectors),
		cmocka_unit_test(returns_the_cause),
	};

	state = seed_state();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
