// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A task without samples that migrates; logs without the needed events; percentiles.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "by-hand.h"

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
		TEST(a_task_that_migrates_is_followed),
		TEST(a_log_without_the_events_is_refused),
		TEST(percentiles_are_values_that_were_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
