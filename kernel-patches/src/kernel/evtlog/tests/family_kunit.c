// SPDX-License-Identifier: GPL-2.0-only
/*
 * Forks and reaps children of a KUnit case's thread, for the suites of lineage and sampler.
 *
 * A thread of kthread_run() cannot be used: kthreadd is its parent.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/signal.h>

#include "tests/family_kunit.h"

static struct task_struct *task_of(pid_t nr)
{
	return nr > 0 ? find_get_task_by_vpid(nr) : NULL;
}

static __noreturn int be_grandchild(void *data)
{
	struct family_child *child = data;

	wait_for_completion(&child->end);
	do_exit(0);
}

static __noreturn int be_child(void *data)
{
	struct family_child *child = data;
	pid_t nr = 0;

	kernel_sigaction(SIGCHLD, SIG_DFL);
	if (child->has_child)
		nr = user_mode_thread(be_grandchild, child, SIGCHLD);
	child->grandchild = task_of(nr);
	complete(&child->ready);
	wait_for_completion(&child->end);
	if (nr > 0)
		kernel_wait(nr, NULL);
	do_exit(0);
}

/* Returns when the child exists. */
void family_fork(struct kunit *test, struct family_child *child, bool has_child)
{
	*child = (struct family_child){ .has_child = has_child };
	init_completion(&child->ready);
	init_completion(&child->end);
	/* Otherwise the parent cannot wait for it. */
	kernel_sigaction(SIGCHLD, SIG_DFL);
	child->nr = user_mode_thread(be_child, child, SIGCHLD);
	KUNIT_ASSERT_GT(test, child->nr, 0);
	wait_for_completion(&child->ready);
	child->task = task_of(child->nr);
	KUNIT_ASSERT_NOT_NULL(test, child->task);
	KUNIT_ASSERT_EQ(test, !!child->grandchild, has_child);
}

/* Returns when the child and its own child have ended, or at once if they were not made. */
void family_reap(struct family_child *child)
{
	if (child->nr <= 0)
		return;
	complete_all(&child->end);
	kernel_wait(child->nr, NULL);
	if (child->task)
		put_task_struct(child->task);
	if (child->grandchild)
		put_task_struct(child->grandchild);
	child->nr = 0;
	kernel_sigaction(SIGCHLD, SIG_IGN);
}
