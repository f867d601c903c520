// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A probe writes records from functions that the ring calls in its slow path: the clock, the
 * context, handing over. Its records, and records that it interrupts, are read in order, or counted
 * as lost: none is missing or repeated.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "ring.h"

#include "expect.h"
#include "ring_read.h"

#define BUFFERS		2
#define BUFFER_WORDS	16

static u64 now;

/* The call in which a probe writes, and the number of its attempts */
enum probe { NO_PROBE, IN_CLOCK, IN_CONTEXT, IN_HANDING_OVER };
static enum probe probe;
static unsigned int probed, depth;

/* Sums over a log */
static struct {
	unsigned int own, probed, nested, full;
	u32 next_own;
} sums;

void fail(const char *format, ...)
{
	va_list list;

	printf("FAIL: a probe in call %d: ", probe);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n");
	exit(1);
}

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

/* Called by the ring */

u64 shim_ticks(void)
{
	return now;
}

void evtlog_clock_set_read(struct evtlog_clock_set *set)
{
	call_probe(IN_CLOCK);
	*set = (struct evtlog_clock_set){ .ticks = now, .raw_ns = now + 1 };
	/* Functions that are called for the clocks after the ticks */
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
	call_probe(IN_HANDING_OVER);
}

/* Makes a ring of small buffers, which begins run 1, interrupts off. */
static void begin(void)
{
	unsigned int i;

	memset(&evtlog_ring, 0, sizeof(evtlog_ring));
	memset(&sums, 0, sizeof(sums));
	evtlog_ring.nr_buffers = BUFFERS;
	evtlog_ring.buffer_bytes = sizeof(struct evtlog_buffer_header) + 8 * BUFFER_WORDS;
	for (i = 0; i < BUFFERS; i++) {
		evtlog_ring.buffer[i] = malloc(evtlog_ring.buffer_bytes);
		expect(evtlog_ring.buffer[i]);
		memset(evtlog_ring.buffer[i], 0xff, evtlog_ring.buffer_bytes);
	}
	now = 0x500000000;
	probe = NO_PROBE;
	probed = depth = 0;
	shim_irqs_off = 1;
	evtlog_epoch = evtlog_ring.epoch = 1ULL << EVTLOG_EPOCH_RUN_SHIFT;
	evtlog_ring_begin(&evtlog_ring, 1);
}

static void free_ring(void)
{
	unsigned int i;

	for (i = 0; i < BUFFERS; i++)
		free(evtlog_ring.buffer[i]);
}

static void add_buffer(void)
{
	const struct evtlog_buffer_header *h = evtlog_ring_peek(&evtlog_ring, NULL);
	struct reading reading;
	struct record record;
	u64 before;

	expect(h && !reading_begin(&reading, h, evtlog_ring.buffer_bytes));
	before = h->begin_ticks;
	while (reading_next(&reading, &record) > 0) {
		expect(record.ticks >= before && record.ticks <= h->end_ticks);
		before = record.ticks;
		if (record.type == EVTLOG_TASK || record.type == EVTLOG_SCHED_WAKEUP_NEW)
			expect_equal(record.word[1], record.data);
		if (record.type == EVTLOG_SCHED_SWITCH || record.type == EVTLOG_TASK) {
			/* Records lost without a free buffer are missing in between. */
			expect(record.data >= sums.next_own);
			sums.next_own = record.data + 1;
			sums.own++;
		} else if (record.type == EVTLOG_SCHED_WAKING ||
			   record.type == EVTLOG_SCHED_WAKEUP_NEW) {
			sums.probed++;
		}
	}
	sums.nested += h->lost[EVTLOG_LOST_NESTED];
	sums.full += h->lost[EVTLOG_LOST_FULL];
	evtlog_ring_release(&evtlog_ring);
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

/* A reader that is fast enough finds all records that the probe interrupted. */
static void try_run(enum probe where, unsigned int records, bool read_at_once)
{
	unsigned int i;

	begin();
	probe = where;
	for (i = 0; i < records; i++) {
		now++;
		write_own(i);
		while (read_at_once && evtlog_ring_waiting(&evtlog_ring))
			add_buffer();
	}
	probe = NO_PROBE;
	evtlog_ring_end(&evtlog_ring);
	evtlog_ring_finish(&evtlog_ring, 1);
	while (evtlog_ring_waiting(&evtlog_ring)) {
		add_buffer();
		if (evtlog_ring.final_due)
			evtlog_ring_finish(&evtlog_ring, 1);
	}
	expect(probed);
	expect_equal(sums.own + sums.probed + sums.nested + sums.full, records + probed);
	expect_equal(evtlog_ring.total_lost[EVTLOG_LOST_NESTED], sums.nested);
	expect_equal(evtlog_ring.total_lost[EVTLOG_LOST_FULL], sums.full);
	if (read_at_once)
		expect_equal(sums.own, records);
	expect(!evtlog_ring.busy);
	free_ring();
}

static void try_end(enum probe where)
{
	begin();
	evtlog_write_irqoff(EVTLOG_TAG(EVTLOG_SCHED_SWITCH, 0));
	probe = where;
	/* As in join.c: within the slow path */
	evtlog_ring.busy = true;
	evtlog_ring_end(&evtlog_ring);
	evtlog_ring.busy = false;
	evtlog_ring_finish(&evtlog_ring, 1);
	add_buffer();
	expect_equal(sums.own, 1);
	expect_equal(sums.probed + sums.nested, where == IN_CLOCK ? probed : 0);
	expect_equal(evtlog_ring_waiting(&evtlog_ring), 0);
	free_ring();
}

int main(void)
{
	enum probe where;

	for (where = IN_CLOCK; where <= IN_HANDING_OVER; where++) {
		try_run(where, 10 * BUFFER_WORDS + 3, true);
		try_run(where, 5 * BUFFER_WORDS, false);
		try_end(where);
	}
	return 0;
}
