// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which samples and interruptions count: windows, and dropped samples.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "by-hand.h"

/* What the window cuts counts neither as a sample nor as an interruption. */
static void a_window_has_whole_samples(void **state)
{
	static const struct span spans[] = { { 900, 1500 }, { 1500, 2500 }, { 2500, 3500 } };
	struct evtlog_jitter_options options = { 0 };
	const struct evtlog_jitter_thread *thread;
	const struct evtlog_jitter_summary *summary;
	uint64_t zero_ns;
	size_t count;

	begin_log(1);
	for (unsigned int i = 1; i <= 3; i++) {
		leave(1000 * i);
		at(1000 * i + 10, EVTLOG_EXCEPTION_ENTRY, 14);
		at(1000 * i + 90, EVTLOG_EXCEPTION_EXIT, 14);
		enter(1000 * i + 100, BENCH);
	}
	switch_to(4500, 0, SLEEPS);
	end_log(1, 5000);
	take_samples(spans, 3, 4000);
	attribute();
	zero_ns = evtlog_jitter_threads(jitter, &count)->begin_ns - 5;
	evtlog_jitter_free(jitter);
	options.from_ns = zero_ns + 950;
	options.to_ns = zero_ns + 3400;
	assert_int_equal(attribute_by(&options), 0);
	summary = evtlog_jitter_summary(jitter);
	assert_int_equal(summary->missed, 0);
	assert_int_equal(summary->interruptions, 1);
	assert_int_equal(summary->samples, 1);
	assert_int_equal(summary->window_ticks, 1000);
	thread = evtlog_jitter_threads(jitter, &count);
	assert_int_equal(thread->begin_ticks, BASE + 1500);
	assert_int_equal(thread->end_ticks, BASE + 2500);
	assert_int_equal(thread->end_ns, zero_ns + 2500);
	assert_int_equal(evtlog_jitter_time_ns(jitter, 0, BASE + 2000), zero_ns + 2000);
	/* The window begins before a sample. */
	evtlog_jitter_free(jitter);
	options.from_ns = zero_ns + 850;
	assert_int_equal(attribute_by(&options), 0);
	assert_int_equal(evtlog_jitter_summary(jitter)->matched, 2);
	assert_int_equal(evtlog_jitter_summary(jitter)->window_ticks, 1650);
	assert_int_equal(evtlog_jitter_threads(jitter, &count)->begin_ns, options.from_ns);
	/* The window is within one sample. */
	evtlog_jitter_free(jitter);
	options.from_ns = zero_ns + 1600;
	options.to_ns = zero_ns + 2400;
	assert_int_equal(attribute_by(&options), 0);
	assert_int_equal(evtlog_jitter_summary(jitter)->window_ticks, 0);
	assert_int_equal(evtlog_jitter_summary(jitter)->interruptions, 0);
}

/* The window ends at the last sample for which there was room. */
static void a_window_ends_where_the_room_does(void **state)
{
	begin_log(1);
	interrupt_each(1000, 3000, 90);
	switch_to(4500, 0, SLEEPS);
	end_log(1, 5000);
	dropped = 1;
	take_samples((const struct span[]) { { 990, 1120 }, { 1990, 2120 } }, 2, 4000);
	attribute();
	assert_int_equal(evtlog_jitter_summary(jitter)->dropped, 1);
	assert_int_equal(evtlog_jitter_summary(jitter)->missed, 0);
	assert_int_equal(evtlog_jitter_summary(jitter)->interruptions, 2);
	assert_int_equal(evtlog_jitter_summary(jitter)->window_ticks, 2120 - 5);
	assert_int_equal(source("timer interrupt")->count, 2);
}

/* Each span is a thread.  An interruption belongs to the span in which it begins. */
static void parts_of_a_task_are_threads(void **state)
{
	const uint64_t origin = 7000000000;
	const struct evtlog_jitter_span spans[] = {
		{ BENCH, 0, origin + 2050 }, { BENCH, origin + 2050, origin + 2950 },
		{ BENCH, origin + 3950, UINT64_MAX },
	};
	const struct evtlog_jitter_span twice[] = {
		{ BENCH, 0, origin + 2050 }, { BENCH, origin + 2000, origin + 3000 },
	};
	const struct evtlog_jitter_span idle = { 0, 0, UINT64_MAX };
	struct evtlog_jitter_options options = { 0 };
	const struct evtlog_jitter_thread *threads;
	size_t count;

	begin_log(1);
	interrupt_each(1000, 5000, 90);
	switch_to(6000, 0, SLEEPS);
	end_log(1, 6500);
	assert_int_equal(attribute_of(spans, 3, NULL), 0);
	threads = evtlog_jitter_threads(jitter, &count);
	assert_int_equal(count, 3);
	assert_int_equal(threads[0].interruptions, 2);
	assert_int_equal(threads[1].interruptions, 0);
	assert_int_equal(threads[2].interruptions, 2);
	assert_int_equal(threads[1].end_ns - threads[1].begin_ns, 900);
	assert_int_equal(threads[2].lost_ticks, 0);
	assert_int_equal(source("timer interrupt")->count, 4);
	/* The options cut the spans. */
	options.from_ns = origin + 1500;
	options.to_ns = origin + 2060;
	assert_int_equal(attribute_of(spans, 3, &options), 0);
	threads = evtlog_jitter_threads(jitter, &count);
	assert_int_equal(count, 2);
	assert_int_equal(threads[0].begin_ns, options.from_ns);
	assert_int_equal(threads[0].interruptions + threads[1].interruptions, 0);
	options.to_ns = origin + 2100;
	assert_int_equal(attribute_of(spans, 3, &options), 0);
	assert_int_equal(evtlog_jitter_threads(jitter, &count)[0].interruptions, 1);
	assert_int_equal(attribute_of(twice, 2, NULL), -EINVAL);
	assert_int_equal(attribute_of(&idle, 1, NULL), -EINVAL);
	assert_int_equal(attribute_of(NULL, 0, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_window_has_whole_samples),
		TEST(a_window_ends_where_the_room_does),
		TEST(parts_of_a_task_are_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
