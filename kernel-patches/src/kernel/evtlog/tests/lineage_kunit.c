// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: which tasks have the mark of a tree, and which forks are queued.
 *
 * The root is the thread of the test case; family_kunit.c makes its children.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/evtlog.h>
#include <linux/jiffies.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/threads.h>

#include "lineage/lineage.h"
#include "publish.h"
#include "tests/family_kunit.h"

static struct family_child child, second;
/* With current, one more root than the maximum number of trees */
static struct family_child roots[EVTLOG_TREES_MAX];
/* From evtlog_lineage_hold(); -1: none is held */
static int held;

static int hold(struct kunit *test, pid_t nr)
{
	held = evtlog_lineage_hold(nr);
	KUNIT_ASSERT_GE(test, held, 0);
	KUNIT_ASSERT_LT(test, held, EVTLOG_TREES_MAX);
	return held;
}

static void release(void)
{
	evtlog_lineage_release(held);
	held = -1;
}

static bool has_mark(const struct task_struct *task, unsigned int number)
{
	return READ_ONCE(task->evtlog_trees) & BIT(number);
}

static void a_process_and_all_below_it_are_marked(struct kunit *test)
{
	unsigned int changes, number;

	family_fork(test, &child, true);
	changes = evtlog_lineage_changes();
	number = hold(test, current->pid);
	KUNIT_EXPECT_NE(test, evtlog_lineage_changes(), changes);
	KUNIT_EXPECT_TRUE(test, has_mark(current, number));
	KUNIT_EXPECT_TRUE(test, has_mark(child.task, number));
	KUNIT_EXPECT_TRUE(test, has_mark(child.grandchild, number));
	KUNIT_EXPECT_FALSE(test, has_mark(current->real_parent, number));
	KUNIT_EXPECT_FALSE(test, has_mark(&init_task, number));
}

static void a_child_inherits_and_its_parent_alone_does_not(struct kunit *test)
{
	unsigned int number;

	family_fork(test, &child, false);
	number = hold(test, child.nr);
	KUNIT_EXPECT_TRUE(test, has_mark(child.task, number));
	KUNIT_EXPECT_FALSE(test, has_mark(current, number));
	/* A sibling does not inherit. */
	family_fork(test, &second, true);
	KUNIT_EXPECT_FALSE(test, has_mark(second.task, number));
	family_reap(&second);
	release();
	number = hold(test, current->pid);
	family_fork(test, &second, true);
	KUNIT_EXPECT_TRUE(test, has_mark(second.task, number));
	KUNIT_EXPECT_TRUE(test, has_mark(second.grandchild, number));
}

static void the_mark_stays_as_long_as_somebody_holds_it(struct kunit *test)
{
	int number = hold(test, current->pid);

	KUNIT_EXPECT_EQ(test, evtlog_lineage_hold(current->pid), number);
	KUNIT_EXPECT_EQ(test, evtlog_lineage_number(current->pid), number);
	evtlog_lineage_release(number);
	KUNIT_EXPECT_TRUE(test, has_mark(current, number));
	release();
	KUNIT_EXPECT_FALSE(test, has_mark(current, number));
	KUNIT_EXPECT_EQ(test, evtlog_lineage_number(current->pid), -ENOENT);
}

static void nobody_has_a_mark_that_was_taken_away(struct kunit *test)
{
	unsigned int number;

	family_fork(test, &child, true);
	number = hold(test, current->pid);
	release();
	KUNIT_EXPECT_FALSE(test, has_mark(child.task, number));
	KUNIT_EXPECT_FALSE(test, has_mark(child.grandchild, number));
	family_fork(test, &second, false);
	KUNIT_EXPECT_FALSE(test, has_mark(second.task, number));
	/* Its number is the last one to be reused. */
	KUNIT_EXPECT_NE(test, hold(test, current->pid), (int)number);
}

static void a_tree_has_further_roots(struct kunit *test)
{
	unsigned int number;

	family_fork(test, &child, false);
	family_fork(test, &second, true);
	number = hold(test, child.nr);
	KUNIT_EXPECT_FALSE(test, has_mark(second.task, number));
	KUNIT_EXPECT_EQ(test, evtlog_lineage_extend(number, second.nr), 0);
	KUNIT_EXPECT_TRUE(test, has_mark(second.task, number));
	KUNIT_EXPECT_TRUE(test, has_mark(second.grandchild, number));
	KUNIT_EXPECT_FALSE(test, has_mark(current, number));
}

