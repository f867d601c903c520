// SPDX-License-Identifier: GPL-2.0-only
/*
 * Visits all tasks, one after the other, without a lock that forks wait for.
 *
 * Called by mark.c, and by the sampler when it begins.
 */
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "lineage/lineage.h"

/* Tasks visited before other tasks may run */
#define CHUNK	64

static int visit_chunk(int nr, void (*visit)(struct task_struct *task, void *data), void *data)
{
	struct task_struct *task;
	unsigned int i;
	struct pid *pid;

	for (i = 0; i < CHUNK; i++) {
		pid = find_ge_pid(nr + 1, &init_pid_ns);
		if (!pid)
			return -1;
		nr = pid_nr(pid);
		task = pid_task(pid, PIDTYPE_PID);
		if (task)
			visit(task, data);
	}
	return nr;
}

static void visit_once(void (*visit)(struct task_struct *task, void *data), void *data)
{
	int nr = 0;

	while (nr >= 0) {
		rcu_read_lock();
		nr = visit_chunk(nr, visit, data);
		rcu_read_unlock();
		cond_resched();
	}
}

/**
 * evtlog_lineage_each_task() - visit each task that exists during the whole call
 * @visit:	called under RCU, more than once for each task; must not sleep
 * @data:	passed to @visit
 *
 * Tasks are visited by pid, in ascending order.  A thread that executes a program takes the pid of
 * its leader, which may have been passed already, and keeps it: the second walk finds it.
 *
 * Context: task context, may sleep.
 */
void evtlog_lineage_each_task(void (*visit)(struct task_struct *task, void *data), void *data)
{
	visit_once(visit, data);
	visit_once(visit, data);
}
