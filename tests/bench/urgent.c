// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * urgent HOW ROUNDS FILE - prints the ns from a getppid() until the reader of its event returns:
 * the minimum of ROUNDS rounds. Both are threads on CPU 0; the reader has the higher priority. HOW
 * is read or poll of FILE, a file of a named buffer; or pipe: the writer writes a byte, a plain
 * wake-up.
 *
 * Stage: in the guest of `bench buffer`.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char data[1 << 20];
static const char *how;
static int fd, ends[2];
static long rounds;
static atomic_long done = -1;
static double begin, least = 1e18;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Both threads run on CPU 0, before all tasks except the kernel's own. */
static void place(int priority)
{
	struct sched_param param = { .sched_priority = priority };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) ||
	    sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler");
}

static void await(void)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (!strcmp(how, "poll") && poll(&p, 1, -1) != 1)
		die("poll");
	else if (strcmp(how, "poll") && read(fd, data, sizeof(data)) <= 0)
		die("read");
}

static void *take(void *unused)
{
	place(20);
	for (long round = -1; round < rounds; round++) {
		double took;

		atomic_store(&done, round);
		await();
		took = now_ns() - begin;
		if (round >= 0 && took < least)
			least = took;
		/* poll() leaves the data in the buffer: take it. */
		if (!strcmp(how, "poll") && read(fd, data, sizeof(data)) <= 0)
			die("read");
	}
	atomic_store(&done, rounds);
	return NULL;
}

static void give(void)
{
	if (strcmp(how, "pipe"))
		syscall(SYS_getppid);
	else if (write(ends[1], "", 1) != 1)
		die("write");
}

int main(int argc, char **argv)
{
	pthread_t reader;

	if (argc != 4)
		return 2;
	how = argv[1];
	rounds = atol(argv[2]);
	if (!strcmp(how, "pipe") && pipe(ends))
		die("pipe");
	fd = strcmp(how, "pipe") ? open(argv[3], O_RDONLY) : ends[0];
	if (fd < 0)
		die(argv[3]);
	place(10);
	if (pthread_create(&reader, NULL, take, NULL))
		die("pthread_create");
	for (long round = -1; round < rounds; round++) {
		/* The reader waits by then, because it has the higher priority. */
		while (atomic_load(&done) < round)
			usleep(100);
		begin = now_ns();
		give();
	}
	pthread_join(reader, NULL);
	printf("%.0f\n", least);
	return 0;
}
