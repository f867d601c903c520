// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waiting for another thread.
 */
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib/region/wait.h"

#define YIELDS		10
#define PAUSE_NS	100000

/* sched_yield() of a thread of SCHED_FIFO comes back at once, if only ordinary ones wait beside it. */
void region_wait(unsigned int try)
{
	static const struct timespec pause = { .tv_nsec = PAUSE_NS };

	if (try < YIELDS)
		sched_yield();
	else
		syscall(SYS_nanosleep, &pause, NULL);
}
