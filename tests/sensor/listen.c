// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * listen SOCKET [LINE [PAUSE_MS]] - prints each line from a unix socket after the
 * CLOCK_MONOTONIC_RAW of its arrival, until the end. Sends LINE first, if not empty, and reads
 * after the pause.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static uint64_t raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

int main(int argc, char **argv)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	static char line[1 << 20];
	FILE *in;

	if (argc < 2)
		return 2;
	strncpy(to.sun_path, argv[1], sizeof(to.sun_path) - 1);
	if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof(to))) {
		perror("listen: connect");
		return 1;
	}
	if (argc > 2 && *argv[2])
		dprintf(s, "%s\n", argv[2]);
	if (argc > 3)
		usleep(1000 * atoi(argv[3]));
	in = fdopen(s, "r");
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), in)) {
		uint64_t now = raw_ns();

		printf("%" PRIu64 " %s", now, line);
	}
	return 0;
}
