// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * starved WHAT ... - repeats an operation; each time another allocation of the kernel fails, until
 * none fails. Needs the module evtlog_starve_test.
 *
 *	fork		forks children that sleep. Prints "children N refused N failures N", then a
 *			line "child PID" for each, and sleeps until it is killed.
 *	write FILE TEXT UNDO	writes TEXT; UNDO with memory. Prints "done N refused N failures N".
 *	read FILE	opens and reads the file. Prints the same.
 *	map FILE	maps a page of the file. Prints the same.
 *	call		makes many kinds of system calls and reads a file without memory; prints
 *			"calls N reads N" and its profile.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

/* Stop after this number of attempts in a row without a failure; no operation needs MOST. */
#define ENOUGH	3
#define MOST	4000

static int nth;
static unsigned int done, refused, failures;

/* Makes the @n-th allocation of this thread fail; 0: none. */
static void fail_at(int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", n);
	must(pwrite(nth, text, strlen(text), 0) == (ssize_t)strlen(text), "/proc/starve");
}

/* Has the allocation failed since? */
static bool has_failed(void)
{
	char text[16] = "";

	must(pread(nth, text, sizeof(text) - 1, 0) > 0, "/proc/starve");
	fail_at(0);
	return !atoi(text);
}

static pid_t children[MOST];
static unsigned int born;

static bool do_fork(char **argv)
{
	pid_t pid = fork();

	if (!pid) {
		for (;;)
			pause();
	}
	if (pid < 0)
		return false;
	children[born++] = pid;
	return true;
}

static bool put(const char *file, const char *text)
{
	int f = open(file, O_WRONLY);
	bool good = f >= 0 && write(f, text, strlen(text)) == (ssize_t)strlen(text);

	if (!good && errno != ENOMEM)
		must(false, file);
	if (f >= 0)
		close(f);
	return good;
}

static bool do_write(char **argv)
{
	return put(argv[0], argv[1]);
}

static bool do_read(char **argv)
{
	static char text[1 << 16];
	int file = open(argv[0], O_RDONLY);
	ssize_t got = file < 0 ? -1 : 1;

	while (got > 0)
		got = read(file, text, sizeof(text));
	if (got < 0 && errno != ENOMEM)
		must(false, argv[0]);
	if (file >= 0)
		close(file);
	return !got;
}

static bool do_map(char **argv)
{
	int file = open(argv[0], O_RDONLY);
	void *at = file < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);

	if (at == MAP_FAILED && errno != ENOMEM)
		must(false, argv[0]);
	if (at != MAP_FAILED)
		munmap(at, 4096);
	if (file >= 0)
		close(file);
	return at != MAP_FAILED;
}

static void repeat(bool (*act)(char **argv), char **argv, const char *file, const char *undo)
{
	int n, without = 0;

	for (n = 1; without < ENOUGH && n < MOST; n++) {
		bool good, failed;

		fail_at(n);
		good = act(argv);
		failed = has_failed();
		done += good;
		refused += !good;
		failures += failed;
		without = failed ? 0 : without + 1;
		if (!good && !failed)
			must(false, "refused, and no allocation failed");
		if (undo && !put(file, undo))
			must(false, undo);
	}
	must(without == ENOUGH, "allocations fail without end");
}

/* Many kinds, none needs memory. */
static const int kinds[] = {
	SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
	SYS_getpgrp, SYS_sched_yield, SYS_alarm, SYS_umask, SYS_times, SYS_getpgid, SYS_getsid,
	SYS_sync, SYS_sysinfo, SYS_uname, SYS_gettimeofday, SYS_time, SYS_getitimer,
	SYS_getrlimit, SYS_getrusage, SYS_sched_getparam, SYS_sched_getscheduler, SYS_getpriority,
	SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_close, SYS_dup, SYS_fsync,
	SYS_lseek, SYS_ioctl, SYS_fcntl, SYS_getcpu,
};

static void call(void)
{
	static char text[1 << 16];
	int zero = open("/dev/zero", O_RDONLY), self;
	unsigned int i, reads = 0, calls = 0;
	ssize_t got;

	must(zero >= 0, "/dev/zero");
	fail_at(-1);
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		/* Arguments that are invalid for all of them */
		syscall(kinds[i], -1L, -1L, -1L, -1L);
		calls++;
	}
	for (i = 0; i < 100; i++)
		reads += read(zero, text, 10) == 10;
	fail_at(0);
	printf("calls %u reads %u\n", calls, reads);
	fflush(stdout);
	self = open("/proc/evtlog/profile/self", O_RDONLY);
	must(self >= 0, "/proc/evtlog/profile/self");
	while ((got = read(self, text, sizeof(text))) > 0)
		must(write(1, text, got) == got, "write");
}

int main(int argc, char **argv)
{
	unsigned int i;

	nth = open("/proc/starve", O_RDWR);
	must(nth >= 0 && argc > 1, "/proc/starve");
	/* Allocate the C library's memory first. */
	setvbuf(stdout, malloc(BUFSIZ), _IOFBF, BUFSIZ);
	if (!strcmp(argv[1], "fork")) {
		repeat(do_fork, NULL, NULL, NULL);
		printf("children %u refused %u failures %u\n", done, refused, failures);
		for (i = 0; i < born; i++)
			printf("child %d\n", children[i]);
		printf("end\n");
		fflush(stdout);
		for (;;)
			pause();
	}
	if (!strcmp(argv[1], "call")) {
		/* A task that never had memory */
		if (!fork()) {
			call();
			return 0;
		}
		wait(NULL);
		return 0;
	}
	if (!strcmp(argv[1], "write"))
		repeat(do_write, argv + 2, argv[2], argv[4]);
	else if (!strcmp(argv[1], "read"))
		repeat(do_read, argv + 2, NULL, NULL);
	else
		repeat(do_map, argv + 2, NULL, NULL);
	printf("done %u refused %u failures %u\n", done, refused, failures);
	return 0;
}
