// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The claims of ring.h and abi.h on records, buffers, runs and positions, one claim per test. The
 * random tests find unexpected cases; these tests name what must hold.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ring_trial.h"

static void a_switch_takes_eight_bytes(void **state)
{
	begin(1);
	write_many(3);
	end();
	assert_int_equal(next()->used_bytes, sizeof(struct evtlog_buffer_header) + 3 * 8);
}

static void a_record_touches_one_cache_line_of_the_ring(void **state)
{
	assert_int_equal((uintptr_t)&evtlog_ring % 64, 0);
	assert_true(offsetof(struct evtlog_ring, softirqs_due) + 1 <= 64);
	assert_int_equal(offsetof(struct evtlog_ring, run), 64);
	assert_int_equal(offsetof(struct evtlog_ring, head) % 64, 0);
	assert_int_equal(offsetof(struct evtlog_ring, tail) % 64, 0);
	assert_int_not_equal(offsetof(struct evtlog_ring, head) / 64,
			     offsetof(struct evtlog_ring, tail) / 64);
}

static void a_word_holds_ticks_type_and_data(void **state)
{
	begin(1);
	now = 0x5cafef00d;
	evtlog_write_irqoff(EVTLOG_TAG(EVTLOG_SOFTIRQ_ENTRY, EVTLOG_DATA_MAX));
	end();
	assert_int_equal(*nth(next(), 0).word, (u64)EVTLOG_DATA_MAX << 38 |
			 (u64)EVTLOG_SOFTIRQ_ENTRY << 32 | 0xcafef00d);
	assert_int_equal(nth(next(), 0).ticks, 0x5cafef00d);
}

static void the_first_buffer_says_what_and_when(void **state)
{
	const struct evtlog_buffer_header *h;

	begin(9);
	now += 10;
	end();
	h = next();
	assert_int_equal(h->magic, EVTLOG_BUFFER_MAGIC);
	assert_memory_equal(&h->magic, "EVTLOGB1", 8);
	assert_int_equal(h->flags, EVTLOG_BUFFER_FIRST | EVTLOG_BUFFER_FLUSHED |
			 EVTLOG_BUFFER_FINAL);
	assert_int_equal(h->cpu, 5);
	assert_int_equal(h->run, 9);
	assert_int_equal(h->sequence, 0);
	assert_int_equal(h->ticks_hz, 2400000000);
	assert_int_equal(h->begin_ticks, 0x500000000);
	assert_int_equal(h->end_ticks, 0x50000000a);
	assert_int_equal(h->begin.raw_ns, 0x500000001);
	assert_int_equal(h->end.raw_ns, 0x50000000b);
	assert_int_equal(h->begin_pid, 7);
	assert_int_equal(h->cpus_in_run, 1);
}

static void a_full_buffer_is_handed_over_at_once_when_the_next_record_comes(void **state)
{
	begin(1);
	write_many(WORDS);
	assert_int_equal(handed_over, 0);
	write_many(1);
	assert_int_equal(handed_over, 1);
	assert_int_equal(evtlog_ring_waiting(&evtlog_ring), 1);
	assert_int_equal(nr_records(next()), WORDS);
	assert_int_equal(next()->flags, EVTLOG_BUFFER_FIRST);
	end();
}

static void a_reader_sees_nothing_of_the_current_buffer(void **state)
{
	begin(1);
	write_many(WORDS);
	assert_null(evtlog_ring_peek(&evtlog_ring, NULL));
	end();
}

static void a_quiet_cpu_gives_the_full_time_first(void **state)
{
	const struct evtlog_buffer_header *h;

	begin(1);
	write_many(1);
	now += 7ULL << 32;
	write_many(2);
	end();
	h = next();
	assert_int_equal(nr_records(h), 4);
	assert_int_equal(nth(h, 1).type, EVTLOG_TIME);
	assert_int_equal(nth(h, 1).word[1], now);
	assert_int_equal(nth(h, 2).ticks, now);
	assert_int_equal(nth(h, 3).ticks, now);
}

static void a_cpu_that_comes_back_goes_on_counting(void **state)
{
	begin(1);
	write_many(1);
	evtlog_ring_flush(&evtlog_ring);
	write_many(1);
	assert_int_equal(next()->flags, EVTLOG_BUFFER_FIRST | EVTLOG_BUFFER_FLUSHED);
	assert_int_equal(nr_records(next()), 1);
	give_back();
	begin(1);
	write_many(1);
	end();
	assert_int_equal(next()->sequence, 1);
	assert_int_equal(next()->flags, EVTLOG_BUFFER_FLUSHED | EVTLOG_BUFFER_FINAL);
	assert_int_equal(next()->lost[EVTLOG_LOST_FULL], 0);
}

static void a_new_run_counts_from_zero(void **state)
{
	begin(1);
	write_many(3 * WORDS);
	end();
	do {
		next();
		give_back();
		if (evtlog_ring.final_due)
			evtlog_ring_finish(&evtlog_ring, 1);
	} while (evtlog_ring_waiting(&evtlog_ring));
	begin(2);
	assert_int_equal(evtlog_ring.total_lost[EVTLOG_LOST_FULL], 0);
	assert_int_equal(evtlog_ring.total_bytes, 0);
	end();
	assert_int_equal(next()->run, 2);
	assert_int_equal(next()->sequence, 0);
	assert_true(next()->flags & EVTLOG_BUFFER_FIRST);
}

