// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: the table of boosted tasks holds what a naive list holds.
 *
 * Stage: beside boost_table.c, which does not look into tasks, so that none is needed; who
 * is boosted, and when, is tested in guests.
 *
 * "boost_kunit.seed=N" on the kernel's command line repeats a run.
 */
#include <kunit/test.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/random.h>

#include "boost_table.h"

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

static struct kunit_case boost_cases[] = {
	KUNIT_CASE(it_holds_what_a_naive_list_holds),
	KUNIT_CASE(a_full_table_takes_nobody_until_one_goes),
	{}
};

static struct kunit_suite boost_suite = {
	.name = "evtlog_boost",
	.test_cases = boost_cases,
};
kunit_test_suite(boost_suite);
