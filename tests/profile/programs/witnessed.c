// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * witnessed FILE TASKS - tasks make known system calls; the last is a thread. When all are done,
 * creates FILE with their pids, CPU time (us) and voluntary switches by getrusage(). The tasks end
 * when FILE is deleted; without FILE, at once.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int done[2];
static int stays;

struct told {
	long self, ran_us, switches;
};

static long us_of(const struct timeval *time)
{
	return time->tv_sec * 1000000 + time->tv_usec;
}

static void tell(int self)
{
	struct rusage usage;
	struct told told = { .self = self };

	/* getrusage() has the time up to the last switch or tick. */
	usleep(1);
	getrusage(RUSAGE_THREAD, &usage);
	told.ran_us = us_of(&usage.ru_utime) + us_of(&usage.ru_stime);
	told.switches = usage.ru_nvcsw;
	if (write(done[1], &told, sizeof(told)) != sizeof(told))
		exit(1);
}

static void work(int number)
{
	const struct timespec ms = { .tv_nsec = 5000000 };
	int ends[2], i, self = syscall(SYS_gettid);
	struct tms times_of;
	char byte;

	for (i = 0; i < 300 * number; i++)
		times(&times_of);
	for (i = 0; i < 100 * number; i++)
		syscall(SYS_getpgid, 0);
	for (i = 0; i < 10 * number; i++)
		nanosleep(&ms, NULL);
	if (pipe(ends))
		exit(1);
	for (i = 0; i < 50 * number; i++) {
		if (write(ends[1], "", 1) != 1 || read(ends[0], &byte, 1) != 1)
			exit(1);
		/* The call fails, and is counted. */
		close(-1);
	}
	tell(self);
	while (stays)
		pause();
}

static void *thread(void *number)
{
	work(*(int *)number);
	return NULL;
}

/* The last task has a thread that works as the next task would. */
static void child(int number, int tasks)
{
	int next = number + 1;
	pthread_t other;

	if (next == tasks)
		pthread_create(&other, NULL, thread, &next);
	work(number);
	if (next == tasks)
		pthread_join(other, NULL);
	exit(0);
}

int main(int argc, char **argv)
{
	int tasks = argc == 3 ? atoi(argv[2]) : 0, i;
	struct told told;
	pid_t pids[16];
	sigset_t ends;
	FILE *file;

	if (argc != 3 || tasks > 16)
		return 2;
	/* In a traced task, the signal would interrupt a call, which would then count twice. */
	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	stays = *argv[1];
	if (pipe(done))
		return 1;
	for (i = 1; i < tasks; i++) {
		pids[i] = fork();
		if (!pids[i])
			child(i, tasks);
	}
	file = stays ? fopen("/tmp/witnessed", "w") : NULL;
	for (i = 1; i <= tasks; i++) {
		if (read(done[0], &told, sizeof(told)) != sizeof(told))
			return 1;
		if (file)
			fprintf(file, "%ld %ld %ld\n", told.self, told.ran_us, told.switches);
	}
	if (file) {
		fclose(file);
		rename("/tmp/witnessed", argv[1]);
		while (!access(argv[1], F_OK))
			usleep(20000);
		for (i = 1; i < tasks; i++)
			kill(pids[i], SIGKILL);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
