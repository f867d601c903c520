// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fib PHASE KIND NUMBER BLOCKS COUNT START_NS - a program of the study: computes Fibonacci numbers
 *
 * Computes BLOCKS times COUNT numbers. KIND sequential: in one thread; big: in each of eight
 * threads of one parallel block; small: the same, in BLOCKS parallel blocks, whose threads wait for
 * each other at the end. All programs of a phase begin at START_NS. Prints its begin and end in
 * CLOCK_MONOTONIC_RAW, as in the log.
 *
 * fib calibrate MS - prints how many numbers take this time
 * fib now - prints CLOCK_MONOTONIC_RAW
 *
 * libgomp does not wait busily if it has more threads than CPUs. The machine of the paper had as
 * many CPUs as threads, so FIB_CPUS sets the number of CPUs for libgomp.
 */
#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS		8
#define NUMBERS		90

static volatile uint64_t sink;

int __real_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set);
int __wrap_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set);

/* libgomp uses this as the number of CPUs. */
int __wrap_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
	int result = __real_pthread_getaffinity_np(thread, size, set);
	const char *cpus = getenv("FIB_CPUS");

	for (int i = 0; !result && cpus && i < atoi(cpus); i++)
		CPU_SET_S(i, size, set);
	return result;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/* Computes @count Fibonacci numbers: the first 90 repeatedly. */
static void calculate(uint64_t count)
{
	uint64_t a = 0, b = 1, sum = 0;

	for (uint64_t i = 0, n = 0; i < count; i++) {
		uint64_t next = a + b;

		a = b;
		b = next;
		sum += a;
		if (++n == NUMBERS) {
			a = 0;
			b = 1;
			n = 0;
		}
		/* Prevents the compiler from computing the sum. */
		__asm__ volatile("" : "+r"(sum));
	}
	sink = sum;
}

static void sequential(uint64_t blocks, uint64_t count)
{
	for (uint64_t i = 0; i < blocks; i++)
		calculate(count);
}

static void big(uint64_t blocks, uint64_t count)
{
#pragma omp parallel num_threads(THREADS)
	sequential(blocks, count);
}

static void small(uint64_t blocks, uint64_t count)
{
	for (uint64_t i = 0; i < blocks; i++) {
#pragma omp parallel num_threads(THREADS)
		calculate(count);
	}
}

static int calibrate(uint64_t ms)
{
	uint64_t count = 1000, took_ns;

	/* CPU time, because other programs may run. */
	do {
		uint64_t begin_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);

		count *= 2;
		calculate(count);
		took_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_ns;
	} while (took_ns < 100000000);
	printf("%" PRIu64 "\n", (uint64_t)((double)count * ms * 1e6 / took_ns));
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(uint64_t blocks, uint64_t count);
	} kinds[] = { { "sequential", sequential }, { "big", big }, { "small", small } };
	uint64_t begin_ns, end_ns, now;

	if (argc == 3 && !strcmp(argv[1], "calibrate"))
		return calibrate(strtoull(argv[2], NULL, 10));
	if (argc == 2 && !strcmp(argv[1], "now"))
		return printf("%" PRIu64 "\n", now_ns(CLOCK_MONOTONIC_RAW)) < 0;
	for (size_t i = 0; argc == 7 && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(argv[2], kinds[i].name))
			continue;
		begin_ns = strtoull(argv[6], NULL, 10);
		while ((now = now_ns(CLOCK_MONOTONIC_RAW)) < begin_ns)
			usleep((begin_ns - now) / 1000 + 1);
		kinds[i].run(strtoull(argv[4], NULL, 10), strtoull(argv[5], NULL, 10));
		end_ns = now_ns(CLOCK_MONOTONIC_RAW);
		printf("%s %s %s %d %" PRIu64 " %" PRIu64 "\n", argv[1], argv[2], argv[3], getpid(),
		       begin_ns, end_ns);
		return 0;
	}
	return 2;
}
