// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What no record tells: crossings, the core's other thread, the machine below.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "by-hand.h"

/* A crossing with an interrupt, two samples that no record explains, and one while the other CPU is busy. */
static void take_from_two_cpus(const char *others_first_task)
{
	begin_log(2);
	loggen_begin(gen, 1, BASE, 0, others_first_task);
	leave(1000);
	interrupt(1001, 1041);
	enter(1100, BENCH);
	switch_on(1, 3000, DAEMON, 0);
	switch_on(1, 3200, 0, SLEEPS);
	end_log(2, 5000);
	take_samples((const struct span[]) { { 990, 1120 }, { 2000, 2310 },
		       { 3000, 3210 }, { 3300, 3510 } }, 4, 4000);
	attribute();
}

/* What is left is the machine's, or the other thread's of the core when it was busy. */
static void the_rest_is_inferred(void **state)
{
	take_from_two_cpus("swapper/1");
	assert_int_equal(sample(0)->crossing_ticks, 20);
	assert_int_equal(evtlog_jitter_inferred(sample(0)), 0);
	assert_int_equal(evtlog_jitter_inferred(sample(1)), 300);
	assert_int_equal(sample(1)->flags, 0);
	assert_true(source("crossing")->inferred);
	assert_int_equal(source("crossing")->total_ticks, 20);
	assert_int_equal(source("hypervisor or hardware")->count, 2);
	assert_int_equal(source("hypervisor or hardware")->total_ticks, 500);
	assert_int_equal(source("core's other thread")->count, 1);
	assert_int_equal(source("core's other thread")->total_ticks, 200);
	assert_int_equal(source("core's other thread")->family, EVTLOG_FAMILY_SMT);
	assert_int_equal(evtlog_jitter_summary(jitter)->samples, 4);
	assert_int_equal(evtlog_jitter_summary(jitter)->matched, 1);
	assert_int_equal(evtlog_jitter_summary(jitter)->max_residual_ticks, 300);
}

/* Of a log of one tree nobody knows whether the core's other thread was idle, unless the tree had it. */
static void outside_the_tree_is_not_idle(void **state)
{
	meta = "tree=100\n";
	take_from_two_cpus("");
	assert_int_equal(source("core's other thread")->count, 1);
	assert_int_equal(source("hypervisor, hardware or core's other thread")->count, 2);
	assert_int_equal(source("hypervisor, hardware or core's other thread")->total_ticks, 500);
	assert_int_equal(source("hypervisor, hardware or core's other thread")->family,
			 EVTLOG_FAMILY_HARDWARE);
	assert_true(source("hypervisor, hardware or core's other thread")->inferred);
}

/* A task's times in user mode; the outside is no task. */
static void outside_the_tree_is_not_measured(void **state)
{
	static const uint32_t nobody;
	const struct evtlog_jitter_options options = { .pids = &nobody, .pid_count = 1 };

	meta = "tree=100\n";
	begin_log(1);
	end_log(1, 5000);
	assert_int_equal(attribute_by(&options), -EINVAL);
	assert_string_equal(why.reason, "pid 0 is outside the tree of pid 100: idle, and any task that is not of it");
}

/* What nearly all samples lost to the host is no crossing, however regular it is. */
static void no_crossing_takes_long(void **state)
{
	begin_log(1);
	interrupt_each(100000, 200000, 40);
	switch_to(450000, 0, SLEEPS);
	end_log(1, 500000);
	take_samples((const struct span[]) { { 80000, 100112 }, { 180000, 200111 } }, 2, 400000);
	attribute();
	assert_int_equal(sample(0)->crossing_ticks, 0);
	assert_int_equal(evtlog_jitter_inferred(sample(0)), 20002);
	assert_int_equal(evtlog_jitter_inferred(sample(1)), 20001);
	assert_int_equal(source("hypervisor or hardware")->total_ticks, 40003);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_rest_is_inferred),
		TEST(outside_the_tree_is_not_idle),
		TEST(outside_the_tree_is_not_measured),
		TEST(no_crossing_takes_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
