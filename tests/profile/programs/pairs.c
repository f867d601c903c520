// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pairs - prints the ticks of a region's begin and end: alone, and with a system call within
 */
#include <stdio.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <evtlog/region.h>

#define COUNT	1000

static uint64_t call(int calls, int regions)
{
	uint64_t begin = __builtin_ia32_rdtsc();

	for (int i = 0; i < COUNT; i++) {
		if (regions)
			evtlog_region_begin("pair");
		if (calls)
			syscall(SYS_getppid);
		if (regions)
			evtlog_region_end("pair");
	}
	return __builtin_ia32_rdtsc() - begin;
}

/* The shortest of several; longer ones contain interrupts. */
static uint64_t shortest(int calls, int regions)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t ticks = call(calls, regions);

		if (ticks < least)
			least = ticks;
	}
	return least;
}

int main(void)
{
	/* The first region allocates memory. */
	call(1, 1);
	for (int calls = 0; calls < 2; calls++) {
		uint64_t without = shortest(calls, 0), with = shortest(calls, 1);

		printf("%s %.1f\n", calls ? "call" : "alone", (double)(with - without) / COUNT);
	}
	return 0;
}
