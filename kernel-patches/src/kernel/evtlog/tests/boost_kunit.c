// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: the table of boosted tasks contains the same as a simple list; which policies a boosted
 * task may take, and what it gets back; which groups are invalid.
 *
 * Tests only code that changes no task.  Tests in guests check which tasks are boosted, and when.
 *
 * "boost_kunit.seed=N" on the kernel's command line repeats a run.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <uapi/linux/sched/types.h>

#include "boost/state.h"
#include "boost/table.h"
#include "boost/task.h"
#include "tests/remote_kunit.h"

static unsigned int seed;
module_param(seed, uint, 0);
MODULE_PARM_DESC(seed, "what random trials start from; 0: a random number");

#define SIZE	400
#define TASKS	600	/* more than buckets, so that tasks share buckets */
#define TRIALS	20000

/* Invalid addresses, with the same distances as tasks */
static struct task_struct *task_at(unsigned int i)
{
	return (struct task_struct *)(0x100000UL + i * 4096UL);
}

struct model {
	struct evtlog_boosted *entry[TASKS];
	u64 command[TASKS];
	unsigned int count;
};

static void expect_same(struct kunit *test, struct evtlog_boost_table *table,
			const struct model *model)
{
	struct evtlog_boosted *entry;
	unsigned int i, listed = 0;

	for (i = 0; i < TASKS; i++) {
		entry = evtlog_boost_table_find(table, task_at(i));
		KUNIT_ASSERT_PTR_EQ(test, entry, model->entry[i]);
		if (entry)
			KUNIT_ASSERT_EQ(test, entry->command, model->command[i]);
	}
	list_for_each_entry(entry, &table->used, list)
		listed++;
	KUNIT_ASSERT_EQ(test, listed, model->count);
	KUNIT_ASSERT_EQ(test, table->count, model->count);
}

static void it_holds_what_a_naive_list_holds(struct kunit *test)
{
	struct evtlog_boost_table *table = kunit_kzalloc(test, sizeof(*table), GFP_KERNEL);
	struct model *model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	u32 start = seed ? seed : get_random_u32();
	struct rnd_state random;
	unsigned int trial, i;

	KUNIT_ASSERT_NOT_NULL(test, table);
	KUNIT_ASSERT_NOT_NULL(test, model);
	KUNIT_ASSERT_EQ(test, evtlog_boost_table_init(table, SIZE), 0);
	kunit_info(test, "boost_kunit.seed=%u\n", start);
	prandom_seed_state(&random, start);

	for (trial = 0; trial < TRIALS; trial++) {
		i = prandom_u32_state(&random) % TASKS;
		if (model->entry[i]) {
			/* Rare enough that the table is sometimes full. */
			if (prandom_u32_state(&random) % 2)
				continue;
			evtlog_boost_table_remove(table, model->entry[i]);
			model->entry[i] = NULL;
			model->count--;
		} else {
			model->entry[i] = evtlog_boost_table_add(table, task_at(i));
			KUNIT_ASSERT_EQ(test, !!model->entry[i], model->count < SIZE);
			if (!model->entry[i])
				continue;
			KUNIT_ASSERT_PTR_EQ(test, model->entry[i]->task, task_at(i));
			KUNIT_ASSERT_FALSE(test, model->entry[i]->boosted);
			KUNIT_ASSERT_FALSE(test, model->entry[i]->busy);
			model->command[i] = trial;
			model->entry[i]->command = trial;
			model->entry[i]->boosted = true;
			model->count++;
		}
		if (trial % 64 == 0)
			expect_same(test, table, model);
	}
	expect_same(test, table, model);
	for (i = 0; i < TASKS; i++) {
		if (model->entry[i])
			evtlog_boost_table_remove(table, model->entry[i]);
	}
	KUNIT_EXPECT_EQ(test, table->count, 0U);
	evtlog_boost_table_free(table);
}

