// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each CPU joins a run at its own first event. Its state since the run's start is correct, and so
 * is the time of the start.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "lib/file/file.h"
#include "lib/stream/stream.h"
#include "sample.h"

#define START	UINT64_C(5000000000)
/* After the counter's lower half has wrapped */
#define JOIN	UINT64_C(9000000000)

/*
 * A CPU joins in @context with a record of type @first; types in @off are not recorded. With
 * @by_pieces, the buffer is read piece by piece. Returns the CPU's context from the start on.
 */
static uint8_t place_without(uint64_t off, uint32_t context, unsigned int first, bool by_pieces)
{
	struct loggen_options options = loggen_defaults();
	const uint64_t counter = 1, switches = EVTLOG_COUNTER_SWITCHES << 1;
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	struct evtlog_file *file;
	struct spill spill;
	struct loggen *gen;
	unsigned int events = 0;
	uint8_t was_in;

	options.compress = by_pieces ? LOGGEN_DEFLATE : LOGGEN_STORE;
	options.tells_events = off;
	options.off = off;
	gen = loggen_new(&options);
	spill_init(&spill, 128);
	loggen_join(gen, 0, START, JOIN, 0, "swapper/0");
	loggen_context(gen, 0, context);
	/* More records than fit into a piece */
	for (int i = 0; i < 20; i++)
		loggen_record(gen, 0, JOIN, EVTLOG_COUNTER, switches, 2, &counter);
	loggen_record(gen, 0, JOIN, first, 1, 1, NULL);
	loggen_record(gen, 0, JOIN + 1000, EVTLOG_SCHED_WAKING, 9, 1, NULL);
	loggen_end(gen, 0, JOIN + 2000);
	loggen_close(gen);
	file = open_log(gen);
	if (by_pieces) {
		assert_int_equal(stream_new_pieces(file, 0, &spill, &stream), 0);
	} else {
		assert_int_equal(evtlog_stream_new(file, 0, &stream), 0);
	}

	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->kind, EVTLOG_EVENT_BEGIN);
	assert_int_equal(event->ticks, START);
	assert_int_equal(event->pid, 0);
	was_in = event->context;
	while (evtlog_stream_next(stream, &event) > 0) {
		assert_int_equal(event->pid, 0);
		/* The counters and the first event have the context in which the CPU stayed. */
		if (event->ticks == JOIN)
			assert_int_equal(event->context, was_in);
		events += event->kind == EVTLOG_EVENT_RECORD;
	}
	/* One record more, with the full time */
	assert_int_equal(events, 23);
	assert_int_equal(evtlog_stream_counts(stream)->outside, 0);
	assert_int_equal(evtlog_stream_counts(stream)->nesting_errors, 0);
	evtlog_stream_free(stream);
	spill_free(&spill);
	evtlog_close(file);
	loggen_free(gen);
	return was_in;
}

static uint8_t place_since_start(uint32_t context, unsigned int first, bool by_pieces)
{
	return place_without(0, context, first, by_pieces);
}

static void an_idle_cpu_is_idle_from_the_start(void **state)
{
	for (int by_pieces = 0; by_pieces < 2; by_pieces++) {
		assert_int_equal(place_since_start(0, EVTLOG_SCHED_WAKING, by_pieces),
				 EVTLOG_IN_TASK);
		assert_int_equal(place_since_start(EVTLOG_CONTEXT_HARDIRQ,
						   EVTLOG_LOCAL_TIMER_ENTRY, by_pieces),
				 EVTLOG_IN_TASK);
		assert_int_equal(place_since_start(EVTLOG_CONTEXT_HARDIRQ,
						   EVTLOG_IRQ_HANDLER_ENTRY, by_pieces),
				 EVTLOG_IN_TASK);
		assert_int_equal(place_since_start(EVTLOG_CONTEXT_SOFTIRQ,
						   EVTLOG_SOFTIRQ_ENTRY, by_pieces),
				 EVTLOG_IN_TASK);
	}
}

static void one_in_an_interrupt_was_in_it_from_the_start(void **state)
{
	for (int by_pieces = 0; by_pieces < 2; by_pieces++) {
		assert_int_equal(place_since_start(EVTLOG_CONTEXT_HARDIRQ,
						   EVTLOG_LOCAL_TIMER_EXIT, by_pieces),
				 EVTLOG_IN_IRQ);
		assert_int_equal(place_since_start(EVTLOG_CONTEXT_SOFTIRQ,
						   EVTLOG_SOFTIRQ_EXIT, by_pieces),
				 EVTLOG_IN_SOFTIRQ);
		assert_int_equal(place_since_start(EVTLOG_CONTEXT_SOFTIRQ |
						   EVTLOG_CONTEXT_HARDIRQ,
						   EVTLOG_RESCHEDULE_ENTRY, by_pieces),
				 EVTLOG_IN_SOFTIRQ);
	}
}

