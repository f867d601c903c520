// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * throws [exit] - tasks in which exceptions end regions; prints lines like tasks.c. With exit, a
 * task ends the process, which never leaves its parallel region.
 */
#include <cstdio>
#include <cstdlib>

#include <evtlog/region.h>

#define TASKS	20

static void deeper(int depth)
{
	evtlog_region region("deeper");

	if (!depth)
		throw depth;
	deeper(depth - 1);
}

/* Regions left open in the task's own region end with it. */
static void run(int number, bool ends)
{
	evtlog_region region("in a task");

	if (ends && number == TASKS / 2)
		exit(7);
	try {
		deeper(2);
	} catch (int) {
		evtlog_region_begin("left open");
	}
}

int main(int argc, char **)
{
#pragma omp parallel num_threads(2)
#pragma omp masked
	for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
		run(i, argc > 1);
	}
	evtlog_region_begin("last");
	evtlog_region_end("last");
	printf("2 OpenMP parallel\n1 OpenMP masked\n2 OpenMP implicit barrier\n2 OpenMP wait in implicit barrier\n"
	       "%d OpenMP task\n%d in a task\n%d deeper\n%d left open\n1 last\n", TASKS, TASKS, 3 * TASKS, TASKS);
	return 0;
}
