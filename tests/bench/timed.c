// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timed - runs a command, reads its output through a pipe and discards it. Prints the command's CPU
 * seconds, peak memory in KiB, real seconds, seconds until its first line was complete, and the
 * number of its lines, all and those that contain TEXT.
 *
 * The program is small, because a child's peak memory starts with its parent's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct output {
	const char *text;	/* the text to find, or NULL */
	double first;		/* time when the first line was complete, or 0 */
	long lines;
	long with_text;
};

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Counts the complete lines in @length bytes at @from; returns the start of the rest. */
static char *take_lines(struct output *o, char *from, size_t length)
{
	char *end = from + length, *newline;

	while ((newline = memchr(from, '\n', end - from))) {
		o->lines++;
		o->with_text += o->text && memmem(from, newline - from, o->text, strlen(o->text));
		from = newline + 1;
	}
	return from;
}

static int read_all(int fd, struct output *o)
{
	static char buffer[256 << 10];
	size_t kept = 0;
	ssize_t n;
	char *rest;

	while ((n = read(fd, buffer + kept, sizeof(buffer) - kept))) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		rest = take_lines(o, buffer, kept + n);
		if (o->lines && !o->first)
			o->first = now();
		kept = buffer + kept + n - rest;
		if (kept == sizeof(buffer))
			kept = 0;	/* no line is that long */
		memmove(buffer, rest, kept);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct output output = { 0 };
	struct rusage used;
	int status, fds[2], error;
	double begin;
	pid_t pid;

	argv++;
	if (argc > 3 && !strcmp(argv[0], "--count")) {
		output.text = argv[1];
		argv += 2;
	}
	if (!argv[0] || argv[0][0] == '-') {
		fprintf(stderr, "Usage: timed [--count TEXT] COMMAND [ARG...]\n");
		return 2;
	}
	if (pipe2(fds, O_CLOEXEC)) {
		fprintf(stderr, "timed: pipe: %s\n", strerror(errno));
		return 1;
	}
	begin = now();
	pid = fork();
	if (pid < 0) {
		fprintf(stderr, "timed: fork: %s\n", strerror(errno));
		return 1;
	}
	if (!pid) {
		if (dup2(fds[1], 1) >= 0)
			execvp(argv[0], argv);
		fprintf(stderr, "timed: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	close(fds[1]);
	error = read_all(fds[0], &output);
	if (error) {
		fprintf(stderr, "timed: %s: %s\n", argv[0], strerror(-error));
		return 1;
	}
	if (wait4(pid, &status, 0, &used) != pid || status) {
		fprintf(stderr, "timed: %s failed\n", argv[0]);
		return 1;
	}
	printf("%.4f %ld %.4f %.4f %ld %ld\n",
	       seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss,
	       now() - begin, output.first ? output.first - begin : 0,
	       output.lines, output.with_text);
	return 0;
}
