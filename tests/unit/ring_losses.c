// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The claims of ring.h and abi.h on losses, one claim per test: without a free buffer, in NMIs, and
 * by probes in functions that the ring calls.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ring_trial.h"

static void a_loss_is_told_with_its_number_and_times(void **state)
{
	struct record lost;
	u64 first, last;

	begin(1);
	write_many(2 * WORDS);
	now += 100;
	first = now;
	write_many(3);
	now += 5ULL << 32;
	last = now;
	write_many(1);
	assert_int_equal(nr_records(next()), WORDS);
	give_back();
	now += 100;
	write_many(1);
	end();
	assert_int_equal(next()->lost[EVTLOG_LOST_FULL], 0);
	give_back();
	assert_int_equal(next()->lost[EVTLOG_LOST_FULL], 4);
	lost = nth(next(), 0);
	assert_int_equal(lost.type, EVTLOG_LOST);
	assert_int_equal(lost.data, EVTLOG_LOST_FULL);
	assert_int_equal(lost.word[1], 4);
	assert_int_equal(lost.word[2], first);
	assert_int_equal(lost.word[3], last);
	assert_int_equal(nth(next(), 1).type, EVTLOG_SCHED_SWITCH);
	assert_int_equal(next()->sequence, 2);
}

static void the_end_tells_a_loss_though_no_buffer_was_free(void **state)
{
	begin(1);
	write_many(2 * WORDS + 5);
	end();
	assert_true(evtlog_ring.final_due);
	next();
	give_back();
	evtlog_ring_finish(&evtlog_ring, 3);
	assert_false(evtlog_ring.final_due);
	next();
	give_back();
	assert_int_equal(next()->lost[EVTLOG_LOST_FULL], 5);
	assert_int_equal(next()->flags, EVTLOG_BUFFER_FLUSHED | EVTLOG_BUFFER_FINAL);
	assert_int_equal(next()->begin_pid, EVTLOG_PID_UNKNOWN);
	assert_int_equal(next()->cpus_in_run, 3);
}

static void a_record_larger_than_a_buffer_is_told_as_lost(void **state)
{
	begin(1);
	assert_null(evtlog_reserve_irqoff(TAG, WORDS + 1));
	end();
	while (!(next()->flags & EVTLOG_BUFFER_FINAL)) {
		give_back();
		if (evtlog_ring.final_due)
			evtlog_ring_finish(&evtlog_ring, 1);
	}
	assert_int_equal(next()->lost[EVTLOG_LOST_FULL], 1);
	assert_int_equal(nth(next(), 0).word[1], 1);
}

static void an_nmis_events_are_counted_in_the_buffer_of_their_time(void **state)
{
	begin(1);
	evtlog_drop_nmi();
	evtlog_drop_nmi();
	write_many(WORDS + 1);
	evtlog_drop_nmi();
	end();
	assert_int_equal(next()->lost[EVTLOG_LOST_NMI], 2);
	give_back();
	assert_int_equal(next()->lost[EVTLOG_LOST_NMI], 1);
	assert_int_equal(evtlog_ring.total_lost[EVTLOG_LOST_NMI], 3);
}

static void an_nmis_event_between_runs_is_in_neither(void **state)
{
	begin(1);
	end();
	next();
	give_back();
	evtlog_drop_nmi();
	begin(2);
	end();
	assert_int_equal(next()->run, 2);
	assert_int_equal(next()->lost[EVTLOG_LOST_NMI], 0);
}

static void an_nmis_event_before_a_cpus_first_record_is_of_the_run(void **state)
{
	begin(1);
	evtlog_drop_nmi();
	end();
	next();
	give_back();
	evtlog_drop_nmi();
	publish(2);
	evtlog_drop_nmi();
	evtlog_drop_nmi();
	begin(2);
	assert_int_equal(evtlog_ring_lost(&evtlog_ring, EVTLOG_LOST_NMI), 2);
	evtlog_drop_nmi();
	end();
	assert_int_equal(next()->lost[EVTLOG_LOST_NMI], 3);
	assert_int_equal(evtlog_ring_lost(&evtlog_ring, EVTLOG_LOST_NMI), 3);
}

static void an_nmis_event_of_a_cpu_without_events_is_told(void **state)
{
	const struct evtlog_clock_set clock = { .ticks = now + 5 };

	publish(3);
	evtlog_drop_nmi();
	evtlog_ring_end_unused(&evtlog_ring, 3, &clock);
	evtlog_drop_nmi();
	evtlog_ring_finish(&evtlog_ring, 1);
	assert_int_equal(next()->run, 3);
	assert_int_equal(next()->lost[EVTLOG_LOST_NMI], 1);
}

static void an_nmis_event_behind_the_end_is_not_told_though_no_buffer_was_free(void **state)
{
	begin(1);
	write_many(2 * WORDS + 1);
	evtlog_drop_nmi();
	end();
	evtlog_drop_nmi();
	next();
	give_back();
	evtlog_ring_finish(&evtlog_ring, 1);
	next();
	give_back();
	assert_int_equal(next()->lost[EVTLOG_LOST_FULL], 1);
	assert_int_equal(next()->lost[EVTLOG_LOST_NMI], 1);
}

/* Sums over a log with probes in the ring's own slow path */
struct sums {
	unsigned int own, probed, nested, full;
};

