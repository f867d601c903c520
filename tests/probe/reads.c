// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reads COUNT BYTES FILE - makes COUNT reads, even after the end of the file.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char data[4096];
	int fd = argc == 4 ? open(argv[3], O_RDONLY) : -1;
	long i;

	if (fd < 0) {
		perror("reads");
		return 1;
	}
	for (i = 0; i < atol(argv[1]); i++) {
		if (read(fd, data, atol(argv[2])) < 0)
			continue;
	}
	return 0;
}
