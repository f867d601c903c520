// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * urgent BUFFERS CALLS FILE - reads a named buffer's file BUFFERS, and writes all to FILE at the
 * end. Calls getppid() CALLS times, 2 ms apart. Prints "put BEFORE AFTER" for each call, in ticks.
 * The reader prints "pid PID", and "read TICKS" after each read().
 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pinned.h"

#define BUFFERS_MAX	(4 << 20)
#define READS_MAX	1000

static char buffers[BUFFERS_MAX];
static uint64_t read_at[READS_MAX], begin_of[READS_MAX], end_of[READS_MAX];

static void nap(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

/* Sleeps only in read(): its wake-ups come from no other source. */
static void take_all(const char *from, const char *to)
{
	const struct sched_param first = { .sched_priority = 1 };
	int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ssize_t count, used = 0;
	int reads = 0;

	if (in < 0 || out < 0)
		die(from);
	/* Touch all pages now: no page fault after an event. */
	memset(buffers, 1, sizeof(buffers));
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		die("sched_setscheduler");
	while ((count = read(in, buffers + used, sizeof(buffers) - used)) > 0 && reads < READS_MAX) {
		read_at[reads++] = ticks();
		used += count;
	}
	if (count < 0 || write(out, buffers, used) != used)
		die(to);
	printf("pid %d\n", getpid());
	for (int i = 0; i < reads; i++)
		printf("read %llu\n", (unsigned long long)read_at[i]);
	fflush(stdout);
	_exit(0);
}

int main(int argc, char **argv)
{
	pid_t reader;

	if (argc != 4 || atoi(argv[2]) > READS_MAX)
		return 2;
	pin("0");
	reader = fork();
	if (!reader)
		take_all(argv[1], argv[3]);
	nap(50000000);
	for (int i = 0, count = atoi(argv[2]); i < count; i++) {
		begin_of[i] = ticks();
		syscall(SYS_getppid);
		end_of[i] = ticks();
		nap(2000000);
	}
	/* An event that is not urgent is read at the end. */
	if (waitpid(reader, NULL, WNOHANG) == reader)
		die("the reader has ended");
	for (int i = 0, count = atoi(argv[2]); i < count; i++)
		printf("put %llu %llu\n", (unsigned long long)begin_of[i], (unsigned long long)end_of[i]);
	return 0;
}
