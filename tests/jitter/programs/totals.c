// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * totals - reads the kernel's own counts at two times, and notes these times exactly.
 *
 * Runs in the guest while a benchmark that never sleeps is recorded.  The judge on the host
 * compares them with the report between these times.
 *
 * totals CPU SECONDS DIRECTORY - writes interrupts.N, softirqs.N and schedstat.N to DIRECTORY, for
 * N 0 and 1: a line "ticks BEFORE AFTER" with the tick counter around the reading, then what was
 * read; for schedstat "PID COMM NS BEFORE AFTER" of each task.  No other task runs on the CPU
 * during a reading: totals has the highest priority of SCHED_FIFO.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "pinned.h"

#define TEXT_MAX	(1 << 20)

static struct reading {
	const char *name;
	uint64_t before, after;
	size_t length;
	char text[TEXT_MAX];
} readings[2][3];

static size_t read_text(const char *path, char *text, size_t capacity)
{
	int fd = open(path, O_RDONLY);
	size_t length = 0;
	ssize_t got = 0;

	if (fd < 0)
		return 0;
	while (length < capacity && (got = read(fd, text + length, capacity - length)) > 0)
		length += got;
	close(fd);
	return got < 0 ? 0 : length;
}

static void read_file(struct reading *reading, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s", name);
	reading->name = name;
	reading->before = ticks();
	reading->length = read_text(path, reading->text, TEXT_MAX);
	reading->after = ticks();
	if (!reading->length)
		die(path);
}

/* Tasks that end in the meantime are left out. */
static void read_task(struct reading *reading, const char *pid)
{
	char path[300], comm[64], stat[128];
	uint64_t before;
	size_t length;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	length = read_text(path, comm, sizeof(comm) - 1);
	comm[length ? length - 1 : 0] = 0;
	snprintf(path, sizeof(path), "/proc/%s/schedstat", pid);
	before = ticks();
	length = read_text(path, stat, sizeof(stat) - 1);
	stat[length] = 0;
	if (!length)
		return;
	reading->length += snprintf(reading->text + reading->length,
				    TEXT_MAX - reading->length,
				    "%s %s %llu %" PRIu64 " %" PRIu64 "\n", pid, comm,
				    strtoull(stat, NULL, 10), before, ticks());
	if (reading->length >= TEXT_MAX)
		die("too many tasks");
}

static void read_tasks_of(struct reading *reading, const char *path, int depth)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	char below[300];

	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		if (depth) {
			read_task(reading, entry->d_name);
			continue;
		}
		snprintf(below, sizeof(below), "%s/%s/task", path, entry->d_name);
		read_tasks_of(reading, below, depth + 1);
	}
	closedir(directory);
}

static void read_tasks(struct reading *reading)
{
	reading->name = "schedstat";
	reading->before = ticks();
	read_tasks_of(reading, "/proc", 0);
	reading->after = ticks();
	if (!reading->length)
		die("/proc");
}

static void leave(const char *directory, const struct reading *reading, int number)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.%d", directory, reading->name, number);
	file = fopen(path, "w");
	if (!file)
		die(path);
	fprintf(file, "ticks %" PRIu64 " %" PRIu64 "\n", reading->before, reading->after);
	fwrite(reading->text, 1, reading->length, file);
	if (fclose(file))
		die(path);
}

int main(int argc, char **argv)
{
	const struct sched_param first = { .sched_priority = 99 };
	struct timespec nap;

	if (argc != 4) {
		fprintf(stderr, "Usage: totals CPU SECONDS DIRECTORY\n");
		return 2;
	}
	pin(argv[1]);
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		die("sched_setscheduler");
	nap = (struct timespec) { .tv_sec = atol(argv[2]) };
	for (int k = 0; k < 2; k++) {
		if (k)
			nanosleep(&nap, NULL);
		read_file(&readings[k][0], "interrupts");
		read_file(&readings[k][1], "softirqs");
		read_tasks(&readings[k][2]);
	}
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 3; i++)
			leave(argv[3], &readings[k][i], k);
	return 0;
}
