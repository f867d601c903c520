// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write_time - writes its input to a file of the kernel, and prints the ns from open to close.
 *
 * Usage: write_time PATH <TEXT
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

static char text[1 << 20];

int main(int argc, char **argv)
{
	ssize_t used = 0, length = 0, n;
	uint64_t start;
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
	printf("%llu\n", (unsigned long long)(now_ns() - start));
	return 0;
}
