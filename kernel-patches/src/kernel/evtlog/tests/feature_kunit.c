// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: which calls a feature gets from the core, and when.
 *
 * The feature belongs to this file; it adds neither a file nor a line of status.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/cpu.h>
#include <linux/evtlog.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "events.h"
#include "feature.h"
#include "ring.h"
#include "run.h"

#define OURS	(BIT_ULL(EVTLOG_PUT) | BIT_ULL(EVTLOG_SCHED_WAKING))

static struct {
	u64 types;
	u64 already_on;
	unsigned int events_on;
	unsigned int started;
	unsigned int stopped;
	bool was_recording;
} told;

static u64 events_before;

static void events_on(u64 types)
{
	might_sleep();
	told.events_on++;
	told.types = types;
	told.already_on = evtlog_events_enabled() & types;
}

static void run_started(void)
{
	might_sleep();
	told.started++;
	told.was_recording = READ_ONCE(evtlog_run.recording);
}

static void run_stopped(void)
{
	might_sleep();
	told.stopped++;
	told.was_recording = READ_ONCE(evtlog_run.recording);
}

static struct evtlog_feature feature_kunit __ro_after_init = {
	.name = "feature_kunit",
	.events = OURS,
	.events_on = events_on,
	.run_started = run_started,
	.run_stopped = run_stopped,
};
evtlog_feature(feature_kunit);

static int set_events(u64 types)
{
	int error;

	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	error = evtlog_run_set_events(types);
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	return error;
}

static void it_is_told_before_its_hooks_are_switched_on(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, set_events(BIT_ULL(EVTLOG_PUT)), 0);
	KUNIT_EXPECT_EQ(test, told.events_on, 0);
	KUNIT_ASSERT_EQ(test, evtlog_run_arm(), 0);
	KUNIT_EXPECT_EQ(test, told.events_on, 1);
	KUNIT_EXPECT_EQ(test, told.types, BIT_ULL(EVTLOG_PUT));
	KUNIT_EXPECT_EQ(test, told.already_on, 0);
	KUNIT_EXPECT_EQ(test, evtlog_events_enabled() & OURS, BIT_ULL(EVTLOG_PUT));
}

static void it_is_told_only_of_types_that_were_off(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, set_events(BIT_ULL(EVTLOG_PUT)), 0);
	KUNIT_ASSERT_EQ(test, evtlog_run_arm(), 0);
	KUNIT_ASSERT_EQ(test, set_events(OURS), 0);
	KUNIT_EXPECT_EQ(test, told.events_on, 2);
	KUNIT_EXPECT_EQ(test, told.types, BIT_ULL(EVTLOG_SCHED_WAKING));
	KUNIT_ASSERT_EQ(test, set_events(OURS | BIT_ULL(EVTLOG_SCHED_SWITCH)), 0);
	KUNIT_EXPECT_EQ(test, told.events_on, 2);
}

static void it_is_told_of_a_runs_start_and_stop(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, set_events(BIT_ULL(EVTLOG_PUT)), 0);
	KUNIT_ASSERT_EQ(test, evtlog_run_start(NULL), 0);
	KUNIT_EXPECT_EQ(test, told.started, 1);
	KUNIT_EXPECT_TRUE(test, told.was_recording);
	KUNIT_EXPECT_EQ(test, evtlog_run_start(NULL), -EALREADY);
	KUNIT_EXPECT_EQ(test, told.started, 1);
	KUNIT_EXPECT_EQ(test, told.stopped, 0);
	KUNIT_EXPECT_EQ(test, evtlog_run_stop(), 0);
	KUNIT_EXPECT_EQ(test, told.stopped, 1);
	KUNIT_EXPECT_FALSE(test, told.was_recording);
	KUNIT_EXPECT_EQ(test, evtlog_run_stop(), -EALREADY);
	KUNIT_EXPECT_EQ(test, told.stopped, 1);
}

static int feature_init(struct kunit *test)
{
	memset(&told, 0, sizeof(told));
	events_before = evtlog_events();
	return 0;
}

/* Restores all settings, also after a failure. */
static void feature_exit(struct kunit *test)
{
	unsigned int cpu;

	evtlog_run_stop();
	for_each_possible_cpu(cpu) {
		struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

		while (evtlog_ring_peek(r, NULL)) {
			evtlog_ring_release(r);
			evtlog_run_reader_returned(cpu);
		}
	}
	evtlog_run_disarm();
	set_events(events_before);
}

static struct kunit_case feature_cases[] = {
	KUNIT_CASE(it_is_told_before_its_hooks_are_switched_on),
	KUNIT_CASE(it_is_told_only_of_types_that_were_off),
	KUNIT_CASE(it_is_told_of_a_runs_start_and_stop),
	{}
};

static struct kunit_suite feature_suite = {
	.name = "evtlog_feature",
	.init = feature_init,
	.exit = feature_exit,
	.test_cases = feature_cases,
};
kunit_test_suite(feature_suite);
