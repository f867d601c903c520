// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * window - runs a command while evtlog records, and saves the kernel's own counters, read before
 * and after each of the two writes to /proc/evtlog/enable.
 *
 * A counter only grows. So its value at the run's start is between the readings before and after
 * the start; the same holds for the end. The log must contain at least the events between the inner
 * readings, and at most those between the outer readings. The difference is the events that the
 * readings cause. The program compares nothing.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#define ROOM (256 * 1024)
#define READINGS 4

static struct source {
	const char *path;
	const char *name;
	int fd;
	char *text[READINGS];
	size_t bytes[READINGS];
} sources[] = {
	{ .path = "/proc/net/snmp", .name = "snmp" },
	{ .path = "/proc/interrupts", .name = "interrupts" },
	{ .path = "/proc/softirqs", .name = "softirqs" },
	{ .path = "/proc/stat", .name = "stat" },
};

#define SOURCES ((int)(sizeof(sources) / sizeof(sources[0])))

static void read_source(struct source *s, int reading)
{
	size_t bytes = 0;
	ssize_t n;

	if (lseek(s->fd, 0, SEEK_SET))
		die(s->path);
	while ((n = read(s->fd, s->text[reading] + bytes, ROOM - bytes)) > 0)
		bytes += n;
	if (n < 0 || bytes == ROOM)
		die(s->path);
	s->bytes[reading] = bytes;
}

/* Sources are read so that /proc/stat, the busiest, is next to the write on both sides. */
static void read_before(int reading)
{
	for (int i = 0; i < SOURCES; i++)
		read_source(&sources[i], reading);
}

static void read_after(int reading)
{
	for (int i = SOURCES - 1; i >= 0; i--)
		read_source(&sources[i], reading);
}

static void switch_recording(int fd, const char *to)
{
	if (write(fd, to, 1) != 1)
		die("/proc/evtlog/enable");
}

static int run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		die("fork");
	if (!pid) {
		execvp(argv[0], argv);
		die(argv[0]);
	}
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	return status;
}

static void keep(const char *directory, const struct source *s)
{
	char path[512];

	for (int i = 0; i < READINGS; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "%s/%s.%d", directory, s->name, i);
		file = fopen(path, "w");
		if (!file || fwrite(s->text[i], s->bytes[i], 1, file) != 1 ||
		    fclose(file))
			die(path);
	}
}

int main(int argc, char **argv)
{
	int enable, status;

	if (argc < 3) {
		fprintf(stderr, "Usage: window DIRECTORY COMMAND [ARG...]\n");
		return 2;
	}
	for (int i = 0; i < SOURCES; i++) {
		sources[i].fd = open(sources[i].path, O_RDONLY | O_CLOEXEC);
		if (sources[i].fd < 0)
			die(sources[i].path);
		for (int k = 0; k < READINGS; k++)
			sources[i].text[k] = malloc(ROOM);
	}
	enable = open("/proc/evtlog/enable", O_WRONLY | O_CLOEXEC);
	if (enable < 0)
		die("/proc/evtlog/enable");
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		die("mlockall");

	read_before(0);
	switch_recording(enable, "1");
	read_after(1);
	status = run(argv + 2);
	read_before(2);
	switch_recording(enable, "0");
	read_after(3);

	for (int i = 0; i < SOURCES; i++)
		keep(argv[1], &sources[i]);
	if (status) {
		fprintf(stderr, "window: %s: ended with status %#x\n", argv[2],
			status);
		return 1;
	}
	return 0;
}
