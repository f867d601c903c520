// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cycles - starts and stops armed runs from one CPU, and prints the interrupts of every CPU
 * meanwhile.
 *
 * cycles COUNT MILLISECONDS CPU: makes COUNT runs of this length, started and stopped on this CPU.
 * For each start and stop, and for 10 ms before a run without either, it prints lines
 *
 *	start|stop|none ROW CPU COUNT
 *
 * for each row of /proc/interrupts about calls between CPUs whose count changed. If MILLISECONDS is
 * "arm", the kernel is disarmed and armed instead, with these words in the lines. Lines are printed
 * before the next order. The program does not judge them.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

#define CPUS_MAX	8
#define ROWS		(sizeof(rows) / sizeof(rows[0]))

static const char *const rows[] = { "CAL", "TLB" };

static int enable, interrupts;

static void sleep_ms(long ms)
{
	const struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static void read_counts(unsigned long counts[ROWS][CPUS_MAX])
{
	static char text[64 * 1024];
	ssize_t bytes = 0, n;

	if (lseek(interrupts, 0, SEEK_SET))
		die("/proc/interrupts");
	while ((n = read(interrupts, text + bytes, sizeof(text) - 1 - bytes)) > 0)
		bytes += n;
	if (n < 0)
		die("/proc/interrupts");
	text[bytes] = '\0';
	memset(counts, 0, ROWS * sizeof(counts[0]));
	for (size_t row = 0; row < ROWS; row++) {
		char *at = strstr(text, rows[row]), *end;

		if (!at)
			continue;
		at += strlen(rows[row]) + 1;
		for (int cpu = 0; cpu < CPUS_MAX; cpu++, at = end) {
			counts[row][cpu] = strtoul(at, &end, 10);
			if (end == at)
				break;
		}
	}
}

/* Writes @order and prints the interrupts; if NULL, sleeps 10 ms instead. */
static void watch(const char *name, const char *order)
{
	unsigned long before[ROWS][CPUS_MAX], after[ROWS][CPUS_MAX];

	read_counts(before);
	if (order && write(enable, order, strlen(order)) < 0)
		die(order);
	if (!order)
		sleep_ms(10);
	read_counts(after);
	for (size_t row = 0; row < ROWS; row++)
		for (int cpu = 0; cpu < CPUS_MAX; cpu++)
			if (after[row][cpu] != before[row][cpu])
				printf("%s %s %d %lu\n", name, rows[row], cpu,
				       after[row][cpu] - before[row][cpu]);
	fflush(stdout);
}

/* Waits until the logger has fetched the end of the run: the next run needs the buffers. */
static void await_drained(void)
{
	static char text[64 * 1024];

	for (int tries = 0; tries < 1000; tries++) {
		const char *at = text;
		int fd = open("/proc/evtlog/status", O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
		int waiting = 0;

		if (n < 0)
			die("/proc/evtlog/status");
		close(fd);
		text[n] = '\0';
		while ((at = strstr(at, " waiting ")))
			waiting |= atoi(at += strlen(" waiting "));
		if (!waiting)
			return;
		sleep_ms(10);
	}
	errno = ETIME;
	die("the logger");
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "Usage: cycles COUNT MILLISECONDS|arm CPU\n");
		return 2;
	}
	must(stay_on(atoi(argv[3])), "sched_setaffinity");
	enable = open("/proc/evtlog/enable", O_WRONLY | O_CLOEXEC);
	interrupts = open("/proc/interrupts", O_RDONLY | O_CLOEXEC);
	if (enable < 0 || interrupts < 0)
		die("/proc");
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		die("mlockall");
	for (int i = 0; i < atoi(argv[1]); i++) {
		watch("none", NULL);
		if (!strcmp(argv[2], "arm")) {
			watch("disarm", "disarm");
			watch("arm", "arm");
			continue;
		}
		watch("start", "1");
		if (atoi(argv[2]))
			sleep_ms(atoi(argv[2]));
		watch("stop", "0");
		await_drained();
	}
	return 0;
}