static void add_buffer(struct sums *sums, u32 *next_own)
{
	const struct evtlog_buffer_header *h = next();
	struct reading reading;
	struct record record;
	u64 before = h->begin_ticks;

	assert_null(reading_begin(&reading, h, evtlog_ring.buffer_bytes));
	while (reading_next(&reading, &record) > 0) {
		assert_true(record.ticks >= before && record.ticks <= h->end_ticks);
		before = record.ticks;
		if (record.type == EVTLOG_TASK)
			assert_int_equal(record.word[1], record.data);
		if (record.type == EVTLOG_SCHED_SWITCH || record.type == EVTLOG_TASK) {
			/* Records lost without a free buffer are missing in between. */
			assert_true(record.data >= *next_own);
			*next_own = record.data + 1;
			sums->own++;
		} else if (record.type == EVTLOG_SCHED_WAKING) {
			sums->probed++;
		} else if (record.type == EVTLOG_SCHED_WAKEUP_NEW) {
			assert_int_equal(record.word[1], record.data);
			sums->probed++;
		}
	}
	sums->nested += h->lost[EVTLOG_LOST_NESTED];
	sums->full += h->lost[EVTLOG_LOST_FULL];
	give_back();
}

static void write_own(unsigned int i)
{
	u64 *record;

	if (i % 4 != 3) {
		evtlog_write_irqoff(EVTLOG_TAG(EVTLOG_SCHED_SWITCH, i));
		return;
	}
	/* Several words, so that words stay free where the record does not fit */
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_TASK, i), 7);
	if (record)
		record[1] = i;
}

/* Records of a probe, and records that it interrupts, are neither missing nor repeated. */
static void expect_all_told(enum probe where, unsigned int records, bool read_at_once)
{
	struct sums sums = { 0 };
	unsigned int i;
	u32 next_own = 0;

	begin(1);
	probe = where;
	for (i = 0; i < records; i++) {
		now++;
		write_own(i);
		while (read_at_once && evtlog_ring_waiting(&evtlog_ring))
			add_buffer(&sums, &next_own);
	}
	probe = NO_PROBE;
	end();
	while (evtlog_ring_waiting(&evtlog_ring)) {
		add_buffer(&sums, &next_own);
		if (evtlog_ring.final_due)
			evtlog_ring_finish(&evtlog_ring, 1);
	}
	assert_true(probed);
	assert_int_equal(sums.own + sums.probed + sums.nested + sums.full, records + probed);
	assert_int_equal(evtlog_ring.total_lost[EVTLOG_LOST_NESTED], sums.nested);
	assert_int_equal(evtlog_ring.total_lost[EVTLOG_LOST_FULL], sums.full);
	if (read_at_once)
		assert_int_equal(sums.own, records);
	assert_false(evtlog_ring.busy);
}

static void a_probe_in_the_ring_s_clock_loses_only_its_own_records(void **state)
{
	expect_all_told(IN_CLOCK, 10 * WORDS + 3, true);
}

static void a_probe_in_the_context_loses_only_its_own_records(void **state)
{
	expect_all_told(IN_CONTEXT, 10 * WORDS + 3, true);
}

static void a_probe_in_handing_over_loses_only_its_own_records(void **state)
{
	expect_all_told(IN_HANDING_OVER, 10 * WORDS + 3, true);
}

static void probes_while_buffers_are_full_are_all_told(void **state)
{
	enum probe where;

	for (where = IN_CLOCK; where <= IN_HANDING_OVER; where++) {
		teardown(state);
		make(2);
		expect_all_told(where, 5 * WORDS, false);
	}
}

static void probes_at_the_end_are_all_told(void **state)
{
	struct sums sums;
	u32 next_own;
	enum probe where;

	for (where = IN_CLOCK; where <= IN_HANDING_OVER; where++) {
		teardown(state);
		make(2);
		memset(&sums, 0, sizeof(sums));
		next_own = 0;
		begin(1);
		evtlog_write_irqoff(EVTLOG_TAG(EVTLOG_SCHED_SWITCH, 0));
		probe = where;
		/* As in join.c: within the slow path */
		evtlog_ring.busy = true;
		evtlog_ring_end(&evtlog_ring);
		evtlog_ring.busy = false;
		evtlog_ring_finish(&evtlog_ring, 1);
		add_buffer(&sums, &next_own);
		assert_int_equal(sums.own, 1);
		assert_int_equal(sums.probed + sums.nested, where == IN_CLOCK ? probed : 0);
		assert_int_equal(evtlog_ring_waiting(&evtlog_ring), 0);
	}
}

int main(void)
{
	const struct CMUnitTest claims[] = {
		CLAIM(a_loss_is_told_with_its_number_and_times),
		CLAIM(the_end_tells_a_loss_though_no_buffer_was_free),
		CLAIM(a_record_larger_than_a_buffer_is_told_as_lost),
		CLAIM(an_nmis_events_are_counted_in_the_buffer_of_their_time),
		CLAIM(an_nmis_event_between_runs_is_in_neither),
		CLAIM(an_nmis_event_before_a_cpus_first_record_is_of_the_run),
		CLAIM(an_nmis_event_of_a_cpu_without_events_is_told),
		CLAIM(an_nmis_event_behind_the_end_is_not_told_though_no_buffer_was_free),
		CLAIM(a_probe_in_the_ring_s_clock_loses_only_its_own_records),
		CLAIM(a_probe_in_the_context_loses_only_its_own_records),
		CLAIM(a_probe_in_handing_over_loses_only_its_own_records),
		CLAIM(probes_while_buffers_are_full_are_all_told),
		CLAIM(probes_at_the_end_are_all_told),
	};

	return cmocka_run_group_tests(claims, NULL, NULL);
}
