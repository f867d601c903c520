// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * regions - makes known system calls and sleeps in known regions. Prints the ticks that passed in
 * each, by its own clock: "PID REGION TICKS BLOCKED"; and how many sleeps blocked: not all do on a
 * slow machine.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/region.h>

#define THREADS	3

static uint64_t ticks(void)
{
	return __builtin_ia32_rdtsc();
}

static void calls(int count)
{
	evtlog_region_begin("calls");
	for (int i = 0; i < count; i++)
		syscall(SYS_getppid);
	evtlog_region_end("calls");
}

static long blocked(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static long sleeps(int count)
{
	const struct timespec some = { .tv_nsec = 5000000 };
	long before = blocked();

	for (int i = 0; i < count; i++) {
		evtlog_region_begin("sleeps");
		nanosleep(&some, NULL);
		evtlog_region_end("sleeps");
	}
	return blocked() - before;
}

static void spin(void)
{
	for (volatile int i = 0; i < 200000; i++)
		;
}

static void *work(void *unused)
{
	pthread_setname_np(pthread_self(), "worker");
	for (int i = 0; i < 4; i++) {
		evtlog_region_begin("work");
		calls(10);
		spin();
		evtlog_region_end("work");
	}
	return NULL;
}

static void on_signal(int number)
{
	evtlog_region_begin("handler");
	evtlog_region_end("handler");
}

static void odd(void)
{
	char name[] = "built at run time > \"%\"";
	struct sigaction action = { .sa_handler = on_signal };

	evtlog_region_end("never begun");
	/* Open inner regions end with the outer region. */
	evtlog_region_begin("outer");
	evtlog_region_begin("left open");
	evtlog_region_begin("left open too");
	evtlog_region_end("outer");
	for (int i = 0; i < 2; i++) {
		evtlog_region_begin(evtlog_region_name(name, strlen(name)));
		evtlog_region_end(NULL);
	}
	evtlog_region_end(NULL);
	evtlog_region_begin("main");
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	for (int i = 0; i < 300; i++)
		evtlog_region_begin("deep");
	for (int i = 0; i < 300; i++)
		evtlog_region_end("deep");
}

static void child(void)
{
	uint64_t begin = ticks();

	evtlog_region_begin("child");
	calls(7);
	/* Long compared with the first begin, at which the library maps the child's page */
	for (int i = 0; i < 4; i++)
		spin();
	evtlog_region_end("child");
	printf("%d child %llu 0\n", getpid(), (unsigned long long)(ticks() - begin));
	fflush(stdout);
	exit(0);
}

int main(void)
{
	pthread_t threads[THREADS];
	uint64_t begin;
	long slept;
	pid_t pid;

	begin = ticks();
	errno = EXDEV;
	evtlog_region_begin("main");
	if (errno != EXDEV)
		return 2;
	for (int i = 0; i < 10; i++)
		calls(100);
	slept = sleeps(5);
	pid = fork();
	if (!pid)
		child();
	waitpid(pid, NULL, 0);
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 1;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	odd();
	evtlog_region_end("main");
	printf("%d main %llu %ld\n", getpid(), (unsigned long long)(ticks() - begin), slept);
	fflush(stdout);
	evtlog_region_begin("open at exit");
	spin();
	return 0;
}
