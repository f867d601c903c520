// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What ring.h and abi.h claim, one claim a test, with a clock that stands still
 * unless it is moved. The random tests find what nobody thought of; this says
 * by name what must hold.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "context.h"
#include "ring.h"

#include "ring_read.h"

#define WORDS	16
#define TAG	EVTLOG_TAG(EVTLOG_SCHED_SWITCH, 42)

static u64 now;
static unsigned int handed_over;

/* Where a probe in what the ring calls writes records itself. */
enum probe { NO_PROBE, IN_CLOCK, IN_CONTEXT, IN_HANDING_OVER };
static enum probe probe;
static unsigned int probed, depth;

static void call_probe(enum probe here)
{
	if (here != probe || depth)
		return;
	depth++;
	now++;
	evtlog_write_irqoff(EVTLOG_TAG(EVTLOG_SCHED_WAKING, probed++));
	now++;
	if (evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_SCHED_WAKEUP_NEW, probed++), 2)) {
		u64 *pos = this_cpu_read(evtlog_ring.pos);

		pos[-1] = probed - 1;
	}
	now++;
	depth--;
}

u64 shim_ticks(void)
{
	return now;
}

void evtlog_clock_set_read(struct evtlog_clock_set *set)
{
	call_probe(IN_CLOCK);
	*set = (struct evtlog_clock_set){ .ticks = now, .raw_ns = now + 1 };
	/* What is called for the clocks behind the ticks. */
	call_probe(IN_CLOCK);
}

u64 evtlog_ticks_hz(void)
{
	return 2400000000;
}

bool evtlog_ticks_trusted(void)
{
	return true;
}

void evtlog_context_fill(struct evtlog_buffer_header *h)
{
	call_probe(IN_CONTEXT);
	h->begin_pid = 7;
}

void evtlog_ring_handed_over(struct evtlog_ring *ring)
{
	handed_over++;
	call_probe(IN_HANDING_OVER);
}

static void make(unsigned int buffers)
{
	unsigned int i;

	memset(&evtlog_ring, 0, sizeof(evtlog_ring));
	evtlog_epoch = 0;
	evtlog_ring.cpu = 5;
	evtlog_ring.buffer_bytes = sizeof(struct evtlog_buffer_header) + 8 * WORDS;
	for (i = 0; i < buffers; i++) {
		evtlog_ring.buffer[i] = malloc(evtlog_ring.buffer_bytes);
		assert_non_null(evtlog_ring.buffer[i]);
		memset(evtlog_ring.buffer[i], 0xff, evtlog_ring.buffer_bytes);
	}
	evtlog_ring.nr_buffers = buffers;
	now = 0x500000000;
	handed_over = 0;
	probe = NO_PROBE;
	probed = depth = 0;
	shim_irqs_off = 1;
}

static int setup(void **state)
{
	make(2);
	return 0;
}

static int teardown(void **state)
{
	unsigned int i;

	for (i = 0; i < evtlog_ring.nr_buffers; i++)
		free(evtlog_ring.buffer[i]);
	shim_irqs_off = 0;
	return 0;
}

/* What this CPU does from now on is of this run. */
static void publish(u64 run)
{
	evtlog_epoch = evtlog_ring.epoch = run << EVTLOG_EPOCH_RUN_SHIFT;
}

static void begin(u64 run)
{
	publish(run);
	evtlog_ring_begin(&evtlog_ring, run);
}

static void end(void)
{
	evtlog_ring_end(&evtlog_ring);
	evtlog_ring_finish(&evtlog_ring, 1);
}

static void write_many(unsigned int n)
{
	while (n--)
		evtlog_write_irqoff(TAG);
}

/* The oldest full buffer; there must be one. */
static const struct evtlog_buffer_header *next(void)
{
	const struct evtlog_buffer_header *h = evtlog_ring_peek(&evtlog_ring, NULL);

	assert_non_null(h);
	return h;
}

static void give_back(void)
{
	evtlog_ring_release(&evtlog_ring);
}

static struct record nth(const struct evtlog_buffer_header *h, unsigned int n)
{
	struct reading reading;
	struct record record;

	assert_null(reading_begin(&reading, h, evtlog_ring.buffer_bytes));
	do {
		assert_int_equal(reading_next(&reading, &record), 1);
	} while (n--);
	return record;
}

static unsigned int nr_records(const struct evtlog_buffer_header *h)
{
	struct reading reading;
	struct record record;
	unsigned int n = 0;

	assert_null(reading_begin(&reading, h, evtlog_ring.buffer_bytes));
	while (reading_next(&reading, &record) > 0)
		n++;
	return n;
}

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
	assert_true(offsetof(struct evtlog_ring, came_late) + 1 <= 64);
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
	/* One that comes now goes to the next buffer, and so behind it. */
	write_many(1);
	expect_position(3, 1, start + 8);
	write_many(WORDS);
	/* All are full: where the loss will be told. */
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

/* What a log with probes in the ring's own slow way adds up to. */
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
			/* Those that are lost for want of buffers are not in between. */
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
	/* Of several words, so that some are left where it has no place. */
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_TASK, i), 7);
	if (record)
		record[1] = i;
}

/* No record of a probe vanishes or comes twice, nor does one that it interrupts. */
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
		/* As join.c does: from within the slow way. */
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

#define CLAIM(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

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
		CLAIM(a_loss_is_told_with_its_number_and_times),
		CLAIM(the_end_tells_a_loss_though_no_buffer_was_free),
		CLAIM(a_record_larger_than_a_buffer_is_told_as_lost),
		CLAIM(an_nmis_events_are_counted_in_the_buffer_of_their_time),
		CLAIM(an_nmis_event_between_runs_is_in_neither),
		CLAIM(an_nmis_event_before_a_cpus_first_record_is_of_the_run),
		CLAIM(an_nmis_event_of_a_cpu_without_events_is_told),
		CLAIM(an_nmis_event_behind_the_end_is_not_told_though_no_buffer_was_free),
		CLAIM(a_cpu_that_comes_back_goes_on_counting),
		CLAIM(a_new_run_counts_from_zero),
		CLAIM(nothing_is_written_or_lost_while_no_run_records),
		CLAIM(a_final_buffer_waits_until_it_knows_all_cpus),
		CLAIM(place_is_promised_only_where_there_is_some),
		CLAIM(a_reader_gets_the_slot_it_maps),
		CLAIM(a_position_is_where_the_next_record_goes),
		CLAIM(three_buffers_take_turns_beyond_32_bits),
		CLAIM(a_reserved_record_knows_its_full_time),
		CLAIM(a_probe_in_the_ring_s_clock_loses_only_its_own_records),
		CLAIM(a_probe_in_the_context_loses_only_its_own_records),
		CLAIM(a_probe_in_handing_over_loses_only_its_own_records),
		CLAIM(probes_while_buffers_are_full_are_all_told),
		CLAIM(probes_at_the_end_are_all_told),
	};

	return cmocka_run_group_tests(claims, NULL, NULL);
}
