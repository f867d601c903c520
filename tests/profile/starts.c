// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * starts - CPU time in ns of a start and of a stop of profiles. Run as root, on one CPU.
 *
 *	starts processes N	while N processes of two threads sleep; and of reading all profiles, and of the
 *				fork and the end of a process, the median of 41
 *	starts pages N		while N pages are mapped whose threads have ended
 *	starts threads N	instead: of the first mapping of a new thread, beside N threads that sleep
 *	starts limit		twice, as a user with ulimit -l 256: how many pages can be mapped, and the error
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

static int self;
static long mapped;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static long cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
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

static long read_all(void)
{
	static char text[1 << 16];
	int file = open("/proc/evtlog/profile/all", O_RDONLY);
	long begin = cpu_time();
	ssize_t got;

	while ((got = read(file, text, sizeof(text))) > 0)
		;
	if (got < 0)
		die("/proc/evtlog/profile/all");
	close(file);
	return cpu_time() - begin;
}

static int compare(const void *one, const void *other)
{
	long a = *(const long *)one, b = *(const long *)other;

	return (a > b) - (a < b);
}

/* All CPU time is that of the two, or of nobody. */
static long fork_one(void)
{
	long taken[41];

	for (int i = 0; i < 41; i++) {
		struct timespec begin, end;
		pid_t pid;

		clock_gettime(CLOCK_MONOTONIC, &begin);
		pid = fork();
		if (!pid)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			die("fork");
		clock_gettime(CLOCK_MONOTONIC, &end);
		taken[i] = (end.tv_sec - begin.tv_sec) * 1000000000L + end.tv_nsec - begin.tv_nsec;
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

/* As many as can be; @error says why not more. */
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

/* Pages that are unmapped count no more. */
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
		/* Pages are freed behind RCU. */
		usleep(200000);
	}
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[2]) : 0, started, read = 0, forked = 0;
	int error = 0;

	if (argc == 2 && !strcmp(argv[1], "limit")) {
		reach_limit();
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
		read = read_all();
		forked = fork_one();
	}
	printf("%s %ld %ld %ld %ld %ld\n", argv[1], count, started, write_control("0"), read, forked);
	return 0;
}
