// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * forks TASKS RATE SECONDS - makes TASKS sleeping processes, then for SECONDS makes RATE more per
 * second, which call getppid() and end; then all end. The sleepers share memory, to fork fast.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long ms_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int sleeps(void *unused)
{
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	int tasks = atoi(argv[1]), rate = atoi(argv[2]);
	long begin, ms = atoi(argv[3]) * 1000L, forked = 0;
	pid_t *pids = calloc(tasks, sizeof(*pids));
	char (*stacks)[4096] = malloc(tasks * sizeof(*stacks));

	for (int i = 0; i < tasks; i++) {
		pids[i] = clone(sleeps, stacks + i + 1, CLONE_VM | SIGCHLD, NULL);
		if (pids[i] < 0) {
			perror("forks: clone");
			return 1;
		}
	}
	begin = ms_now();
	while (ms_now() - begin < ms) {
		for (; forked < (ms_now() - begin) * rate / 1000; forked++) {
			pid_t pid = fork();

			if (pid < 0) {
				perror("forks: fork");
				return 1;
			}
			if (!pid) {
				syscall(SYS_getppid);
				_exit(0);
			}
			waitpid(pid, NULL, 0);
		}
		usleep(5000);
	}
	for (int i = 0; i < tasks; i++)
		kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
	printf("slept %d ended-at-once %ld\n", tasks, forked);
	return 0;
}
