// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mixed SEED MS TASKS FILE - tasks do random things for MS: system calls, sleeps, pipes, page
 * faults, signals, threads, forks, execs, migrations. Then half of them end, FILE is created, and
 * the others sleep until they are killed.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned int signals;

static void on_signal(int number)
{
	signals++;
	syscall(SYS_getppid);
}

static long ms_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void go_to_any(unsigned int *seed)
{
	cpu_set_t set;

	/* An offline CPU is refused, and the task stays. */
	CPU_ZERO(&set);
	CPU_SET(rand_r(seed) % sysconf(_SC_NPROCESSORS_CONF), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void touch_pages(unsigned int pages)
{
	char *memory = mmap(NULL, pages * 4096UL, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (unsigned int i = 0; i < pages; i++)
		memory[i * 4096UL] = 1;
	munmap(memory, pages * 4096UL);
}

static void *thread(void *unused)
{
	touch_pages(3);
	usleep(500);
	return NULL;
}

static void pass_through_pipe(void)
{
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe(ends))
		return;
	pid = fork();
	if (!pid) {
		usleep(300);
		_exit(write(ends[1], "x", 1) != 1);
	}
	while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
		;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(ends[0]);
	close(ends[1]);
}

static void exec_self(void)
{
	pid_t pid = fork();

	if (!pid) {
		execl("/proc/self/exe", "mixed", "0", "0", "0", NULL);
		_exit(1);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void run(unsigned int seed, long until)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct itimerval every = { { 0, 7000 }, { 0, 7000 } }, never = { 0 };
	volatile unsigned int spun;
	pthread_t id;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	while (ms_now() < until) {
		switch (rand_r(&seed) % 10) {
		case 0: go_to_any(&seed); break;
		case 1: usleep(rand_r(&seed) % 3000); break;
		case 2: touch_pages(rand_r(&seed) % 20 + 1); break;
		case 3: pass_through_pipe(); break;
		case 4: exec_self(); break;
		case 5:
			if (!pthread_create(&id, NULL, thread, NULL))
				pthread_join(id, NULL);
			break;
		case 6: sched_yield(); break;
		case 7: kill(getpid(), SIGALRM); break;
		case 8:
			for (int i = 0; i < 20; i++)
				syscall(SYS_getppid);
			break;
		case 9:
			for (spun = 0; spun < 100000; spun++)
				;
			break;
		}
	}
	setitimer(ITIMER_REAL, &never, NULL);
}

int main(int argc, char **argv)
{
	unsigned int seed = atoi(argv[1]), tasks = atoi(argv[3]);
	long until = ms_now() + atoi(argv[2]);

	if (!tasks)
		return 0;
	for (unsigned int i = 0; i < tasks; i++) {
		if (fork())
			continue;
		run(seed * 1000 + i, until);
		if (i % 2)
			_exit(0);
		for (;;)
			pause();
	}
	for (unsigned int i = 0; i < tasks / 2; i++)
		wait(NULL);
	/* With few pids, this reuses them. */
	for (unsigned int i = 0; i < 300; i++) {
		if (!fork())
			_exit(0);
		wait(NULL);
	}
	if (!fopen(argv[4], "w"))
		perror(argv[4]);
	for (;;)
		pause();
}
