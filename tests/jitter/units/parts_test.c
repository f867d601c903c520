// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parts of interruptions in logs made by hand; logs without the needed events; percentiles.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "by-hand.h"

/* Interrupts, a softirq and a daemon are nested: each tick belongs to the innermost. */
static void nested_time_is_the_innermost_ones(void **state)
{
	begin_log(1);
	leave(1000);
	interrupt(1010, 1050);
	at(1055, EVTLOG_SOFTIRQ_ENTRY, TIMER);
	at(1060, EVTLOG_IRQ_HANDLER_ENTRY, 11);
	at(1067, EVTLOG_IRQ_HANDLER_EXIT, 11 | 1 << 24);
	at(1080, EVTLOG_SOFTIRQ_EXIT, TIMER);
	switch_to(1100, DAEMON, PREEMPTED);
	enter(1120, DAEMON);
	leave(1300);
	interrupt(1310, 1330);
	enter(1340, DAEMON);
	at(1400, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_SYSCALL | 35 << 2);
	switch_to(1450, KWORKER, SLEEPS);
	switch_to(1500, BENCH, SLEEPS);
	enter(1520, BENCH);
	end_log(1, 5000);
	take_samples(&(struct span) { 990, 1540 }, 1, 4000);
	attribute();
	EXPECT(0, { 1000, 1520, 10 + 5 + 20 + 20, "kernel entry and exit", BENCH, true },
	       { 1010, 1050, 40, "timer interrupt", BENCH, true },
	       { 1055, 1080, 25 - 7, "softirq TIMER", BENCH, true },
	       { 1060, 1067, 7, "irq 11 virtio0", BENCH, true },
	       { 1100, 1450, 350 - 20, "daemon", DAEMON, true },
	       { 1310, 1330, 20, "timer interrupt", DAEMON, true },
	       { 1450, 1500, 50, "kworker", KWORKER, true });
	assert_int_equal(source("timer interrupt")->count, 2);
	assert_int_equal(source("timer interrupt")->total_ticks, 60);
	assert_int_equal(source("timer interrupt")->family, EVTLOG_FAMILY_INTERRUPT);
	assert_int_equal(source("daemon")->family, EVTLOG_FAMILY_USER);
	assert_int_equal(source("kworker")->family, EVTLOG_FAMILY_KERNEL);
	assert_int_equal(sample(0)->noise_ticks, 540);
	assert_int_equal(sample(0)->kernel_ticks, 520);
	assert_int_equal(sample(0)->parts_ticks, 520);
	assert_int_equal(sample(0)->flags, EVTLOG_JITTER_MATCHED);
	assert_int_equal(sample(0)->crossing_ticks, 20);
	assert_int_equal(evtlog_jitter_residual(sample(0)), 0);
}

/* Preempted and continued: one part; over two interruptions: one activation. */
static void preempted_tasks_go_on(void **state)
{
	begin_log(1);
	leave(1000);
	switch_to(1010, DAEMON, PREEMPTED);
	switch_to(1100, OTHER, PREEMPTED);
	switch_to(1150, DAEMON, SLEEPS);
	switch_to(1250, BENCH, PREEMPTED);
	enter(1260, BENCH);
	leave(2000);
	at(2001, EVTLOG_RESCHEDULE_ENTRY, 253);
	at(2002, EVTLOG_RESCHEDULE_EXIT, 253);
	switch_to(2010, DAEMON, PREEMPTED);
	switch_to(2030, OTHER, SLEEPS);
	switch_to(2040, DAEMON, SLEEPS);
	switch_to(2070, 0, SLEEPS);
	switch_to(2090, BENCH, 0);
	enter(2100, BENCH);
	end_log(1, 5000);
	take_samples(NULL, 0, 4000);
	attribute();
	EXPECT(0, { 1000, 1260, 20, "kernel entry and exit", BENCH, true },
	       { 1010, 1260, 190, "daemon", DAEMON, true },
	       { 1100, 1150, 50, "other", OTHER, true });
	EXPECT(1, { 2000, 2100, 1 + 8 + 10, "kernel entry and exit", BENCH, true },
	       { 2001, 2002, 1, "reschedule interrupt", BENCH, true },
	       { 2010, 2030, 20, "daemon", DAEMON, false },
	       { 2030, 2040, 10, "other", OTHER, true },
	       { 2040, 2070, 30, "daemon", DAEMON, true },
	       { 2070, 2090, 20, "idle", 0, true });
	assert_int_equal(source("daemon")->count, 3);
	assert_int_equal(source("daemon")->min_ticks, 20);
	assert_int_equal(source("daemon")->max_ticks, 190);
	assert_int_equal(source("daemon")->activations, 2);
	assert_int_equal(source("daemon")->activation_max, 210);
	assert_int_equal(source("daemon")->activation_min, 30);
	assert_int_equal(evtlog_jitter_summary(jitter)->missed, 2);
}

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

/* System calls are not interruptions; NMIs in user mode are, and are recorded later. */
static void calls_do_not_interrupt_and_nmis_do(void **state)
{
	const uint64_t nmi[] = { 300, BASE + 2000 };

	begin_log(1);
	at(1000, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_SYSCALL | 39 << 2);
	switch_to(1010, DAEMON, SLEEPS);
	switch_to(1020, BENCH, SLEEPS);
	enter(1030, BENCH);
	leave(3000);
	loggen_record(gen, 0, BASE + 3000, EVTLOG_USER_NMI, 1, 3, nmi);
	interrupt(3001, 3041);
	enter(3100, BENCH);
	end_log(1, 5000);
	take_samples((const struct span[]) { { 1990, 2330 }, { 2990, 3150 } }, 2, 4000);
	attribute();
	EXPECT(0, { 2000, 2300, 300, "NMI", BENCH, true });
	EXPECT(1, { 3000, 3100, 60, "kernel entry and exit", BENCH, true },
	       { 3001, 3041, 40, "timer interrupt", BENCH, true });
	assert_int_equal(sample(0)->flags, EVTLOG_JITTER_MATCHED);
	assert_int_equal(sample(0)->kernel_ticks, 300);
	assert_int_equal(sample(1)->flags, EVTLOG_JITTER_MATCHED);
	assert_int_equal(evtlog_jitter_summary(jitter)->missed, 0);
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
		TEST(nested_time_is_the_innermost_ones),
		TEST(preempted_tasks_go_on),
		TEST(a_fault_that_sleeps_is_one_part),
		TEST(calls_do_not_interrupt_and_nmis_do),
		TEST(a_task_that_migrates_is_followed),
		TEST(a_log_without_the_events_is_refused),
		TEST(percentiles_are_values_that_were_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
