// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stream of some types gives exactly the records of these types that a stream of all types
 * gives, at the same times, and counts all records: of random logs with losses, of whole buffers
 * and of pieces, also if a buffer cannot be decoded to its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "lib/stream/stream.h"
#include "sample.h"
#include "worlds.h"

#define LOGS		24
#define SETS_OF_TYPES	8

static bool is_wanted(const struct evtlog_event *event, uint64_t wanted)
{
	return event->kind != EVTLOG_EVENT_RECORD || wanted >> event->known & 1;
}

/* Returns the next event that is wanted; 0 at the end. */
static int next_wanted(struct evtlog_stream *stream, const struct evtlog_event **event,
		       uint64_t wanted)
{
	int result;

	do
		result = evtlog_stream_next(stream, event);
	while (result > 0 && !is_wanted(*event, wanted));
	return result;
}

static void compare(struct evtlog_stream *all, struct evtlog_stream *some, uint64_t wanted)
{
	const struct evtlog_event *a, *b;

	for (;;) {
		int more = next_wanted(all, &a, wanted);

		/* TIME is returned, too. */
		do
			assert_int_equal(evtlog_stream_next(some, &b), more);
		while (more && !is_wanted(b, wanted) && b->known == EVTLOG_TIME);
		if (!more)
			break;
		assert_int_equal(b->kind, a->kind);
		assert_int_equal(b->known, a->known);
		assert_int_equal(b->time_ns, a->time_ns);
		assert_int_equal(b->ticks, a->ticks);
		assert_int_equal(b->lost, a->lost);
		if (a->words)
			assert_int_equal(b->words[0], a->words[0]);
	}
	assert_int_equal(evtlog_stream_counts(some)->records, evtlog_stream_counts(all)->records);
}

static void read_some(struct evtlog_file *file, unsigned int slot, uint64_t wanted, bool pieces)
{
	struct evtlog_stream *all, *some;
	struct spill spill;

	spill_init(&spill, 4096);
	assert_int_equal(evtlog_stream_new(file, slot, &all), 0);
	assert_int_equal(pieces ? stream_new_pieces(file, slot, &spill, &some) :
				  evtlog_stream_new(file, slot, &some), 0);
	stream_only(some, wanted);
	compare(all, some, wanted);
	evtlog_stream_free(all);
	evtlog_stream_free(some);
	spill_free(&spill);
}

/* Returns a description of all types but one: a buffer cannot be decoded from its record on. */
static char *format_without_exec(uint64_t ticks_hz)
{
	char *text = loggen_format_text(ticks_hz), *line = strstr(text, " sched_process_exec "), *end;

	assert_non_null(line);
	while (line[-1] != '\n')
		line--;
	end = strchr(line, '\n') + 1;
	memmove(line, end, strlen(end) + 1);
	return text;
}

static void gives_some_types(void **context)
{
	uint64_t state = sample_seed() | 1;

	for (int log = 0; log < LOGS; log++) {
		struct loggen_options options = random_options(&state);
		char *format = log % 2 ? format_without_exec(options.ticks_hz) : NULL;
		struct evtlog_file *file;
		struct loggen *gen;

		options.format = format;
		gen = loggen_new(&options);
		free(format);
		small_world(gen, options.cpus, 3000, &state);
		loggen_close(gen);
		file = open_log(gen);
		for (int i = 0; i < SETS_OF_TYPES; i++)
			read_some(file, xorshift(&state) % options.cpus,
				  i ? xorshift(&state) & xorshift(&state) : 0, i % 2);
		evtlog_close(file);
		loggen_free(gen);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_some_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
