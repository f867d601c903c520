// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tasks - uses OpenMP's constructs and counts them: prints a line per region with its expected
 * count over all threads.
 *
 * The code counts what compiler and runtime make of each construct: with two threads, a single has
 * an executor and another thread, and ends in an implicit barrier unless it has nowait.
 */
#include <omp.h>
#include <stdio.h>

#include <evtlog/region.h>

#define THREADS		2
#define ROUNDS		5
#define DEPTH		6

enum counted {
	PARALLEL, TASK, IN_A_TASK, OVER_A_WAIT, TASKWAIT, TASKGROUP, TASKLOOP, SINGLE, OTHER_SINGLE, LOOP,
	TEAMS, DISTRIBUTE, SECTIONS, MASKED, BARRIER, IMPLICIT_BARRIER, CRITICAL, ORDERED, LOCK, NESTED_LOCK, LAST, COUNTED
};

static const char *const names[COUNTED] = {
	"OpenMP parallel", "OpenMP task", "in a task", "over a wait", "OpenMP taskwait",
	"OpenMP taskgroup", "OpenMP taskloop", "OpenMP single", "OpenMP single of another",
	"OpenMP loop", "OpenMP teams", "OpenMP distribute", "OpenMP sections", "OpenMP masked", "OpenMP barrier", "OpenMP implicit barrier",
	"OpenMP wait for critical", "OpenMP wait for ordered", "OpenMP wait for lock",
	"OpenMP wait for nested lock", "last",
};

static long counts[COUNTED];
static omp_lock_t lock;
static omp_nest_lock_t nested;

static void count(enum counted what)
{
	__atomic_add_fetch(&counts[what], 1, __ATOMIC_RELAXED);
}

static void work(void)
{
	count(IN_A_TASK);
	evtlog_region_begin(names[IN_A_TASK]);
	for (volatile int i = 0; i < 1000; i++)
		;
	evtlog_region_end(names[IN_A_TASK]);
}

/* Tasks wait for their own tasks: the waiting thread runs other tasks. */
static void split(int depth)
{
	work();
	if (!depth)
		return;
	count(OVER_A_WAIT);
	evtlog_region_begin(names[OVER_A_WAIT]);
	for (int i = 0; i < 2; i++) {
#pragma omp task
		{
			count(TASK);
			split(depth - 1);
		}
	}
	count(TASKWAIT);
#pragma omp taskwait
	evtlog_region_end(names[OVER_A_WAIT]);
}

static void make_tasks(void)
{
	count(TASKGROUP);
#pragma omp taskgroup
	for (int i = 0; i < 10; i++) {
#pragma omp task
		{
			count(TASK);
			work();
		}
	}
#pragma omp task if(0)
	{
		count(TASK);
		work();
	}
	/* A taskloop is in a taskgroup. */
	count(TASKGROUP);
	count(TASKLOOP);
#pragma omp taskloop grainsize(1)
	for (int i = 0; i < 4; i++) {
		count(TASK);
		work();
	}
	split(0);
}

/* A cancelled task ends as any other; tasks that did not begin never do. */
static void cancel_tasks(void)
{
	count(TASKGROUP);
#pragma omp taskgroup
	for (int i = 0; i < 8; i++) {
#pragma omp task
		{
			count(TASK);
#pragma omp cancel taskgroup
		}
	}
}

static void use_tasks(void)
{
	count(PARALLEL);
#pragma omp single
	{
		count(SINGLE);
#pragma omp task
		{
			count(TASK);
			split(DEPTH);
		}
#pragma omp task
		{
			count(TASK);
			make_tasks();
		}
		cancel_tasks();
	}
	/* One barrier of the single, and one of the parallel region */
	count(IMPLICIT_BARRIER);
	count(IMPLICIT_BARRIER);
}

static void use_loops(void)
{
	count(PARALLEL);
	count(LOOP);
#pragma omp for nowait
	for (int i = 0; i < 10; i++)
		;
	count(LOOP);
	count(IMPLICIT_BARRIER);
#pragma omp for schedule(dynamic) ordered
	for (int i = 0; i < 10; i++) {
#pragma omp ordered
		count(ORDERED);
	}
	count(SECTIONS);
	count(IMPLICIT_BARRIER);
#pragma omp sections
	{
#pragma omp section
		;
#pragma omp section
		;
	}
#pragma omp master
	count(MASKED);
	count(BARRIER);
#pragma omp barrier
	count(IMPLICIT_BARRIER);
}

static void use_locks(void)
{
	count(PARALLEL);
#pragma omp critical
	count(CRITICAL);
	for (int i = 0; i < 10; i++) {
		count(LOCK);
		omp_set_lock(&lock);
		/* The thread holds the lock: the try fails. */
		for (int tries = 0; tries < 3; tries++)
			omp_test_lock(&lock);
		omp_unset_lock(&lock);
		if (omp_test_lock(&lock)) {
			count(LOCK);
			omp_unset_lock(&lock);
		}
		count(NESTED_LOCK);
		omp_set_nest_lock(&nested);
		count(NESTED_LOCK);
		omp_set_nest_lock(&nested);
		if (omp_test_nest_lock(&nested)) {
			count(NESTED_LOCK);
			omp_unset_nest_lock(&nested);
		}
		omp_unset_nest_lock(&nested);
		omp_unset_nest_lock(&nested);
	}
	count(IMPLICIT_BARRIER);
}

/* A parallel region in each thread of another, and in a task */
static void nest(void)
{
	count(PARALLEL);
#pragma omp parallel num_threads(THREADS)
	{
		count(PARALLEL);
		count(IMPLICIT_BARRIER);
	}
#pragma omp single nowait
	{
		count(SINGLE);
#pragma omp task
		{
			count(TASK);
#pragma omp parallel num_threads(THREADS)
			{
				count(PARALLEL);
#pragma omp task
				{
					count(TASK);
					work();
				}
				count(TASKWAIT);
#pragma omp taskwait
				count(IMPLICIT_BARRIER);
			}
			work();
		}
	}
	count(IMPLICIT_BARRIER);
}

/* Each of the two teams has one thread, with its own parallel region, and waits for the other. */
static void have_teams(void)
{
#pragma omp teams num_teams(2) thread_limit(1)
	{
		count(TEAMS);
		count(PARALLEL);
		count(DISTRIBUTE);
		count(IMPLICIT_BARRIER);
#pragma omp distribute
		for (int i = 0; i < 4; i++)
			;
	}
}

int main(void)
{
	omp_set_dynamic(0);
	omp_set_max_active_levels(3);
	omp_init_lock(&lock);
	omp_init_nest_lock(&nested);
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(THREADS)
		use_tasks();
#pragma omp parallel num_threads(THREADS)
		use_loops();
#pragma omp parallel num_threads(THREADS)
		use_locks();
#pragma omp parallel num_threads(THREADS)
		nest();
	}
	have_teams();
	/* One thread executes each single. */
	counts[OTHER_SINGLE] = counts[SINGLE];
	count(LAST);
	evtlog_region_begin(names[LAST]);
	evtlog_region_end(names[LAST]);
	for (int i = 0; i < COUNTED; i++)
		printf("%ld %s\n", counts[i], names[i]);
	printf("%ld OpenMP wait in barrier\n", counts[BARRIER]);
	printf("%ld OpenMP wait in implicit barrier\n", counts[IMPLICIT_BARRIER]);
	printf("%ld OpenMP wait in taskwait\n", counts[TASKWAIT]);
	printf("%ld OpenMP wait in taskgroup\n", counts[TASKGROUP]);
	return 0;
}