static void a_full_table_takes_nobody_until_one_goes(struct kunit *test)
{
	struct evtlog_boost_table *table = kunit_kzalloc(test, sizeof(*table), GFP_KERNEL);
	struct evtlog_boosted *last = NULL;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, table);
	KUNIT_ASSERT_EQ(test, evtlog_boost_table_init(table, SIZE), 0);
	for (i = 0; i < SIZE; i++) {
		last = evtlog_boost_table_add(table, task_at(i));
		KUNIT_ASSERT_NOT_NULL(test, last);
	}
	KUNIT_EXPECT_NULL(test, evtlog_boost_table_add(table, task_at(SIZE)));
	KUNIT_EXPECT_NULL(test, evtlog_boost_table_find(table, task_at(SIZE)));
	evtlog_boost_table_remove(table, last);
	KUNIT_EXPECT_NULL(test, evtlog_boost_table_find(table, task_at(SIZE - 1)));
	KUNIT_EXPECT_NOT_NULL(test, evtlog_boost_table_add(table, task_at(SIZE)));
	for (i = 0; i <= SIZE; i++) {
		last = evtlog_boost_table_find(table, task_at(i));
		if (last)
			evtlog_boost_table_remove(table, last);
	}
	evtlog_boost_table_free(table);
}

static void expect_policy(struct kunit *test, const struct evtlog_policy *got,
			  const struct evtlog_policy *wanted, const char *what)
{
	KUNIT_EXPECT_EQ_MSG(test, got->policy, wanted->policy, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, got->rt_priority, wanted->rt_priority, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, got->reset_on_fork, wanted->reset_on_fork, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, got->timer_slack_ns, wanted->timer_slack_ns, "%s", what);
}

/*
 * A task with SCHED_FIFO 48 may request all of these, without reset-on-fork.  @most: its
 * RLIMIT_RTPRIO.  It has no right to its own nice value.
 */
static void what_a_boost_gave_is_no_right(struct kunit *test)
{
	static const struct {
		struct evtlog_policy has;
		int policy;
		unsigned int rt_priority;
		unsigned long most;
		bool needs_right;
	} trials[] = {
		{ { SCHED_NORMAL }, SCHED_FIFO, 48, 0, true },
		{ { SCHED_NORMAL }, SCHED_FIFO, 1, 0, true },
		{ { SCHED_NORMAL }, SCHED_RR, 48, 20, true },
		{ { SCHED_NORMAL }, SCHED_RR, 21, 20, true },
		{ { SCHED_FIFO, 10 }, SCHED_FIFO, 47, 20, true },
		{ { SCHED_FIFO, 10 }, -1, 47, 0, true },
		{ { SCHED_NORMAL }, -1, 47, 99, true },
		{ { SCHED_IDLE }, SCHED_NORMAL, 0, 0, true },
		{ { SCHED_IDLE }, SCHED_BATCH, 0, 0, true },
		{ { SCHED_RR, 10 }, SCHED_FIFO, 5, 0, true },
		{ { SCHED_NORMAL, 0, true }, SCHED_BATCH, 0, 0, true },

		{ { SCHED_NORMAL }, SCHED_BATCH, 0, 0, false },
		{ { SCHED_NORMAL }, SCHED_IDLE, 0, 0, false },
		{ { SCHED_NORMAL }, SCHED_RR, 20, 20, false },
		{ { SCHED_FIFO, 30 }, SCHED_FIFO, 29, 0, false },
		{ { SCHED_FIFO, 30 }, SCHED_RR, 30, 20, false },
		{ { SCHED_FIFO, 30 }, -1, 29, 0, false },
		{ { SCHED_FIFO, 30 }, SCHED_NORMAL, 0, 0, false },
		{ { SCHED_IDLE }, SCHED_IDLE, 0, 0, false },
		{ { SCHED_FIFO, 30, true }, -1, 29, 0, false },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(trials); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    evtlog_boost_policy_needs_right(&trials[i].has,
								    trials[i].policy,
								    trials[i].rt_priority, false,
								    trials[i].most, false),
				    trials[i].needs_right, "trial %u", i);
}

