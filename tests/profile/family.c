// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family CHILDREN - forks children, threads, and a grandchild whose parent ends. Prints how many
 * getppid() and sleeps they made, and getrusage(); exits with 7.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void work(int calls, int sleeps)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	volatile unsigned long spun = 0;

	while (calls--)
		syscall(SYS_getppid);
	while (sleeps--)
		nanosleep(&ms, NULL);
	while (spun < 2000000)
		spun++;
}

static void *thread(void *unused)
{
	work(500, 2);
	return NULL;
}

/* The orphan's parent ends first: the orphan is a child of init. */
static void orphan(void)
{
	int end[2];
	char byte;

	if (pipe(end))
		exit(1);
	if (!fork()) {
		if (!fork()) {
			close(end[0]);
			usleep(20000);
			work(777, 1);
			_exit(0);
		}
		_exit(0);
	}
	close(end[1]);
	wait(NULL);
	/* The orphan has ended. */
	while (read(end[0], &byte, 1) > 0)
		;
}

static long us_of(const struct rusage *usage)
{
	return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000 +
	       usage->ru_utime.tv_usec + usage->ru_stime.tv_usec;
}

int main(int argc, char **argv)
{
	int children = atoi(argv[1]), calls = 777 + 2 * 500, sleeps = 1 + 2 * 2;
	struct rusage own, all;
	pthread_t threads[2];
	int i;

	for (i = 1; i <= children; i++) {
		if (!fork()) {
			work(100 * i, 3);
			_exit(0);
		}
		calls += 100 * i;
		sleeps += 3;
	}
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < children; i++)
		wait(NULL);
	orphan();
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &all);
	printf("getppid %d sleeps %d tasks %d ran_us %ld\n", calls, sleeps, 1 + children + 2 + 2,
	       us_of(&own) + us_of(&all));
	return 7;
}