static void nothing_is_written_or_lost_while_no_run_records(void **state)
{
	write_many(1);
	assert_null(evtlog_reserve_irqoff(TAG, 2));
	begin(1);
	end();
	assert_null(evtlog_reserve_irqoff(TAG, 2));
	assert_int_equal(nr_records(next()), 0);
	assert_int_equal(evtlog_ring.total_lost[EVTLOG_LOST_FULL], 0);
}

static void a_final_buffer_waits_until_it_knows_all_cpus(void **state)
{
	begin(1);
	evtlog_ring_end(&evtlog_ring);
	assert_null(evtlog_ring_peek(&evtlog_ring, NULL));
	evtlog_ring_finish(&evtlog_ring, 64);
	assert_int_equal(next()->cpus_in_run, 64);
}

static void place_is_promised_only_where_there_is_some(void **state)
{
	begin(1);
	assert_true(evtlog_ring_has_place(&evtlog_ring, 7));
	write_many(WORDS);
	assert_true(evtlog_ring_has_place(&evtlog_ring, 7));
	write_many(WORDS - 1);
	assert_false(evtlog_ring_has_place(&evtlog_ring, 7));
	next();
	give_back();
	assert_true(evtlog_ring_has_place(&evtlog_ring, 7));
	end();
}

static void a_reader_gets_the_slot_it_maps(void **state)
{
	u32 slot;

	begin(1);
	write_many(2 * WORDS + 1);
	assert_ptr_equal(evtlog_ring_peek(&evtlog_ring, &slot),
			 evtlog_ring.buffer[0]);
	assert_int_equal(slot, 0);
	give_back();
	assert_ptr_equal(evtlog_ring_peek(&evtlog_ring, &slot),
			 evtlog_ring.buffer[1]);
	assert_int_equal(slot, 1);
	end();
}

static void expect_position(u64 run, u64 sequence, u32 offset)
{
	struct evtlog_position p;

	memset(&p, 0xff, sizeof(p));
	evtlog_ring_position(&evtlog_ring, &p);
	assert_int_equal(p.run, run);
	assert_int_equal(p.sequence, sequence);
	assert_int_equal(p.offset, offset);
	assert_int_equal(p.reserved, 0);
	assert_int_equal(p.ticks, now);
}

static void a_position_is_where_the_next_record_goes(void **state)
{
	const u32 start = sizeof(struct evtlog_buffer_header);

	expect_position(0, 0, 0);
	begin(3);
	expect_position(3, 0, start);
	write_many(WORDS);
	expect_position(3, 0, start + 8 * WORDS);
	/* The next record goes to the next buffer, so its position is after this one. */
	write_many(1);
	expect_position(3, 1, start + 8);
	write_many(WORDS);
	/* All buffers are full: the position where the loss will be recorded */
	expect_position(3, 2, start);
	next();
	give_back();
	expect_position(3, 2, start);
	write_many(1);
	expect_position(3, 2, start + 8 * (4 + 1));
	end();
	expect_position(0, 0, 0);
}

static void three_buffers_take_turns_beyond_32_bits(void **state)
{
	unsigned int i;
	u32 slot, before;

	teardown(state);
	make(3);
	evtlog_ring.head = evtlog_ring.tail = evtlog_ring.closed = UINT32_MAX - 2ULL;
	before = (UINT32_MAX - 3ULL) % 3;
	begin(1);
	for (i = 0; i < 10; i++) {
		write_many(WORDS);
		evtlog_write_irqoff(TAG);
		assert_non_null(evtlog_ring_peek(&evtlog_ring, &slot));
		assert_int_equal(slot, (before + 1) % 3);
		before = slot;
		give_back();
	}
	end();
}

static void a_reserved_record_knows_its_full_time(void **state)
{
	u64 *record;

	begin(1);
	now += (3ULL << 32) + 5;
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_PUT, 1), 2);
	assert_non_null(record);
	assert_int_equal(evtlog_record_ticks(record), now);
	record[1] = 1;
	end();
}

int main(void)
{
	const struct CMUnitTest claims[] = {
		CLAIM(a_switch_takes_eight_bytes),
		CLAIM(a_record_touches_one_cache_line_of_the_ring),
		CLAIM(a_word_holds_ticks_type_and_data),
		CLAIM(the_first_buffer_says_what_and_when),
		CLAIM(a_full_buffer_is_handed_over_at_once_when_the_next_record_comes),
		CLAIM(a_reader_sees_nothing_of_the_current_buffer),
		CLAIM(a_quiet_cpu_gives_the_full_time_first),
		CLAIM(a_cpu_that_comes_back_goes_on_counting),
		CLAIM(a_new_run_counts_from_zero),
		CLAIM(nothing_is_written_or_lost_while_no_run_records),
		CLAIM(a_final_buffer_waits_until_it_knows_all_cpus),
		CLAIM(place_is_promised_only_where_there_is_some),
		CLAIM(a_reader_gets_the_slot_it_maps),
		CLAIM(a_position_is_where_the_next_record_goes),
		CLAIM(three_buffers_take_turns_beyond_32_bits),
		CLAIM(a_reserved_record_knows_its_full_time),
	};

	return cmocka_run_group_tests(claims, NULL, NULL);
}
