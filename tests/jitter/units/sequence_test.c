// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sequences: patterns within interruptions, and chains of tasks over several interruptions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "by-hand.h"

/* The same order of sources is one pattern, however long each takes. */
static void patterns_are_sequences(void **state)
{
	const struct evtlog_jitter_pattern *patterns;
	const struct evtlog_interruption *i;
	const struct evtlog_jitter_source *sources;
	const uint32_t *sequence;
	size_t count;

	begin_log(1);
	for (uint64_t t = 1000; t < 4000; t += 1000) {
		leave(t);
		interrupt(t + 1, t + 1 + t / 100);
		if (t != 2000) {
			switch_to(t + 100, DAEMON, PREEMPTED);
			switch_to(t + 200, BENCH, SLEEPS);
		}
		enter(t + 300, BENCH);
	}
	leave(4000);
	enter(4010, BENCH);
	end_log(1, 5000);
	take_samples(NULL, 0, 4500);
	attribute();
	i = evtlog_jitter_interruptions(jitter, &count);
	assert_int_equal(count, 4);
	assert_int_equal(i[0].pattern, i[2].pattern);
	assert_int_equal(i[0].pattern, 0);
	assert_int_equal(i[1].pattern, 1);
	assert_int_equal(i[3].pattern, 2);
	patterns = evtlog_jitter_patterns(jitter, &count);
	assert_int_equal(count, 3);
	assert_int_equal(patterns[0].count, 2);
	assert_int_equal(patterns[0].total_ticks, 600);
	assert_int_equal(patterns[0].length, 2);
	sequence = evtlog_jitter_pattern_sources(jitter, &patterns[0]);
	sources = evtlog_jitter_sources(jitter, &count);
	assert_string_equal(sources[sequence[0]].name, "timer interrupt");
	assert_string_equal(sources[sequence[1]].name, "daemon");
	sequence = evtlog_jitter_pattern_sources(jitter, &patterns[2]);
	assert_string_equal(sources[sequence[0]].name, "kernel entry and exit");
}

/* KWORKER always comes after DAEMON, and OTHER at any time: only the first is a chain. */
static void tasks_that_follow_each_other_are_chains(void **state)
{
	const struct evtlog_jitter_pattern *chains;
	const struct evtlog_jitter_source *sources;
	const uint32_t *sequence;
	uint64_t t = 1000, random = 12345;
	size_t count, ignored;

	begin_log(1);
	for (int i = 0; i < 40; i++) {
		leave(t);
		interrupt(t + 1, t + 9);
		switch_to(t + 10, DAEMON, PREEMPTED);
		switch_to(t + 20, BENCH, SLEEPS);
		enter(t + 30, BENCH);
		leave(t + 200);
		switch_to(t + 210, KWORKER, PREEMPTED);
		switch_to(t + 220, BENCH, SLEEPS);
		enter(t + 230, BENCH);
		for (random = random * 6364136223846793005u + 1; random >> 62;
		     random = random * 6364136223846793005u + 1) {
			t += 1000;
			leave(t);
			switch_to(t + 10, OTHER, PREEMPTED);
			switch_to(t + 20, BENCH, SLEEPS);
			enter(t + 30, BENCH);
		}
		t += 1000;
	}
	end_log(1, t + 5000);
	take_samples(NULL, 0, t);
	attribute();
	chains = evtlog_jitter_chains(jitter, &count);
	sources = evtlog_jitter_sources(jitter, &ignored);
	assert_int_equal(count, 1);
	assert_int_equal(chains[0].length, 2);
	assert_int_equal(chains[0].count, 40);
	assert_int_equal(chains[0].min_ticks, 200);
	assert_int_equal(chains[0].max_ticks, 200);
	assert_int_equal(chains[0].total_ticks, 8000);
	sequence = evtlog_jitter_chain_sources(jitter, &chains[0]);
	assert_string_equal(sources[sequence[0]].name, "daemon");
	assert_string_equal(sources[sequence[1]].name, "kworker");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(patterns_are_sequences),
		TEST(tasks_that_follow_each_other_are_chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
