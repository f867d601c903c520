// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * step - sets CLOCK_REALTIME, and writes its time to the log before and after each step.
 *
 * A mark is an lseek(2) with the time as offset; a probe of null_lseek() records it. A thread on
 * CPU 0 only writes marks. The main thread on the last CPU writes marks and sets the clock. The two
 * never run at the same time. Prints the size of each step in ns, one per line.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S	INT64_C(1000000000)
#define NS_PER_MS	1000000
#define MARKS		20
/* 2026-12-31 23:59:58.55 UTC; the marks continue past the end of this minute */
#define NEW_YEAR_NS	(INT64_C(1798761598) * NS_PER_S + 550 * NS_PER_MS)
#define LEAP_MARKS	30
#define TAI_OFFSET_S	37

static int null;

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %d", cpu);
}

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * NS_PER_MS }, NULL);
}

static int64_t read_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void mark(void)
{
	if (lseek(null, read_ns(CLOCK_REALTIME), SEEK_SET))
		err(1, "lseek");
}

static void *other_cpu(void *unused)
{
	run_on(0);
	for (int i = 0; i < MARKS; i++) {
		mark();
		sleep_ms(3);
	}
	return NULL;
}

static void marks(void)
{
	pthread_t other;

	if (pthread_create(&other, NULL, other_cpu, NULL))
		errx(1, "no thread");
	pthread_join(other, NULL);
	for (int i = 0; i < MARKS; i++) {
		mark();
		sleep_ms(3);
	}
}

static int64_t offset_ns(void)
{
	return read_ns(CLOCK_REALTIME) - read_ns(CLOCK_MONOTONIC);
}

static void set_to(int64_t ns)
{
	const struct timespec t = { ns / NS_PER_S, ns % NS_PER_S };
	int64_t before = offset_ns();

	if (clock_settime(CLOCK_REALTIME, &t))
		err(1, "clock_settime");
	printf("%" PRId64 "\n", offset_ns() - before);
	mark();
}

static void adjust(struct timex request)
{
	if (adjtimex(&request) < 0)
		err(1, "adjtimex");
}

static void leap_second(void)
{
	int64_t before;

	adjust((struct timex){ .modes = ADJ_TAI, .constant = TAI_OFFSET_S });
	set_to(NEW_YEAR_NS);
	adjust((struct timex){ .modes = ADJ_STATUS, .status = STA_INS });
	before = offset_ns();
	for (int i = 0; i < LEAP_MARKS; i++) {
		mark();
		sleep_ms(100);
	}
	printf("%" PRId64 "\n", offset_ns() - before);
}

int main(void)
{
	null = open("/dev/null", O_RDONLY);
	if (null < 0)
		err(1, "/dev/null");
	run_on(sysconf(_SC_NPROCESSORS_ONLN) - 1);
	marks();
	set_to(read_ns(CLOCK_REALTIME) + 100 * NS_PER_S);
	marks();
	set_to(read_ns(CLOCK_REALTIME) - 50 * NS_PER_S);
	marks();
	adjust((struct timex){ .modes = ADJ_SETOFFSET | ADJ_NANO, .time = { 0, 500 * NS_PER_MS } });
	printf("%d\n", 500 * NS_PER_MS);
	marks();
	leap_second();
	marks();
	return fflush(stdout) ? 1 : 0;
}
