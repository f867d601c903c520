// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write_time - writes its input to a file of the kernel, and prints the ns from open to close.
 *
 * Usage: write_time PATH <TEXT
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char text[1 << 20];

static void die(const char *what)
{
	fprintf(stderr, "write_time: %s: %s\n", what, strerror(errno));
	exit(1);
}

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	ssize_t used = 0, length = 0, n;
	long long start;
	int fd;

	if (argc != 2)
		return 2;
	while ((n = read(0, text + length, sizeof(text) - length)) > 0)
		length += n;
	start = now_ns();
	fd = open(argv[1], O_WRONLY | O_TRUNC);
	if (fd < 0)
		die(argv[1]);
	/* Some files accept one word per write. */
	for (; used < length; used += n) {
		n = write(fd, text + used, length - used);
		if (n <= 0)
			die(argv[1]);
	}
	if (close(fd))
		die(argv[1]);
	printf("%lld\n", now_ns() - start);
	return 0;
}
