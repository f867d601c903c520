// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: tests the records at the boundary of user mode.
 *
 * Calls the hooks as the entry code would, and checks the ring after each call.  The test runs in
 * User-mode Linux, which does not call these hooks itself.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/evtlog.h>
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "events.h"
#include "outside.h"
#include "ring.h"
#include "run.h"

#define BIT_OF(name)	BIT_ULL(EVTLOG_##name)

static u64 events_before;

static u32 type_of(const u64 *record)
{
	return *record >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
}

static u32 data_of(const u64 *record)
{
	return *record >> EVTLOG_DATA_SHIFT;
}

/* Position of the next record, if it does not need a new buffer */
static const u64 *next_record(void)
{
	return this_cpu_read(evtlog_ring.pos);
}

static void start(struct kunit *test)
{
	char choice[] = "-all +user +exception";
	u64 events = 0;

	KUNIT_ASSERT_EQ(test, evtlog_events_parse(choice, &events), 0);
	rt_mutex_lock(&evtlog_run_lock);
	evtlog_events_set(events);
	rt_mutex_unlock(&evtlog_run_lock);
	KUNIT_ASSERT_EQ(test, evtlog_run_start(NULL), 0);
}

static void the_boundary_is_off_unless_asked_for(struct kunit *test)
{
	const u64 boundary = BIT_OF(USER_EXIT) | BIT_OF(USER_ENTER) |
			     BIT_OF(USER_NMI) | BIT_OF(EXCEPTION_ENTRY) |
			     BIT_OF(EXCEPTION_EXIT);
	char user[] = "+user", all[] = "+all";
	u64 events = 0;

	KUNIT_EXPECT_EQ(test, evtlog_events(), ~boundary);
	KUNIT_EXPECT_EQ(test, evtlog_events_parse(user, &events), 0);
	KUNIT_EXPECT_EQ(test, events, BIT_OF(USER_EXIT) | BIT_OF(USER_ENTER) |
				      BIT_OF(USER_NMI));
	KUNIT_EXPECT_EQ(test, evtlog_events_parse(all, &events), 0);
	KUNIT_EXPECT_EQ(test, events & boundary, boundary);
}

static void an_exit_says_why(struct kunit *test)
{
	static const struct {
		long nr;
		u32 told;
	} calls[] = {
		{ 0, 0 }, { 39, 39 }, { 0xfffe, 0xfffe },
		{ 0xffff, EVTLOG_SYSCALL_OTHER },
		{ 0x10000, EVTLOG_SYSCALL_OTHER },
		{ 0x40000027, EVTLOG_SYSCALL_OTHER },
		{ -1, EVTLOG_SYSCALL_OTHER },
		{ LONG_MIN, EVTLOG_SYSCALL_OTHER },
	};
	static const struct {
		unsigned int nr;
		u32 told;
	} compat[] = {
		{ 20, 20 }, { 0x10000, EVTLOG_SYSCALL_OTHER },
		{ UINT_MAX, EVTLOG_SYSCALL_OTHER },
	};
	const u64 *record;
	unsigned int i;

	start(test);
	local_irq_disable();
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		record = next_record();
		__evtlog_user_exit_syscall(NULL, calls[i].nr);
		KUNIT_EXPECT_EQ(test, type_of(record), (u32)EVTLOG_USER_EXIT);
		KUNIT_EXPECT_EQ(test, data_of(record) & 3,
				(u32)EVTLOG_USER_EXIT_SYSCALL);
		KUNIT_EXPECT_EQ(test, data_of(record) >> 2, calls[i].told);
	}
	for (i = 0; i < ARRAY_SIZE(compat); i++) {
		record = next_record();
		__evtlog_user_exit_compat(compat[i].nr);
		KUNIT_EXPECT_EQ(test, type_of(record), (u32)EVTLOG_USER_EXIT);
		KUNIT_EXPECT_EQ(test, data_of(record),
				EVTLOG_USER_EXIT_COMPAT | compat[i].told << 2);
	}
	record = next_record();
	__evtlog_user_exit();
	KUNIT_EXPECT_EQ(test, type_of(record), (u32)EVTLOG_USER_EXIT);
	KUNIT_EXPECT_EQ(test, data_of(record), (u32)EVTLOG_USER_EXIT_OTHER);
	record = next_record();
	__evtlog_user_enter();
	KUNIT_EXPECT_EQ(test, type_of(record), (u32)EVTLOG_USER_ENTER);
	KUNIT_EXPECT_EQ(test, data_of(record), (u32)current->pid);
	KUNIT_EXPECT_PTR_EQ(test, next_record(), record + 1);
	local_irq_enable();
}