static void a_tree_begins_without_a_process(struct kunit *test)
{
	unsigned int number = hold(test, PID_MAX_LIMIT);

	family_fork(test, &child, false);
	KUNIT_EXPECT_EQ(test, evtlog_lineage_hold(PID_MAX_LIMIT), (int)number);
	evtlog_lineage_release(number);
	KUNIT_EXPECT_EQ(test, evtlog_lineage_number(PID_MAX_LIMIT), (int)number);
	KUNIT_EXPECT_FALSE(test, has_mark(current, number));
	KUNIT_EXPECT_EQ(test, evtlog_lineage_extend(number, child.nr), 0);
	KUNIT_EXPECT_TRUE(test, has_mark(child.task, number));
}

static bool gets_mark(const struct task_struct *task, unsigned int number)
{
	unsigned int i;

	for (i = 0; i < 10 * HZ && !has_mark(task, number); i++)
		schedule_timeout_uninterruptible(1);
	return has_mark(task, number);
}

static void who_enters_the_tree_of_a_run_leaves_its_cpu_first(struct kunit *test)
{
	unsigned int number, changes;

	family_fork(test, &child, false);
	number = hold(test, child.nr);
	WRITE_ONCE(evtlog_run_trees, BIT(number));
	family_fork(test, &second, false);
	KUNIT_EXPECT_EQ(test, evtlog_lineage_extend(number, second.nr), 0);
	KUNIT_EXPECT_TRUE(test, gets_mark(second.task, number));
	changes = evtlog_lineage_changes();
	preempt_disable();
	evtlog_lineage_mark(current, BIT(number), false);
	KUNIT_EXPECT_FALSE(test, has_mark(current, number));
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, gets_mark(current, number));
	KUNIT_EXPECT_EQ(test, evtlog_lineage_changes(), changes + 1);
}

/* The number may belong to another tree by then. */
static void who_is_late_does_not_enter_a_tree_that_ended(struct kunit *test)
{
	unsigned int number = hold(test, PID_MAX_LIMIT);

	release();
	evtlog_lineage_mark(current, BIT(number), false);
	KUNIT_EXPECT_FALSE(test, has_mark(current, number));
}

static void who_has_gone_is_no_root(struct kunit *test)
{
	unsigned int number = hold(test, current->pid);
	pid_t nr;

	family_fork(test, &child, false);
	nr = child.nr;
	family_reap(&child);
	KUNIT_EXPECT_EQ(test, evtlog_lineage_hold(nr), -ESRCH);
	KUNIT_EXPECT_EQ(test, evtlog_lineage_extend(number, nr), -ESRCH);
}

static void there_are_so_many_trees_and_no_more(struct kunit *test)
{
	int numbers[EVTLOG_TREES_MAX];
	u32 bits = 0;
	unsigned int i;

	for (i = 0; i < EVTLOG_TREES_MAX; i++) {
		family_fork(test, &roots[i], false);
		numbers[i] = evtlog_lineage_hold(roots[i].nr);
		KUNIT_EXPECT_GE(test, numbers[i], 0);
		if (numbers[i] >= 0)
			bits |= BIT(numbers[i]);
	}
	KUNIT_EXPECT_EQ(test, bits, EVTLOG_TREES_ALL - 1);
	KUNIT_EXPECT_EQ(test, evtlog_lineage_hold(current->pid), -ENOSPC);
	for (i = 0; i < EVTLOG_TREES_MAX; i++) {
		if (numbers[i] >= 0) {
			KUNIT_EXPECT_EQ(test, READ_ONCE(roots[i].task->evtlog_trees),
					(u32)BIT(numbers[i]));
			evtlog_lineage_release(numbers[i]);
		}
	}
}

static void a_filter_knows_the_tree_of_a_pid(struct kunit *test)
{
	bool is_in = false;

	family_fork(test, &child, false);
	KUNIT_EXPECT_FALSE(test, evtlog_lineage_has(current, child.nr, &is_in));
	hold(test, child.nr);
	KUNIT_EXPECT_TRUE(test, evtlog_lineage_has(child.task, child.nr, &is_in));
	KUNIT_EXPECT_TRUE(test, is_in);
	KUNIT_EXPECT_TRUE(test, evtlog_lineage_has(current, child.nr, &is_in));
	KUNIT_EXPECT_FALSE(test, is_in);
	KUNIT_EXPECT_FALSE(test, evtlog_lineage_has(current, 0, &is_in));
}

