// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * yield - two SCHED_FIFO tasks on one CPU call sched_yield() in turn.
 *
 * Each call is one context switch and nothing else. Under QEMU's -icount, where a nanosecond is an
 * instruction, the time per switch repeats to a tenth of an instruction. Prints that time.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

#define WARM_UP	2000

struct shared {
	volatile int ready;
	double ns_per_switch;
};

static void yield_in_turn(struct shared *s, long yields, int is_first)
{
	double begin = 0;
	long i;

	s->ready++;
	/* FIFO: the other task runs only when this one yields. */
	while (s->ready < 2)
		sched_yield();
	for (i = 0; i < WARM_UP + yields; i++) {
		if (i == WARM_UP)
			begin = now_ns(CLOCK_MONOTONIC_RAW);
		sched_yield();
	}
	if (is_first)
		s->ns_per_switch = (now_ns(CLOCK_MONOTONIC_RAW) - begin) / (2.0 * yields);
}

int main(int argc, char **argv)
{
	long switches = argc > 1 ? atol(argv[1]) : 0;
	int cpu = argc > 2 ? atoi(argv[2]) : 0;
	struct sched_param param = { .sched_priority = 50 };
	struct shared *s;
	cpu_set_t set;
	int i, status, failed = 0;

	if (switches < 2) {
		fprintf(stderr, "Usage: yield SWITCHES [CPU]\n");
		return 2;
	}
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s == MAP_FAILED)
		die("mmap");
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler");
	for (i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			yield_in_turn(s, switches / 2, i == 0);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		failed |= status;
	if (failed) {
		fprintf(stderr, "yield: a task failed\n");
		return 1;
	}
	printf("%.2f\n", s->ns_per_switch);
	return 0;
}
