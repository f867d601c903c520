// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * self_cost - compares reading a thread's own time with reading only the counter. Prints the ratio
 * of the shortest of many rounds, and both in ns; then the ns of
 * clock_gettime(CLOCK_THREAD_CPUTIME_ID) and of getrusage(RUSAGE_THREAD).
 */
#include <evtlog/profile.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#define READS	2000
#define ROUNDS	2000

uint64_t read_user(const struct evtlog_profile_self *self);
uint64_t read_syscall(const struct evtlog_profile_self *self);

__attribute__((noinline)) uint64_t read_user(const struct evtlog_profile_self *self)
{
	return evtlog_profile_self_ticks(self, EVTLOG_PROFILE_GROUP_USER);
}

__attribute__((noinline)) uint64_t read_syscall(const struct evtlog_profile_self *self)
{
	return evtlog_profile_self_ticks(self, EVTLOG_PROFILE_GROUP_SYSCALL);
}

static uint64_t ns_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void thread_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
}

static void thread_usage(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
}

/* The shortest of some rounds, in ticks per READS */
static uint64_t shortest(void (*read)(void))
{
	uint64_t least = UINT64_MAX, begin, took;
	int round, i;

	for (round = 0; round < ROUNDS / 20; round++) {
		begin = evtlog_profile_now();
		for (i = 0; i < READS; i++)
			read();
		took = evtlog_profile_now() - begin;
		least = took < least ? took : least;
	}
	return least;
}

int main(void)
{
	static struct evtlog_profile_page page = { .sequence = 2, .stamp = 1, .user = -1 };
	struct evtlog_profile_self self = { &page };
	uint64_t clock = shortest(thread_clock), usage = shortest(thread_usage);
	uint64_t bare = UINT64_MAX, read = UINT64_MAX, begin, took;
	uint64_t first = evtlog_profile_now(), first_ns = ns_now();
	volatile uint64_t sink;
	double ns;
	int round, i;

	/* Hide the page's address from the compiler. */
	__asm__("" : "+m"(self) : : "memory");
	for (round = 0; round < ROUNDS; round++) {
		begin = evtlog_profile_now();
		for (i = 0; i < READS; i++)
			sink = evtlog_profile_now();
		took = evtlog_profile_now() - begin;
		bare = took < bare ? took : bare;
		begin = evtlog_profile_now();
		for (i = 0; i < READS; i++)
			sink = evtlog_profile_self_ticks(&self, EVTLOG_PROFILE_GROUP_USER);
		took = evtlog_profile_now() - begin;
		read = took < read ? took : read;
	}
	(void)sink;
	ns = (double)(ns_now() - first_ns) / (evtlog_profile_now() - first) / READS;
	printf("%.2f %.1f %.1f %.0f %.0f\n", (double)read / bare, bare * ns, read * ns, clock * ns,
	       usage * ns);
	return 0;
}
