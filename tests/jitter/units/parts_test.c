// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fault that sleeps; a task without samples that migrates; logs without the needed events;
 * percentiles.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "by-hand.h"

/* A page fault that sleeps is one part.  The CPU's time in between belongs to other tasks. */
static void a_fault_that_sleeps_is_one_part(void **state)
{
	begin_log(1);
	leave(1000);
	at(1005, EVTLOG_EXCEPTION_ENTRY, 14);
	switch_to(1020, DAEMON, 2);
	at(1030, EVTLOG_EXCEPTION_ENTRY, 14);
	switch_to(1040, 0, 2);
	at(1050, EVTLOG_IRQ_HANDLER_ENTRY, 12);
	at(1060, EVTLOG_IRQ_HANDLER_EXIT, 12);
	switch_to(1070, DAEMON, 0);
	at(1075, EVTLOG_EXCEPTION_EXIT, 14);
	switch_to(1080, BENCH, SLEEPS);
	at(1090, EVTLOG_EXCEPTION_EXIT, 14);
	enter(1100, BENCH);
	end_log(1, 5000);
	take_samples(&(struct span) { 990, 1140 }, 1, 4000);
	attribute();
	EXPECT(0, { 1000, 1100, 15, "kernel entry and exit", BENCH, true },
	       { 1005, 1090, 25, "page fault", BENCH, true },
	       { 1020, 1040, 10, "daemon", DAEMON, true },
	       { 1030, 1040, 10, "page fault", DAEMON, true },
	       { 1040, 1070, 20, "idle", 0, true },
	       { 1050, 1060, 10, "irq 12", 0, true },
	       { 1070, 1080, 5, "daemon", DAEMON, true },
	       { 1070, 1075, 5, "page fault", DAEMON, true });
}

/* Without samples: a task that waits is followed to the CPU where it continues. */
static void a_task_that_migrates_is_followed(void **state)
{
	const uint32_t pids[] = { BENCH };
	const struct evtlog_jitter_options options = { .pids = pids, .pid_count = 1 };

	begin_log(2);
	loggen_begin(gen, 1, BASE, OTHER, "other");
	leave(1000);
	at(1001, EVTLOG_RESCHEDULE_ENTRY, 253);
	at(1002, EVTLOG_RESCHEDULE_EXIT, 253);
	switch_to(1010, DAEMON, PREEMPTED);
	switch_on(1, 1200, BENCH, SLEEPS);
	at_cpu(1, 1220, EVTLOG_USER_ENTER, BENCH);
	at_cpu(1, 1300, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER);
	at_cpu(1, 1310, EVTLOG_LOCAL_TIMER_ENTRY, 236);
	switch_to(1315, 0, SLEEPS);
	at_cpu(1, 1320, EVTLOG_LOCAL_TIMER_EXIT, 236);
	at_cpu(1, 1330, EVTLOG_USER_ENTER, BENCH);
	end_log(2, 5000);
	if (attribute_by(&options))
		fail_msg("%s", why.reason);
	EXPECT(0, { 1000, 1220, 1 + 8 + 20, "kernel entry and exit", BENCH, true },
	       { 1001, 1002, 1, "reschedule interrupt", BENCH, true },
	       { 1010, 1200, 190, "daemon", DAEMON, true });
	EXPECT(1, { 1300, 1330, 20, "kernel entry and exit", BENCH, true },
	       { 1310, 1320, 10, "timer interrupt", BENCH, true });
}

static void a_log_without_the_events_is_refused(void **state)
{
	struct loggen_options options = loggen_defaults();

	options.cpus = 1;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, BASE, BENCH, "bench");
	switch_to(1000, DAEMON, PREEMPTED);
	switch_to(1100, BENCH, SLEEPS);
	end_log(1, 5000);
	take_samples(NULL, 0, 4000);
	assert_int_equal(attribute_by(NULL), -ENODATA);
	assert_non_null(strstr(why.reason, "user_exit"));
}

static void percentiles_are_values_that_were_seen(void **state)
{
	const uint64_t values[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

	assert_int_equal(evtlog_jitter_percentile(values, 10, 0), 1);
	assert_int_equal(evtlog_jitter_percentile(values, 10, 10), 1);
	assert_int_equal(evtlog_jitter_percentile(values, 10, 10.1), 2);
	assert_int_equal(evtlog_jitter_percentile(values, 10, 50), 5);
	assert_int_equal(evtlog_jitter_percentile(values, 10, 99.999), 10);
	assert_int_equal(evtlog_jitter_percentile(values, 0, 50), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_fault_that_sleeps_is_one_part),
		TEST(a_task_that_migrates_is_followed),
		TEST(a_log_without_the_events_is_refused),
		TEST(percentiles_are_values_that_were_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
