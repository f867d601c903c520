// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: the table of boosted tasks holds what a naive list holds; what a boosted task may
 * take, and what it gets back; which groups there are not.
 *
 * Stage: beside what does not look into tasks, so that none is needed; who is boosted, and
 * when, is tested in guests.
 *
 * "boost_kunit.seed=N" on the kernel's command line repeats a run.
 */
#include <kunit/test.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "boost_table.h"
#include "boost_task.h"

static unsigned int seed;
module_param(seed, uint, 0);
MODULE_PARM_DESC(seed, "what random trials start from; 0: a random number");

#define SIZE	400
#define TASKS	600	/* more than buckets: they share them */
#define TRIALS	20000

/* Addresses as far from each other as tasks are; nothing is there. */
static struct task_struct *task_at(unsigned int i)
{
	return (struct task_struct *)(0x100000UL + i * 4096UL);
}

struct model {
	struct evtlog_boosted *entry[TASKS];
	u64 order[TASKS];
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
			KUNIT_ASSERT_EQ(test, entry->order, model->order[i]);
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
			/* Seldom enough that the table is full at times. */
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
			model->order[i] = trial;
			model->entry[i]->order = trial;
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

/* With RLIMIT_RTPRIO @most, and without the right to its own nice value. */
static bool needs_right(int now, unsigned int priority, int policy, unsigned int new_priority,
			unsigned long most)
{
	const struct evtlog_policy has = { .policy = now, .rt_priority = priority };

	return evtlog_boost_policy_needs_right(&has, policy, new_priority, most, false);
}

static void what_a_boost_gave_is_no_right(struct kunit *test)
{
	/* All of this a task with SCHED_FIFO 48 may do. */
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_NORMAL, 0, SCHED_FIFO, 48, 0));
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_NORMAL, 0, SCHED_FIFO, 1, 0));
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_NORMAL, 0, SCHED_RR, 48, 20));
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_NORMAL, 0, SCHED_RR, 21, 20));
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_FIFO, 10, SCHED_FIFO, 47, 20));
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_FIFO, 10, -1, 47, 0));
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_NORMAL, 0, -1, 47, 99));
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_IDLE, 0, SCHED_NORMAL, 0, 0));
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_IDLE, 0, SCHED_BATCH, 0, 0));
	KUNIT_EXPECT_TRUE(test, needs_right(SCHED_RR, 10, SCHED_FIFO, 5, 0));
	/* And this it may without. */
	KUNIT_EXPECT_FALSE(test, needs_right(SCHED_NORMAL, 0, SCHED_BATCH, 0, 0));
	KUNIT_EXPECT_FALSE(test, needs_right(SCHED_NORMAL, 0, SCHED_IDLE, 0, 0));
	KUNIT_EXPECT_FALSE(test, needs_right(SCHED_NORMAL, 0, SCHED_RR, 20, 20));
	KUNIT_EXPECT_FALSE(test, needs_right(SCHED_FIFO, 30, SCHED_FIFO, 29, 0));
	KUNIT_EXPECT_FALSE(test, needs_right(SCHED_FIFO, 30, SCHED_RR, 30, 20));
	KUNIT_EXPECT_FALSE(test, needs_right(SCHED_FIFO, 30, -1, 29, 0));
	KUNIT_EXPECT_FALSE(test, needs_right(SCHED_FIFO, 30, SCHED_NORMAL, 0, 0));
	KUNIT_EXPECT_FALSE(test, needs_right(SCHED_IDLE, 0, SCHED_IDLE, 0, 0));
}

static void what_others_give_is_given_back(struct kunit *test)
{
	struct evtlog_boosted entry = {
		.boosted = true,
		.before = { .policy = SCHED_IDLE, .timer_slack_ns = 70 },
	};

	/* Just what the boost has: another's, all the same. */
	evtlog_boost_policy_learn(&entry, SCHED_FIFO, 48, false, 50);
	KUNIT_EXPECT_TRUE(test, entry.changed);
	KUNIT_EXPECT_EQ(test, entry.changes, 1U);
	KUNIT_EXPECT_EQ(test, entry.before.policy, SCHED_FIFO);
	KUNIT_EXPECT_EQ(test, entry.before.rt_priority, 48);
	KUNIT_EXPECT_EQ(test, entry.before.timer_slack_ns, 50ULL);

	/* A priority alone is of the policy that the task gets back. */
	entry.changed = false;
	entry.before.policy = SCHED_RR;
	entry.before.rt_priority = 9;
	evtlog_boost_policy_learn(&entry, -1, 5, true, 50);
	KUNIT_EXPECT_FALSE(test, entry.changed);
	KUNIT_EXPECT_EQ(test, entry.changes, 2U);
	KUNIT_EXPECT_EQ(test, entry.before.policy, SCHED_RR);
	KUNIT_EXPECT_EQ(test, entry.before.rt_priority, 5);
	entry.before.policy = SCHED_NORMAL;
	entry.before.rt_priority = 0;
	evtlog_boost_policy_learn(&entry, -1, 5, true, 50);
	KUNIT_EXPECT_EQ(test, entry.before.rt_priority, 0);
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
	KUNIT_CASE(all_tasks_are_no_group),
	{}
};

static struct kunit_suite boost_suite = {
	.name = "evtlog_boost",
	.test_cases = boost_cases,
};
kunit_test_suite(boost_suite);