static void nmis_in_user_mode_are_told_behind_the_next_exit(struct kunit *test)
{
	u64 before, first, second, after;
	const u64 *record;

	start(test);
	local_irq_disable();
	before = evtlog_ticks64();
	__evtlog_user_nmi_entry();
	__evtlog_user_nmi_exit();
	first = evtlog_ticks64();
	__evtlog_user_nmi_entry();
	second = evtlog_ticks64();
	__evtlog_user_nmi_exit();
	after = evtlog_ticks64();

	record = next_record();
	__evtlog_user_exit();
	KUNIT_EXPECT_EQ(test, type_of(record), (u32)EVTLOG_USER_EXIT);
	KUNIT_EXPECT_EQ(test, type_of(record + 1), (u32)EVTLOG_USER_NMI);
	KUNIT_EXPECT_EQ(test, data_of(record + 1), 2);
	KUNIT_EXPECT_LE(test, record[2], after - before);
	KUNIT_EXPECT_GE(test, record[3], first);
	KUNIT_EXPECT_LE(test, record[3], second);
	KUNIT_EXPECT_PTR_EQ(test, next_record(), record + 4);

	/* They are not recorded again. */
	__evtlog_user_exit();
	KUNIT_EXPECT_PTR_EQ(test, next_record(), record + 5);
	local_irq_enable();
}

static void an_nmi_is_of_one_run(struct kunit *test)
{
	const u64 *record;

	start(test);
	local_irq_disable();
	__evtlog_user_nmi_entry();
	__evtlog_user_nmi_exit();
	local_irq_enable();
	KUNIT_EXPECT_EQ(test, evtlog_run_stop(), 0);

	/* The end of an NMI that began before the run does not belong to the run. */
	KUNIT_ASSERT_EQ(test, evtlog_run_start(NULL), 0);
	local_irq_disable();
	__evtlog_user_nmi_exit();
	record = next_record();
	__evtlog_user_exit();
	KUNIT_EXPECT_PTR_EQ(test, next_record(), record + 1);
	local_irq_enable();
}

/* The tree has no task, so the thread of the test case is outside. */
static void nmis_of_tasks_outside_are_not_the_trees(struct kunit *test)
{
	const u64 *record;

	start(test);
	local_irq_disable();
	WRITE_ONCE(evtlog_run_trees, BIT(31));
	KUNIT_EXPECT_TRUE(test, evtlog_is_outside(current));
	__evtlog_user_nmi_entry();
	__evtlog_user_nmi_exit();
	/* As if a task of the tree ran next. */
	WRITE_ONCE(evtlog_run_trees, 0);
	record = next_record();
	__evtlog_user_exit();
	KUNIT_EXPECT_PTR_EQ(test, next_record(), record + 1);
	__evtlog_user_nmi_entry();
	__evtlog_user_nmi_exit();
	__evtlog_user_exit();
	KUNIT_EXPECT_EQ(test, type_of(record + 2), (u32)EVTLOG_USER_NMI);
	KUNIT_EXPECT_EQ(test, data_of(record + 2), 1);
	local_irq_enable();
}

static void an_exception_in_an_nmi_is_counted_and_not_written(struct kunit *test)
{
	const u64 *record;
	u64 lost;

	start(test);
	local_irq_disable();
	record = next_record();
	lost = evtlog_ring_lost(this_cpu_ptr(&evtlog_ring), EVTLOG_LOST_NMI);
	preempt_count_add(NMI_OFFSET);
	evtlog_exception_entry(14);
	evtlog_exception_exit(14);
	preempt_count_sub(NMI_OFFSET);
	KUNIT_EXPECT_PTR_EQ(test, next_record(), record);
	KUNIT_EXPECT_EQ(test, evtlog_ring_lost(this_cpu_ptr(&evtlog_ring), EVTLOG_LOST_NMI),
			lost + 2);
	evtlog_exception_entry(14);
	KUNIT_EXPECT_EQ(test, type_of(record), (u32)EVTLOG_EXCEPTION_ENTRY);
	KUNIT_EXPECT_EQ(test, data_of(record), 14);
	evtlog_exception_exit(14);
	KUNIT_EXPECT_EQ(test, type_of(record + 1), (u32)EVTLOG_EXCEPTION_EXIT);
	local_irq_enable();
}

static int user_init(struct kunit *test)
{
	events_before = evtlog_events();
	return 0;
}

static void discard(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

		while (evtlog_ring_peek(r, NULL)) {
			evtlog_ring_release(r);
			evtlog_run_reader_returned(cpu);
		}
	}
}

static void user_exit(struct kunit *test)
{
	WRITE_ONCE(evtlog_run_trees, 0);
	evtlog_run_stop();
	discard();
	rt_mutex_lock(&evtlog_run_lock);
	evtlog_events_set(events_before);
	rt_mutex_unlock(&evtlog_run_lock);
}

static struct kunit_case user_cases[] = {
	KUNIT_CASE(the_boundary_is_off_unless_asked_for),
	KUNIT_CASE(an_exit_says_why),
	KUNIT_CASE(nmis_in_user_mode_are_told_behind_the_next_exit),
	KUNIT_CASE(an_nmi_is_of_one_run),
	KUNIT_CASE(nmis_of_tasks_outside_are_not_the_trees),
	KUNIT_CASE(an_exception_in_an_nmi_is_counted_and_not_written),
	{}
};

static struct kunit_suite user_suite = {
	.name = "evtlog_user",
	.init = user_init,
	.exit = user_exit,
	.test_cases = user_cases,
};
kunit_test_suite(user_suite);
