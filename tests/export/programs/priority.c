// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * priority open|full|end - a SCHED_FIFO thread does not spin while a thread on its CPU is in
 * libevtlog
 *
 * The ordinary thread creates the file (open) or saves (full, end). It lets the other thread run
 * in the middle of this work, at its system call: the library calls syscall(), which is replaced
 * here. The other thread then needs the file (open), has a full buffer (full), or ends (end).
 * Fails if its wait takes the CPU for 0.1 s.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/region.h>

#define BUFFER	10000	/* regions: more than a buffer holds */

static long awaited;
static pid_t ordinary;
static sem_t start, is_ready;
static const char *way;
static uint64_t took_ns;

long syscall(long number, ...)
{
	long result, args[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		args[i] = va_arg(list, long);
	va_end(list);
	/* openat() also opens files that exist: wait for the call that creates the file. */
	if (number == awaited && gettid() == ordinary && (number != SYS_openat || args[2] & O_CREAT)) {
		awaited = -1;
		sem_post(&start);
	}
	register long r10 __asm__("r10") = args[3];
	register long r8 __asm__("r8") = args[4];
	register long r9 __asm__("r9") = args[5];
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(args[0]), "S"(args[1]), "d"(args[2]),
			 "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	if (result >= 0 || result < -4095)
		return result;
	errno = -result;
	return -1;
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static void fill(const char *name)
{
	for (int i = 0; i < BUFFER; i++) {
		evtlog_region_begin(name);
		evtlog_region_end(name);
	}
}

/* Runs after the library's own handler of the thread's end */
static void note_end(void *unused)
{
	took_ns = cpu_ns() - took_ns;
}

static void *wait_first(void *unused)
{
	static pthread_key_t key;
	struct sched_param param = { .sched_priority = 1 };

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param)) {
		sem_post(&is_ready);
		return "not permitted";
	}
	if (strcmp(way, "open")) {
		evtlog_region_begin("first");
		evtlog_region_end("first");
	}
	sem_post(&is_ready);
	sem_wait(&start);
	took_ns = cpu_ns();
	if (!strcmp(way, "end")) {
		/* Destructors run in the order in which their keys were created. */
		pthread_key_create(&key, note_end);
		pthread_setspecific(key, &key);
		return NULL;
	}
	if (!strcmp(way, "full"))
		fill("full");
	evtlog_region_begin("second");
	evtlog_region_end("second");
	took_ns = cpu_ns() - took_ns;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	const char *why;
	cpu_set_t one;

	way = argv[1];
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	sem_init(&start, 0, 0);
	sem_init(&is_ready, 0, 0);
	alarm(20);
	pthread_create(&thread, NULL, wait_first, NULL);
	sem_wait(&is_ready);
	ordinary = gettid();
	awaited = !strcmp(way, "open") ? SYS_openat : SYS_pwrite64;
	if (!strcmp(way, "open"))
		fill("ordinary");
	else
		evtlog_region_save();
	pthread_join(thread, (void **)&why);
	if (why) {
		puts(why);
		return 77;
	}
	printf("%s: %.3f ms of the CPU\n", way, took_ns / 1e6);
	return awaited != -1 || took_ns > 100000000;
}
