// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Time without records: crossings, the core's other thread, and the machine.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "by-hand.h"

/* A crossing with an interrupt, two samples without records, one while the other CPU is busy */
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

/* With one tree in the log, the core's other thread may be busy with tasks outside the tree. */
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

/* Pid 0 is not a task of the tree, so it has no interruptions. */
static void outside_the_tree_is_not_measured(void **state)
{
	static const uint32_t nobody;
	const struct evtlog_jitter_options options = { .pids = &nobody, .pid_count = 1 };

	meta = "tree=100\n";
	begin_log(1);
	end_log(1, 5000);
	assert_int_equal(attribute_by(&options), -EINVAL);
	assert_string_equal(why.reason, "pid 0 is outside the log's tree: idle, or a task that is not in the tree");
}

/* A long loss to the host is no crossing, even if nearly all samples have it. */
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

/* A reading of CPU 0's steal clock */
static void steal(uint64_t ticks, uint64_t ns)
{
	loggen_record(gen, 0, BASE + ticks, EVTLOG_COUNTER, EVTLOG_COUNTER_STEAL << 1, 2, &ns);
}

/* Three samples without records, and a short one, between readings @at of the steal clock */
static void take_between(const uint64_t at[5])
{
	begin_log(1);
	steal(10, 7000 + at[0]);
	leave(1000);
	interrupt(1001, 1041);
	enter(1100, BENCH);
	steal(1500, 7000 + at[1]);
	steal(2400, 7000 + at[2]);
	steal(3000, 7000 + at[3]);
	steal(4500, 7000 + at[4]);
	switch_to(4800, 0, SLEEPS);
	end_log(1, 5000);
	take_samples((const struct span[]) { { 1600, 1680 }, { 2000, 2310 }, { 2900, 3110 }, { 3300, 3510 } },
		     4, 4600);
	attribute();
}

static const char *source_of(size_t number)
{
	size_t count;

	return sample(number)->inferred_source == EVTLOG_JITTER_NONE ? "" :
	       evtlog_jitter_sources(jitter, &count)[sample(number)->inferred_source].name;
}

/* Time stolen between two readings is of the longest sample between them, and only once. */
static void stolen_time_has_its_row(void **state)
{
	uint64_t ns;

	take_between((const uint64_t[]) { 0, 900, 1195, 1195, 1395 });
	assert_string_equal(source_of(0), "hypervisor or hardware");
	assert_string_equal(source_of(1), "stolen by the hypervisor");
	assert_string_equal(source_of(2), "stolen by the hypervisor");
	assert_string_equal(source_of(3), "hypervisor or hardware");
	assert_int_equal(source("stolen by the hypervisor")->count, 2);
	assert_int_equal(source("stolen by the hypervisor")->total_ticks, 500);
	assert_int_equal(source("stolen by the hypervisor")->family, EVTLOG_FAMILY_HARDWARE);
	assert_true(source("stolen by the hypervisor")->inferred);
	assert_int_equal(source("hypervisor or hardware")->total_ticks, 270);
	assert_int_equal(evtlog_jitter_stolen(jitter, 0, &ns), 0);
	assert_int_equal(ns, 1395);
	assert_int_equal(evtlog_jitter_stolen(jitter, 1, &ns), -EINVAL);
}

/* A sample counts as stolen only if most of its noise was stolen. */
static void little_stolen_time_has_none(void **state)
{
	uint64_t ns;

	take_between((const uint64_t[]) { 0, 0, 150, 150, 251 });
	assert_string_equal(source_of(1), "hypervisor or hardware");
	assert_string_equal(source_of(2), "stolen by the hypervisor");
	assert_string_equal(source_of(3), "hypervisor or hardware");
	assert_int_equal(evtlog_jitter_stolen(jitter, 0, &ns), 0);
	assert_int_equal(ns, 251);
}

/* If the clock does not move, 0 ns were stolen.  Without a clock, this is unknown. */
static void no_clock_is_not_zero(void **state)
{
	uint64_t ns;

	take_between((const uint64_t[]) { 0, 0, 0, 0, 0 });
	assert_int_equal(evtlog_jitter_stolen(jitter, 0, &ns), 0);
	assert_int_equal(ns, 0);
	assert_int_equal(source("hypervisor or hardware")->count, 4);
	give_back(state);
	take_from_two_cpus("swapper/1");
	assert_int_equal(evtlog_jitter_stolen(jitter, 0, &ns), -ENODATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(outside_the_tree_is_not_idle),
		TEST(outside_the_tree_is_not_measured),
		TEST(no_crossing_takes_long),
		TEST(stolen_time_has_its_row),
		TEST(little_stolen_time_has_none),
		TEST(no_clock_is_not_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
