// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timed - runs a command with its output thrown away; prints the CPU seconds and
 * the KiB of memory it took at most.
 *
 * Small itself, because a child's peak begins with that of its parent.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct rusage used;
	int status;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "Usage: timed COMMAND [ARG...]\n");
		return 2;
	}
	pid = fork();
	if (pid < 0) {
		fprintf(stderr, "timed: fork: %s\n", strerror(errno));
		return 1;
	}
	if (!pid) {
		int null = open("/dev/null", O_WRONLY);

		if (null >= 0 && dup2(null, 1) >= 0)
			execvp(argv[1], argv + 1);
		fprintf(stderr, "timed: %s: %s\n", argv[1], strerror(errno));
		_exit(127);
	}
	if (wait4(pid, &status, 0, &used) != pid || status) {
		fprintf(stderr, "timed: %s failed\n", argv[1]);
		return 1;
	}
	printf("%.4f %ld\n", seconds(used.ru_utime) + seconds(used.ru_stime),
	       used.ru_maxrss);
	return 0;
}
