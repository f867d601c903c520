// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: commands while the thread cannot run: which are accepted, which are executed without it,
 * and that they are audited.
 *
 * Takes the place of remote/receive.c, with correct messages.  Runs on one CPU, above the thread's
 * priority: the thread does nothing until the test sleeps.  Audit records are in the kernel's log,
 * which tests/kernel/kunit.test checks.
 */
#include <kunit/test.h>
#include <linux/audit.h>
#include <linux/bottom_half.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/evtlog.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "buffers.h"
#include "remote/command.h"
#include "remote/pending.h"
#include "remote/remote.h"
#include "ring.h"
#include "run.h"
#include "tests/remote_kunit.h"

#define SENDER		0x0a630002
#define PATIENCE_MS	5000

static struct evtlog_geometry before;

static int set_geometry(const struct evtlog_geometry *geometry)
{
	int error;

	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	error = evtlog_run_set_geometry(geometry->buffers, geometry->buffer_kb);
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	return error;
}

/* With buffers for all runs of a test, because no reader takes them. */
static void open_without_thread(struct kunit *test)
{
	static const struct evtlog_geometry roomy = { .buffers = 8, .buffer_kb = 64 };

	if (num_online_cpus() > 1)
		kunit_skip(test, "on another CPU the thread runs");
	before = evtlog_geometry;
	/* Audit records are printed; none may be suppressed. */
	printk_ratelimit_state.burst = INT_MAX;
	KUNIT_ASSERT_EQ(test, set_geometry(&roomy), 0);
	KUNIT_ASSERT_EQ(test, evtlog_kunit_key("8 " EVTLOG_KUNIT_KEY " +sched"), 0);
	/* FIFO 50 */
	sched_set_fifo(current);
}

/* Accepted commands are executed before the thread ends. */
static void close_and_wait(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("8 -"), 0);
	KUNIT_EXPECT_EQ(test, evtlog_run_disarm(), 0);
	KUNIT_EXPECT_EQ(test, set_geometry(&before), 0);
}

static int give(u8 operation, const char *name)
{
	struct evtlog_command command = {
		.sender = htonl(SENDER),
		.key_id = 8,
		.operation = operation,
	};
	bool is_published = false;
	int error;

	command.name_bytes = strscpy(command.name, name, sizeof(command.name));
	local_bh_disable();
	if (operation == EVTLOG_REMOTE_START)
		is_published = evtlog_remote_publish_start(command.name, command.name_bytes, 0);
	error = evtlog_remote_execute(&command, is_published);
	local_bh_enable();
	return error;
}

static void fill_with_questions(struct kunit *test)
{
	unsigned int taken = 0;

	while (!give(EVTLOG_REMOTE_STATUS, ""))
		taken++;
	KUNIT_EXPECT_EQ(test, taken, EVTLOG_PENDING_COMMON);
}

/* Executes waiting commands, which only fill the queue, without audit records. */
static void do_in_silence(struct kunit *test)
{
	u32 enabled = audit_enabled;

	audit_enabled = AUDIT_OFF;
	close_and_wait(test);
	audit_enabled = enabled;
}

static void the_thread_does_what_is_commanded_and_tells_audit(struct kunit *test)
{
	struct evtlog_command forbidden = {
		.sender = htonl(SENDER),
		.key_id = 8,
		.operation = EVTLOG_REMOTE_SCHED,
	};

	open_without_thread(test);
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_STATUS, ""), 0);
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_DISARM, ""), 0);
	/* Nothing is boosted: there is nothing to cancel. */
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_CANCEL, ""), 0);
	local_bh_disable();
	evtlog_remote_forbid(&forbidden);
	local_bh_enable();
	close_and_wait(test);
}

static void questions_keep_no_command_from_being_done(struct kunit *test)
{
	open_without_thread(test);
	fill_with_questions(test);
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_ARM, ""), -EBUSY);
	/* The name and the group do not exist: only audit records result. */
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_START, "1"), 0);
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_SCHED, ""), 0);
	close_and_wait(test);
}