/* Changes that other tasks make to a boosted task, and the policy that it then gets back */
static void what_others_give_is_given_back(struct kunit *test)
{
	static const struct {
		const char *what;
		struct evtlog_policy before;
		int policy;
		unsigned int rt_priority;
		bool reset_on_fork;
		bool changed;
		struct evtlog_policy then;
	} trials[] = {
		{ "just what the boost has: another's, all the same",
		  { SCHED_IDLE, 0, false, 70 }, SCHED_FIFO, 48, false,
		  true, { SCHED_FIFO, 48, false, 50 } },
		{ "a priority alone is of the policy that it gets back",
		  { SCHED_RR, 9, false, 70 }, -1, 5, true,
		  false, { SCHED_RR, 5, false, 70 } },
		{ "and of none where that has none",
		  { SCHED_NORMAL, 0, false, 70 }, -1, 5, true,
		  false, { SCHED_NORMAL, 0, false, 70 } },
		{ "its slack is kept with a policy that has some",
		  { SCHED_FIFO, 9, false, 70 }, SCHED_NORMAL, 0, true,
		  true, { SCHED_NORMAL, 0, true, 70 } },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(trials); i++) {
		struct evtlog_boosted entry = { .boosted = true, .before = trials[i].before };

		evtlog_boost_policy_learn(&entry, trials[i].policy, trials[i].rt_priority,
					  trials[i].reset_on_fork, 50);
		KUNIT_EXPECT_EQ_MSG(test, entry.changes, 1U, "%s", trials[i].what);
		KUNIT_EXPECT_EQ_MSG(test, entry.changed, trials[i].changed, "%s",
				    trials[i].what);
		expect_policy(test, &entry.before, &trials[i].then, trials[i].what);
	}
}

static int sleeps(void *unused)
{
	while (!kthread_should_stop()) {
		set_current_state(TASK_IDLE);
		if (!kthread_should_stop())
			schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/*
 * The entry exists, but the boost has not begun.  A change by another task at this instant is what
 * the task had before, and the boost must still be ended.
 */
static void a_change_just_before_a_boost_is_given_back(struct kunit *test)
{
	const struct sched_param nine = { .sched_priority = 9 };
	const struct sched_param ours = { .sched_priority = EVTLOG_BOOST_PRIORITY };
	const struct evtlog_policy changed = { SCHED_RR, 9, false, 50 };
	struct evtlog_boosted *entry;
	struct task_struct *task;

	KUNIT_ASSERT_EQ(test, evtlog_kunit_key("7 " EVTLOG_KUNIT_KEY " +sched"), 0);
	task = kthread_run(sleeps, NULL, "evtlog_kunit");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	WRITE_ONCE(evtlog_boost.was_used, true);
	entry = evtlog_boost_table_add(&evtlog_boosts, task);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	evtlog_boost_task_policy(task, &entry->before);
	entry->boosted = true;
	entry->begins = true;

	/* Any task but the thread that boosts it */
	entry->by = task;
	KUNIT_EXPECT_EQ(test, sched_setscheduler_nocheck(task, SCHED_RR, &nine), 0);
	KUNIT_EXPECT_TRUE(test, entry->changed);
	entry->by = current;
	KUNIT_EXPECT_EQ(test, sched_setscheduler_nocheck(task, SCHED_FIFO, &ours), 0);
	KUNIT_EXPECT_FALSE(test, entry->changed);
	entry->before.timer_slack_ns = changed.timer_slack_ns;
	expect_policy(test, &entry->before, &changed, "changed just before");

	evtlog_boost_table_remove(&evtlog_boosts, entry);
	kthread_stop(task);
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 -"), 0);
}

static void all_tasks_are_no_group(struct kunit *test)
{
	static const char *const names[] = { "", "/", "///" };
	struct evtlog_boost_request *request =
		kunit_kzalloc(test, sizeof(*request), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, request);
	request->group_kind = EVTLOG_REMOTE_CGROUP;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		strscpy(request->name, names[i], sizeof(request->name));
		KUNIT_EXPECT_EQ(test, evtlog_boost_group_check(request), -EINVAL);
	}
	strscpy(request->name, "/job", sizeof(request->name));
	KUNIT_EXPECT_NE(test, evtlog_boost_group_check(request), -EINVAL);
}

static struct kunit_case boost_cases[] = {
	KUNIT_CASE(it_holds_what_a_naive_list_holds),
	KUNIT_CASE(a_full_table_takes_nobody_until_one_goes),
	KUNIT_CASE(what_a_boost_gave_is_no_right),
	KUNIT_CASE(what_others_give_is_given_back),
	KUNIT_CASE(a_change_just_before_a_boost_is_given_back),
	KUNIT_CASE(all_tasks_are_no_group),
	{}
};

static struct kunit_suite boost_suite = {
	.name = "evtlog_boost",
	.test_cases = boost_cases,
};
kunit_test_suite(boost_suite);
