// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Streams that are begun anywhere, on random logs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <evtlog/evtlog.h>

#include "../support/loggen.h"
#include "reading.h"
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

/* From wherever it is begun, a stream gives what it gives when it is read on. */
static void test_seeking(void **arg)
{
	uint64_t state = sample_seed() | 1;
	struct loggen_options options = loggen_defaults();
	struct loggen *gen = loggen_new(&options);
	struct evtlog_error error;
	struct evtlog_file *file;

	small_world(gen, options.cpus, 20000, &state);
	save_log(gen);
	assert_int_equal(evtlog_open(log_path, &file, &error), 0);
	for (int i = 0; i < 60; i++) {
		unsigned int slot = random_next(&state) % options.cpus;
		struct evtlog_stream *whole, *sought;
		const struct evtlog_event *a, *b;
		uint64_t at = evtlog_begin_ns(file) - 5 + random_next(&state) %
			      (evtlog_end_ns(file) - evtlog_begin_ns(file) + 10);
		unsigned int number = 0, starts = 0;
		uint64_t start = 0;

		assert_int_equal(evtlog_stream_new(file, slot, &whole), 0);
		assert_int_equal(evtlog_stream_new(file, slot, &sought), 0);
		/* The last buffer that begins by then, seen when all is read. */
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
	evtlog_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seeking),
	};

	return cmocka_run_group_tests(tests, make_paths, remove_paths);
}
