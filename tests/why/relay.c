// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * relay ROUNDS SEED - processes hand work on, over pipes and futexes in turn.
 *
 * In each round, the first process starts the second one and waits for the last one.  Each of the others uses its CPU
 * for a random time, and one of them also sleeps.  Prints a JSON line for each round: when the first process waited,
 * and for each other process its pid, the CPU time that it used, and how long it slept.
 */
#include <inttypes.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "xorshift.h"

#define STAGES	6
#define CPUS	2

/* @turn: number of the round that may begin; @work_ns, @sleep_ns: of this round */
struct stage {
	uint32_t turn;
	int pipe[2];
	pid_t pid;
	uint64_t work_ns;
	uint64_t sleep_ns;
};

static struct stage *stages;

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
}

static void burn(uint64_t ns)
{
	uint64_t end = now(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* Stages with an even number wait at a pipe, others at a futex. */
static void wait_for(unsigned int number, uint32_t round)
{
	struct stage *stage = &stages[number];
	char byte;

	if (!(number & 1)) {
		if (read(stage->pipe[0], &byte, 1) != 1)
			exit(1);
		return;
	}
	while (__atomic_load_n(&stage->turn, __ATOMIC_ACQUIRE) < round)
		syscall(SYS_futex, &stage->turn, FUTEX_WAIT, round - 1, NULL, NULL, 0);
}

static void start(unsigned int number, uint32_t round)
{
	struct stage *stage = &stages[number];

	if (!(number & 1)) {
		if (write(stage->pipe[1], "x", 1) != 1)
			exit(1);
		return;
	}
	__atomic_store_n(&stage->turn, round, __ATOMIC_RELEASE);
	syscall(SYS_futex, &stage->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		exit(1);
}

static void serve(unsigned int number, uint32_t rounds)
{
	struct stage *stage = &stages[number];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin(number % CPUS);
	for (uint32_t round = 1; round <= rounds; round++) {
		struct timespec sleeps;

		wait_for(number, round);
		sleeps = (struct timespec) { .tv_nsec = stage->sleep_ns };
		burn(stage->work_ns);
		if (stage->sleep_ns)
			nanosleep(&sleeps, NULL);
		start((number + 1) % STAGES, round);
	}
	exit(0);
}

static void print(uint64_t from, uint64_t to)
{
	printf("{\"pid\": %d, \"from\": %" PRIu64 ", \"to\": %" PRIu64 ", \"stages\": [", (int)getpid(), from, to);
	for (unsigned int i = 1; i < STAGES; i++)
		printf("%s{\"pid\": %d, \"work_ns\": %" PRIu64 ", \"sleep_ns\": %" PRIu64 "}", i > 1 ? ", " : "",
		       (int)stages[i].pid, stages[i].work_ns, stages[i].sleep_ns);
	puts("]}");
}

int main(int argc, char **argv)
{
	uint32_t rounds = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	uint64_t random = argc == 3 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 0;

	stages = mmap(NULL, STAGES * sizeof(*stages), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!rounds || stages == MAP_FAILED)
		return 2;
	for (unsigned int i = 0; i < STAGES; i += 2)
		if (pipe(stages[i].pipe))
			return 1;
	for (unsigned int i = 1; i < STAGES; i++) {
		pid_t pid = fork();

		if (!pid)
			serve(i, rounds);
		stages[i].pid = pid;
	}
	pin(0);
	for (uint32_t round = 1; round <= rounds; round++) {
		unsigned int sleeper = 1 + xorshift(&random) % (STAGES - 1);
		uint64_t from;

		/* All others wait when a round begins. */
		usleep(20000);
		for (unsigned int i = 1; i < STAGES; i++) {
			stages[i].work_ns = 500000 + xorshift(&random) % 4000000;
			stages[i].sleep_ns = i == sleeper ? 1000000 + xorshift(&random) % 9000000 : 0;
		}
		start(1, round);
		from = now(CLOCK_MONOTONIC_RAW);
		wait_for(0, round);
		print(from, now(CLOCK_MONOTONIC_RAW));
	}
	return 0;
}