/* As in a named buffer of wake-ups, which often begins in an interrupt */
static void an_interrupt_whose_end_is_not_recorded_is_unknown(void **state)
{
	uint64_t softirq = UINT64_C(1) << EVTLOG_SOFTIRQ_EXIT, hard = 0;

	for (unsigned int type = EVTLOG_IRQ_HANDLER_ENTRY; type <= EVTLOG_VECTOR_EXIT; type++)
		hard |= UINT64_C(1) << type;
	for (int by_pieces = 0; by_pieces < 2; by_pieces++) {
		assert_int_equal(place_without(hard, EVTLOG_CONTEXT_HARDIRQ, EVTLOG_SCHED_WAKING, by_pieces),
				 EVTLOG_IN_TASK);
		assert_int_equal(place_without(softirq, EVTLOG_CONTEXT_SOFTIRQ, EVTLOG_SCHED_WAKING, by_pieces),
				 EVTLOG_IN_TASK);
		assert_int_equal(place_without(hard, EVTLOG_CONTEXT_SOFTIRQ | EVTLOG_CONTEXT_HARDIRQ,
					       EVTLOG_SCHED_WAKING, by_pieces), EVTLOG_IN_SOFTIRQ);
		/* At least one type of exit is not recorded. */
		assert_int_equal(place_without(hard & ~(UINT64_C(1) << EVTLOG_LOCAL_TIMER_EXIT),
					       EVTLOG_CONTEXT_HARDIRQ, EVTLOG_SCHED_WAKING, by_pieces),
				 EVTLOG_IN_IRQ);
	}
}

/* The rate from clock sets 20 us apart is not exact enough 5 s earlier. */
static void the_start_is_right_long_before_the_first_set(void **state)
{
	struct loggen_options options = loggen_defaults();
	uint64_t join = options.boot_ticks + 5 * UINT64_C(2596123457);
	struct evtlog_file *file;
	struct loggen *gen;

	options.ticks_hz = 2596123457;
	options.width_ticks = 200;
	gen = loggen_new(&options);
	for (unsigned int cpu = 0; cpu < 2; cpu++)
		loggen_join(gen, cpu, options.boot_ticks, join + 9999 * cpu, 0, "swapper");
	for (unsigned int cpu = 0; cpu < 2; cpu++)
		loggen_end(gen, cpu, join + 50000);
	file = open_log(gen);
	assert_in_range(evtlog_begin_ns(file), options.boot_raw_ns - 2, options.boot_raw_ns + 2);
	assert_in_range(evtlog_end_ns(file), options.boot_raw_ns + 5000019259 - 2,
			options.boot_raw_ns + 5000019259 + 2);
	evtlog_close(file);
	loggen_free(gen);
}

/* A CPU without events has one buffer, its first and last. */
static void a_cpu_without_events_has_its_part(void **state)
{
	struct loggen_options options = loggen_defaults();
	const struct evtlog_event *event;
	struct evtlog_summary summary;
	struct evtlog_stream *stream;
	struct evtlog_file *file;
	struct loggen *gen;

	gen = loggen_new(&options);
	loggen_join(gen, 0, START, START + 10, 5, "five");
	loggen_record(gen, 0, START + 10, EVTLOG_SCHED_WAKING, 9, 1, NULL);
	loggen_join(gen, 1, START, START + 900, 0, "swapper/1");
	loggen_end(gen, 0, START + 1000);
	loggen_end(gen, 1, START + 900);
	loggen_close(gen);
	file = open_log(gen);
	assert_int_equal(evtlog_stream_new(file, 1, &stream), 0);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->kind, EVTLOG_EVENT_BEGIN);
	assert_int_equal(event->ticks, START);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->kind, EVTLOG_EVENT_END);
	assert_int_equal(event->ticks, START + 900);
	assert_int_equal(event->pid, 0);
	assert_false(event->rest_missing);
	evtlog_stream_free(stream);
	evtlog_summarize(file, &summary);
	assert_true(summary.complete);
	evtlog_close(file);
	loggen_free(gen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_idle_cpu_is_idle_from_the_start),
		cmocka_unit_test(one_in_an_interrupt_was_in_it_from_the_start),
		cmocka_unit_test(an_interrupt_whose_end_is_not_recorded_is_unknown),
		cmocka_unit_test(the_start_is_right_long_before_the_first_set),
		cmocka_unit_test(a_cpu_without_events_has_its_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
