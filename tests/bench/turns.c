// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * turns - two SCHED_FIFO threads on CPU 0 call sched_yield() in turn: one context switch per call,
 * as many as requested.
 *
 * Threads share their memory, so QEMU's TCG keeps its translated code at a switch. This makes turns
 * four times as fast as the two processes of yield.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long turns;
static volatile int ready;

static void *yield_in_turn(void *unused)
{
	long i;

	ready++;
	/* FIFO: the other thread runs only when this one yields. */
	while (ready < 2)
		sched_yield();
	for (i = 0; i < turns; i++)
		sched_yield();
	return NULL;
}

static void check(const char *what, int error)
{
	if (!error)
		return;
	fprintf(stderr, "turns: %s: %s\n", what, strerror(error));
	exit(1);
}

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 50 };
	pthread_t self = pthread_self(), other;
	cpu_set_t set;

	turns = argc == 2 ? atol(argv[1]) / 2 : 0;
	if (turns < 1) {
		fprintf(stderr, "Usage: turns SWITCHES\n");
		return 2;
	}
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	check("affinity", pthread_setaffinity_np(self, sizeof(set), &set));
	check("priority", pthread_setschedparam(self, SCHED_FIFO, &param));
	check("thread", pthread_create(&other, NULL, yield_in_turn, NULL));
	yield_in_turn(NULL);
	check("join", pthread_join(other, NULL));
	return 0;
}