static unsigned int times_visited;

static void count_visits(struct task_struct *task, void *data)
{
	times_visited += task == data;
}

static void each_task_is_visited(struct kunit *test)
{
	family_fork(test, &child, false);
	times_visited = 0;
	evtlog_lineage_each_task(count_visits, child.task);
	KUNIT_EXPECT_GE(test, times_visited, 1);
	times_visited = 0;
	evtlog_lineage_each_task(count_visits, current);
	KUNIT_EXPECT_GE(test, times_visited, 1);
}

static void forks_of_a_tree_are_told_in_their_order(struct kunit *test)
{
	unsigned int number = hold(test, current->pid);
	struct task_struct *first, *next;

	KUNIT_ASSERT_EQ(test, evtlog_births_open(BIT(number)), 0);
	KUNIT_EXPECT_NULL(test, evtlog_births_take());
	family_fork(test, &child, true);
	first = evtlog_births_take();
	next = evtlog_births_take();
	KUNIT_EXPECT_PTR_EQ(test, first, child.task);
	KUNIT_EXPECT_PTR_EQ(test, next, child.grandchild);
	KUNIT_EXPECT_NULL(test, evtlog_births_take());
	KUNIT_EXPECT_FALSE(test, evtlog_births_were_lost());
	if (first)
		put_task_struct(first);
	if (next)
		put_task_struct(next);
	/* Forks of another tree are not queued. */
	evtlog_births_close();
	KUNIT_ASSERT_EQ(test, evtlog_births_open(BIT((number + 1) % EVTLOG_TREES_MAX)), 0);
	family_fork(test, &second, false);
	KUNIT_EXPECT_NULL(test, evtlog_births_take());
	evtlog_births_close();
}

/* More than births.c keeps */
#define TOO_MANY	(4096 + 1)

static void more_forks_than_are_kept_are_a_loss_that_is_told_once(struct kunit *test)
{
	unsigned int number = hold(test, current->pid), taken = 0;
	struct task_struct *task;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, evtlog_births_open(BIT(number)), 0);
	/* No other task of the tree can fork. */
	for (i = 0; i < TOO_MANY; i++)
		__evtlog_task_born(current);
	KUNIT_EXPECT_TRUE(test, evtlog_births_were_lost());
	KUNIT_EXPECT_FALSE(test, evtlog_births_were_lost());
	while ((task = evtlog_births_take())) {
		taken += task == current;
		put_task_struct(task);
	}
	KUNIT_EXPECT_EQ(test, taken, TOO_MANY - 1);
	evtlog_births_close();
}

static int lineage_init(struct kunit *test)
{
	held = -1;
	return 0;
}

/* Restores all settings, also after a failure. */
static void lineage_exit(struct kunit *test)
{
	unsigned int i;

	WRITE_ONCE(evtlog_run_trees, 0);
	if (held >= 0)
		release();
	family_reap(&child);
	family_reap(&second);
	for (i = 0; i < ARRAY_SIZE(roots); i++)
		family_reap(&roots[i]);
}

static struct kunit_case lineage_cases[] = {
	KUNIT_CASE(a_process_and_all_below_it_are_marked),
	KUNIT_CASE(a_child_inherits_and_its_parent_alone_does_not),
	KUNIT_CASE(the_mark_stays_as_long_as_somebody_holds_it),
	KUNIT_CASE(nobody_has_a_mark_that_was_taken_away),
	KUNIT_CASE(a_tree_has_further_roots),
	KUNIT_CASE(a_tree_begins_without_a_process),
	KUNIT_CASE(who_enters_the_tree_of_a_run_leaves_its_cpu_first),
	KUNIT_CASE(who_is_late_does_not_enter_a_tree_that_ended),
	KUNIT_CASE(who_has_gone_is_no_root),
	KUNIT_CASE(there_are_so_many_trees_and_no_more),
	KUNIT_CASE(a_filter_knows_the_tree_of_a_pid),
	KUNIT_CASE(each_task_is_visited),
	KUNIT_CASE(forks_of_a_tree_are_told_in_their_order),
	KUNIT_CASE(more_forks_than_are_kept_are_a_loss_that_is_told_once),
	{}
};

static struct kunit_suite lineage_suite = {
	.name = "evtlog_lineage",
	.init = lineage_init,
	.exit = lineage_exit,
	.test_cases = lineage_cases,
};
kunit_test_suite(lineage_suite);
