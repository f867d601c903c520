// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plain - measures how much of its CPU a loop does not get: the disturbance by other tools.
 *
 * It uses no such tool, and names no causes.
 *
 * plain CPU SECONDS - prints "span TICKS noise TICKS gaps N largest TICKS".  A gap is a step of the
 * tick counter of more than 200 ns beyond the least step; noise is the sum of what is beyond.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "pinned.h"

#define CALIBRATION_NS	20000000
#define NOISE_NS	200

static double ticks_per_ns(void)
{
	uint64_t begin = now_ns(), from = ticks(), end, to;

	do {
		end = now_ns();
		to = ticks();
	} while (end - begin < CALIBRATION_NS);
	return (double)(to - from) / (end - begin);
}

static uint64_t least_step(void)
{
	uint64_t least = UINT64_MAX, last = ticks(), now;

	for (int i = 0; i < 10000; i++) {
		now = ticks();
		if (now - last < least)
			least = now - last;
		last = now;
	}
	return least;
}

int main(int argc, char **argv)
{
	uint64_t begin, last, now, span, least, over, noise = 0, largest = 0;
	unsigned long gaps = 0;
	double rate;

	if (argc != 3) {
		fprintf(stderr, "Usage: plain CPU SECONDS\n");
		return 2;
	}
	pin(argv[1]);
	rate = ticks_per_ns();
	least = least_step();
	over = least + NOISE_NS * rate;
	span = atof(argv[2]) * 1e9 * rate;
	begin = last = ticks();
	while (last - begin < span) {
		now = ticks();
		if (now - last > over) {
			noise += now - last - least;
			if (now - last > largest)
				largest = now - last;
			gaps++;
		}
		last = now;
	}
	printf("span %" PRIu64 " noise %" PRIu64 " gaps %lu largest %" PRIu64 "\n",
	       last - begin, noise, gaps, largest);
	return 0;
}
