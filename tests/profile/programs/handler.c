// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * handler COUNT - children with several threads, mostly in malloc(), end by _exit() in a signal
 * handler. Exits with 1 if a child does not end.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <evtlog/region.h>

static void *wait_for_ever(void *unused)
{
	pause();
	return unused;
}

static void end(int signal)
{
	_exit(0);
}

static void live(int number)
{
	struct itimerval when = { .it_value.tv_usec = 2000 + number * 37 % 3000 };
	sigset_t all, before;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pthread_create(&thread, NULL, wait_for_ever, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	signal(SIGALRM, end);
	evtlog_region_begin("work");
	evtlog_region_end("work");
	setitimer(ITIMER_REAL, &when, NULL);
	for (;;) {
		void *memory[20];

		for (int i = 0; i < 20; i++)
			memory[i] = malloc(2000 + i * 100);
		for (int i = 0; i < 20; i++)
			free(memory[i]);
	}
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1, hung = 0;

	for (int i = 0; i < count; i++) {
		pid_t pid = fork(), ended = 0;

		if (!pid)
			live(i);
		for (int try = 0; !ended && try < 500; try++) {
			usleep(10000);
			ended = waitpid(pid, NULL, WNOHANG);
		}
		if (ended)
			continue;
		hung++;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	printf("%d of %d children did not end\n", hung, count);
	return !!hung;
}
