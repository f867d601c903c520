// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * starts - prints the CPU time in ns of a start and of a stop of profiles. Run as root, on one CPU.
 *
 *	starts processes N	while N processes of two threads sleep; also of reading all
 *				profiles, and the median of 41 forks and ends of a process
 *	starts pages N		while N pages are mapped whose threads have ended
 *	starts family N		instead: of reading a family of N processes of two threads, and the
 *				longest wait of a real-time task; both again for all profiles
 *	starts threads N	instead: of the first mapping of a new thread, while N threads sleep
 *	starts limit		twice, as a user with ulimit -l 256: number of pages, error
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

static int self;
static long mapped;

static long cpu_time(void)
{
	return ns_of(CLOCK_THREAD_CPUTIME_ID);
}

static long write_control(const char *text)
{
	int file = open("/proc/evtlog/profile/control", O_WRONLY);
	long begin = cpu_time(), taken;

	if (write(file, text, strlen(text)) < 0)
		die(text);
	taken = cpu_time() - begin;
	close(file);
	return taken;
}

static long read_to_end(int file)
{
	static char text[1 << 16];
	long begin = cpu_time();
	ssize_t got;

	while ((got = read(file, text, sizeof(text))) > 0)
		;
	if (got < 0)
		die("read");
	return cpu_time() - begin;
}

static int open_all(void)
{
	int file = open("/proc/evtlog/profile/all", O_RDONLY);

	if (file < 0)
		die("/proc/evtlog/profile/all");
	return file;
}

static int compare(const void *one, const void *other)
{
	long a = *(const long *)one, b = *(const long *)other;

	return (a > b) - (a < b);
}

/* No other task uses CPU time. */
static long fork_one(void)
{
	long taken[41];

	for (int i = 0; i < 41; i++) {
		uint64_t begin = ns_of(CLOCK_MONOTONIC);
		pid_t pid;

		pid = fork();
		if (!pid)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			die("fork");
		taken[i] = ns_of(CLOCK_MONOTONIC) - begin;
	}
	qsort(taken, 41, sizeof(*taken), compare);
	return taken[20];
}

static void *sleeps(void *unused)
{
	pause();
	return NULL;
}

static void make_processes(long count)
{
	int ready[2];
	char byte = 'x';

	if (pipe(ready))
		die("pipe");
	for (long i = 0; i < count; i++) {
		pthread_t thread;
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			if (prctl(PR_SET_PDEATHSIG, SIGKILL) ||
			    pthread_create(&thread, NULL, sleeps, NULL) ||
			    write(ready[1], &byte, 1) != 1)
				_exit(1);
			pause();
			_exit(0);
		}
		if (read(ready[0], &byte, 1) != 1)
			die("read");
	}
}

static void *maps(void *error)
{
	long begin = cpu_time();

	if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, self, 0) == MAP_FAILED)
		*(int *)error = errno;
	mapped = cpu_time() - begin;
	return NULL;
}

/* Maps up to @count pages; @error is the reason for fewer. */
static long make_pages(long count, int *error)
{
	pthread_t thread;
	long i;

	self = open("/proc/evtlog/profile/self", O_RDONLY);
	if (self < 0)
		die("/proc/evtlog/profile/self");
	for (i = 0; i < count; i++) {
		if (pthread_create(&thread, NULL, maps, error) || pthread_join(thread, NULL))
			die("thread");
		if (*error)
			break;
	}
	return i;
}

/* Unmapped pages do not count. */
static void reach_limit(void)
{
	struct rlimit limit = { .rlim_cur = 64 * 4096, .rlim_max = 64 * 4096 };
	int error = 0;

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || setgid(1000) || setuid(1000))
		die("rights");
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (!pid) {
			printf("limit %ld ", make_pages(1000, &error));
			puts(strerror(error));
			fflush(stdout);
			_exit(0);
		}
		if (pid < 0 || wait(NULL) != pid)
			die("fork");
		/* Pages are freed after a grace period of RCU. */
		usleep(200000);
	}
}

static volatile int is_reading;

/* Measures the longest delay of a pause of 100 us. */
static void *is_urgent(void *longest)
{
	const struct sched_param first = { .sched_priority = 1 };
	const struct timespec pause = { .tv_nsec = 100000 };

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &first))
		die("SCHED_FIFO");
	while (is_reading) {
		uint64_t begin = ns_of(CLOCK_MONOTONIC);
		long late;

		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		late = ns_of(CLOCK_MONOTONIC) - begin - pause.tv_nsec;
		if (late > *(long *)longest)
			*(long *)longest = late;
	}
	return NULL;
}

static void read_beside_urgent(const char *name, long count, int file)
{
	long longest = 0, taken;
	pthread_t thread;

	is_reading = 1;
	if (pthread_create(&thread, NULL, is_urgent, &longest))
		die("thread");
	taken = read_to_end(file);
	is_reading = 0;
	pthread_join(thread, NULL);
	printf("%s %ld %ld %ld\n", name, count, taken, longest);
}

static void read_family(long count)
{
	int family = open("/proc/evtlog/profile/family", O_RDWR), all = open_all();

	if (family < 0 || write(family, "join", 4) != 4)
		die("/proc/evtlog/profile/family");
	make_processes(count);
	read_beside_urgent("family", count, family);
	read_beside_urgent("all", count, all);
	close(all);
	close(family);
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[2]) : 0, started, read = 0, forked = 0;
	int error = 0;

	if (argc == 2 && !strcmp(argv[1], "limit")) {
		reach_limit();
		return 0;
	}
	if (!strcmp(argv[1], "family")) {
		read_family(count);
		return 0;
	}
	if (!strcmp(argv[1], "threads")) {
		pthread_t thread;

		for (long i = 0; i < count; i++) {
			if (pthread_create(&thread, NULL, sleeps, NULL))
				die("thread");
		}
		if (make_pages(1, &error) != 1)
			die("pages");
		printf("threads %ld %ld 0\n", count, mapped);
		return 0;
	}
	if (!strcmp(argv[1], "processes"))
		make_processes(count);
	started = write_control("1");
	if (!strcmp(argv[1], "pages") && make_pages(count, &error) != count)
		die("pages");
	if (!strcmp(argv[1], "processes")) {
		int all = open_all();

		read = read_to_end(all);
		close(all);
		forked = fork_one();
	}
	printf("%s %ld %ld %ld %ld %ld\n", argv[1], count, started, write_control("0"), read, forked);
	return 0;
}
