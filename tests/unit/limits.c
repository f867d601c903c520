// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options of random tests: duration and seed
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../support/options.h"
#include "limits.h"

static struct timespec start;

void limits_parse(struct limits *l, int argc, char **argv)
{
	const char *given = getenv("SEED");
	uint64_t ops = 0, seconds = 0;
	const struct test_option table[] = {
		OPTION("ops", "N", &ops, "so many operations"),
		OPTION("seconds", "S", &seconds, "or so long"),
		OPTION("seed", "N", &l->seed, "instead of SEED in the environment"),
		{ }
	};

	l->seed = given ? strtoull(given, NULL, 0) : 1;
	test_options(table, "[OPTION...]", 0, argc, argv);
	if (ops) {
		l->ops = ops;
		l->seconds = 0;
	}
	if (seconds)
		l->seconds = (double)seconds;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("SEED=%llu\n", (unsigned long long)l->seed);
	clock_gettime(CLOCK_MONOTONIC, &start);
}

double limits_elapsed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start.tv_sec) +
	       1e-9 * (double)(now.tv_nsec - start.tv_nsec);
}