static void starts_and_stops_keep_no_schedule_from_being_done(struct kunit *test)
{
	unsigned int i;

	open_without_thread(test);
	fill_with_questions(test);
	for (i = 0; i < EVTLOG_PENDING_RUN; i++)
		KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_STOP, ""), 0);
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_STOP, ""), -EBUSY);
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_START, ""), -EBUSY);
	for (i = 0; i < EVTLOG_PENDING_BOOST; i++)
		KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_SCHED, ""), 0);
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_SCHED, ""), -EBUSY);
	do_in_silence(test);
}

/*
 * Another caller stops the runs.  Starts are then executed on reception, also when no room is left.
 */
static void what_is_done_without_the_thread_is_told_to_audit(struct kunit *test)
{
	u64 run = READ_ONCE(evtlog_run.run), obeyed = evtlog_remote_obeyed();
	unsigned int i;

	open_without_thread(test);
	KUNIT_ASSERT_EQ(test, evtlog_run_arm(), 0);
	fill_with_questions(test);
	for (i = 0; i < EVTLOG_PENDING_RUN; i++) {
		KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_START, "kept"), 0);
		KUNIT_EXPECT_EQ(test, evtlog_run_stop(), 0);
	}
	for (i = 0; i < EVTLOG_PENDING_BOOST; i++)
		KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_CANCEL, ""), 0);

	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_START, "without"), 0);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(evtlog_run.recording));
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_STOP, ""), 0);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(evtlog_run.recording));
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_CANCEL, ""), 0);
	/* A stop is incomplete, and nothing is recorded: only the thread could start a run. */
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_START, "refused"), -EBUSY);
	KUNIT_EXPECT_EQ(test, evtlog_remote_obeyed() - obeyed,
			EVTLOG_PENDING_COMMON + EVTLOG_PENDING_RUN +
			EVTLOG_PENDING_BOOST + 3);
	do_in_silence(test);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(evtlog_run.stopping));
	KUNIT_EXPECT_EQ(test, READ_ONCE(evtlog_run.run) - run,
			EVTLOG_PENDING_RUN + 1);
}

static bool records(const char *name)
{
	unsigned int ms;

	for (ms = 0; ms < PATIENCE_MS && !READ_ONCE(evtlog_run.recording); ms++)
		msleep(1);
	/* A remaining stop would end the run now. */
	msleep(100);
	return READ_ONCE(evtlog_run.recording) && !strcmp(evtlog_run_label.name, name);
}

static void a_stop_does_not_end_the_run_that_was_started_behind_it(struct kunit *test)
{
	u32 enabled = audit_enabled;

	open_without_thread(test);
	KUNIT_ASSERT_EQ(test, evtlog_run_arm(), 0);
	audit_enabled = AUDIT_OFF;
	/* No run is recorded: the thread decides about the stop. */
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_STOP, ""), 0);
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_START, "later"), 0);
	KUNIT_EXPECT_TRUE(test, records("later"));
	KUNIT_EXPECT_EQ(test, give(EVTLOG_REMOTE_STOP, ""), 0);
	do_in_silence(test);
	audit_enabled = enabled;
	KUNIT_EXPECT_FALSE(test, READ_ONCE(evtlog_run.recording));
	/* A thread prints the audit records. */
	ssleep(1);
}

static struct kunit_case act_cases[] = {
	KUNIT_CASE(the_thread_does_what_is_commanded_and_tells_audit),
	KUNIT_CASE(questions_keep_no_command_from_being_done),
	KUNIT_CASE(starts_and_stops_keep_no_schedule_from_being_done),
	KUNIT_CASE(what_is_done_without_the_thread_is_told_to_audit),
	KUNIT_CASE(a_stop_does_not_end_the_run_that_was_started_behind_it),
	{}
};

static struct kunit_suite act_suite = {
	.name = "evtlog_remote_execute",
	.test_cases = act_cases,
};
kunit_test_suite(act_suite);
