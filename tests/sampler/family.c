// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family - a process with a thread, and a child that ends at once; init inherits the child's own
 * child, which forks a child of its own. Prints the pid of each.
 *
 * Usage: family FILE MS [SECOND-FILE]
 *
 * All work for MS, half of the time asleep; the youngest has nice 5. With SECOND-FILE, the youngest
 * is forked only after this file is written, so that a test can read the family before.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

static int told, milliseconds;
static const char *go;

static void tell(const char *who)
{
	if (dprintf(told, "%s %ld\n", who, syscall(SYS_gettid)) < 0)
		die("tell");
}

static double now(void)
{
	return now_ns() / 1e6;
}

static void work(void)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	double end = now() + milliseconds;

	while (now() < end) {
		double rest = now() + 10;

		while (now() < rest)
			;
		nanosleep(&pause, NULL);
	}
}

static void await_go(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	while (go && access(go, F_OK) < 0)
		nanosleep(&pause, NULL);
}

static void *thread(void *unused)
{
	tell("thread");
	await_go();
	work();
	return NULL;
}

static void be_orphan(void)
{
	pid_t pid;

	/* Wait until the parent has ended and init has inherited this process */
	while (getppid() != 1)
		usleep(1000);
	tell("orphan");
	await_go();
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		if (setpriority(PRIO_PROCESS, 0, 5))
			die("setpriority");
		tell("youngest");
	}
	work();
	if (pid)
		waitpid(pid, NULL, 0);
	exit(0);
}

int main(int argc, char **argv)
{
	int status, gate[2];
	pthread_t other;
	pid_t child;
	char byte;

	if (argc < 3)
		return 2;
	told = open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	milliseconds = atoi(argv[2]);
	go = argv[3];
	if (told < 0 || pipe(gate))
		die(argv[1]);
	tell("root");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		close(gate[0]);
		tell("gone");
		child = fork();
		if (child < 0)
			die("fork");
		if (!child)
			be_orphan();
		exit(0);
	}
	close(gate[1]);
	waitpid(child, &status, 0);
	if (pthread_create(&other, NULL, thread, NULL))
		die("pthread_create");
	await_go();
	work();
	pthread_join(other, NULL);
	/* Wait until the orphan and its child have ended. */
	if (read(gate[0], &byte, 1))
		die("read");
	return 0;
}
