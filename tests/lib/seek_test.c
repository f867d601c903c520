// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Streams that start at any position of random logs give the right events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <evtlog/evtlog.h>

#include "../support/loggen.h"
#include "sample.h"
#include "worlds.h"

static void same_event(const struct evtlog_event *got, const struct evtlog_event *wanted)
{
	assert_int_equal(got->time_ns, wanted->time_ns);
	assert_int_equal(got->known, wanted->known);
	assert_int_equal(got->pid, wanted->pid);
	if (wanted->words)
		assert_int_equal(got->words[0], wanted->words[0]);
}

static bool begins_buffer(const struct evtlog_event *event)
{
	return event->kind == EVTLOG_EVENT_BEGIN || event->kind == EVTLOG_EVENT_BUFFER ||
	       event->kind == EVTLOG_EVENT_GAP;
}

#define LISTED	3

/* Puts a list of tasks that are in no buffer. The word after the list is no task. */
static void put_tasks(struct loggen *gen, uint64_t ticks)
{
	uint64_t words[7 * LISTED + 1] = { 0 };

	for (uint64_t i = 0; i < LISTED; i++) {
		words[7 * i] = (uint64_t)EVTLOG_TASK << EVTLOG_TYPE_SHIFT | (70000 + i) << EVTLOG_DATA_SHIFT;
		words[7 * i + 1] = 70000 + i;
		loggen_comm(&words[7 * i + 5], "listed");
	}
	words[7 * LISTED] = (uint64_t)EVTLOG_SCHED_SWITCH << EVTLOG_TYPE_SHIFT;
	loggen_tasks(gen, ticks, words, sizeof(words) / sizeof(*words));
}

/* The list comes once, on CPU 0, after the begin of the first buffer with an end from @ticks on. */
static void test_tasks(struct evtlog_file *file, unsigned int cpus, uint64_t ticks)
{
	for (unsigned int slot = 0; slot < cpus; slot++) {
		const struct evtlog_event *event;
		struct evtlog_stream *stream;
		unsigned int listed = 0, begins = 0;
		uint64_t last_ticks = 0;

		assert_int_equal(evtlog_stream_new(file, slot, &stream), 0);
		while (evtlog_stream_next(stream, &event) > 0) {
			assert_true(event->ticks >= last_ticks);
			if (event->known != EVTLOG_TASK || event->words[1] < 70000) {
				begins += begins_buffer(event);
				/* No other buffer begins before the list is complete. */
				if (listed && listed < LISTED)
					fail();
				last_ticks = event->ticks;
				continue;
			}
			assert_string_equal((const char *)&event->words[5], "listed");
			assert_int_equal(event->ticks, last_ticks);
			assert_true(ticks || begins == 1);
			listed++;
		}
		assert_int_equal(listed, slot ? 0 : LISTED);
		if (ticks == UINT64_MAX && !slot)
			assert_int_equal(event->kind, EVTLOG_EVENT_END);
		assert_int_equal(evtlog_stream_counts(stream)->outside, 0);
		assert_int_equal(evtlog_stream_counts(stream)->backward, 0);
		evtlog_stream_free(stream);
	}
}

/*
 * A stream that starts at any position gives the same events as a stream that is read to this
 * position. A list of tasks comes after @share quarters of the time; -1: no list.
 */
static void seek_in(int share)
{
	uint64_t state = sample_seed() | 1;
	struct loggen_options options = loggen_defaults();
	struct loggen *gen = loggen_new(&options);
	struct evtlog_error error;
	struct evtlog_file *file;
	uint64_t ticks = share == 4 ? UINT64_MAX : 0;

	small_world(gen, options.cpus, 20000, &state);
	/* A tick is 1 ns. */
	if (share > 0 && share < 4) {
		file = open_log(gen);
		ticks = options.boot_ticks + evtlog_begin_ns(file) - options.boot_raw_ns +
			(evtlog_end_ns(file) - evtlog_begin_ns(file)) * share / 4;
		evtlog_close(file);
	}
	if (share >= 0)
		put_tasks(gen, ticks);
	save_log(gen);
	assert_int_equal(evtlog_open(log_path, &file, &error), 0);
	for (int i = 0; i < 60; i++) {
		unsigned int slot = xorshift(&state) % options.cpus;
		struct evtlog_stream *whole, *sought;
		const struct evtlog_event *a, *b;
		uint64_t at = evtlog_begin_ns(file) - 5 + xorshift(&state) %
			      (evtlog_end_ns(file) - evtlog_begin_ns(file) + 10);
		unsigned int number = 0, starts = 0;
		uint64_t start = 0;

		assert_int_equal(evtlog_stream_new(file, slot, &whole), 0);
		assert_int_equal(evtlog_stream_new(file, slot, &sought), 0);
		/* The last buffer that begins at or before @at */
		while (evtlog_stream_next(whole, &a) > 0 &&
		       (a->time_ns <= at || a->kind == EVTLOG_EVENT_BEGIN))
			if (begins_buffer(a)) {
				start = a->time_ns;
				number++;
			}
		evtlog_stream_free(whole);
		assert_int_equal(evtlog_stream_seek(sought, at), 0);
		assert_int_equal(evtlog_stream_next(sought, &b), 1);
		assert_int_equal(b->kind, EVTLOG_EVENT_BEGIN);
		assert_int_equal(b->time_ns, start);
		assert_int_equal(evtlog_stream_new(file, slot, &whole), 0);
		while (starts < number) {
			assert_int_equal(evtlog_stream_next(whole, &a), 1);
			starts += begins_buffer(a);
		}
		for (int n = 0; n < 1000; n++) {
			int more = evtlog_stream_next(whole, &a);

			assert_int_equal(evtlog_stream_next(sought, &b), more);
			if (!more)
				break;
			same_event(b, a);
		}
		evtlog_stream_free(whole);
		evtlog_stream_free(sought);
	}
	if (share >= 0)
		test_tasks(file, options.cpus, ticks);
	evtlog_close(file);
}

static void test_seeking(void **arg)
{
	for (int share = -1; share <= 4; share++)
		seek_in(share);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seeking),
	};

	return cmocka_run_group_tests(tests, make_paths, remove_paths);
}
