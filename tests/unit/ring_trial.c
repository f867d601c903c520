// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A CPU's ring with a clock that the test moves
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "context.h"

#include "ring_trial.h"

u64 now;
unsigned int handed_over;

enum probe probe;
unsigned int probed;
static unsigned int depth;

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
	handed_over++;
	call_probe(IN_HANDING_OVER);
}

void make(unsigned int buffers)
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

int setup(void **state)
{
	make(2);
	return 0;
}

int teardown(void **state)
{
	unsigned int i;

	for (i = 0; i < evtlog_ring.nr_buffers; i++)
		free(evtlog_ring.buffer[i]);
	shim_irqs_off = 0;
	return 0;
}

/* From now on, this CPU's events belong to this run. */
void publish(u64 run)
{
	evtlog_epoch = evtlog_ring.epoch = run << EVTLOG_EPOCH_RUN_SHIFT;
}

void begin(u64 run)
{
	publish(run);
	evtlog_ring_begin(&evtlog_ring, run);
}

void end(void)
{
	evtlog_ring_end(&evtlog_ring);
	evtlog_ring_finish(&evtlog_ring, 1);
}

void write_many(unsigned int n)
{
	while (n--)
		evtlog_write_irqoff(TAG);
}

/* Returns the oldest full buffer; there must be one. */
const struct evtlog_buffer_header *next(void)
{
	const struct evtlog_buffer_header *h = evtlog_ring_peek(&evtlog_ring, NULL);

	assert_non_null(h);
	return h;
}

void give_back(void)
{
	evtlog_ring_release(&evtlog_ring);
}

struct record nth(const struct evtlog_buffer_header *h, unsigned int n)
{
	struct reading reading;
	struct record record;

	assert_null(reading_begin(&reading, h, evtlog_ring.buffer_bytes));
	do {
		assert_int_equal(reading_next(&reading, &record), 1);
	} while (n--);
	return record;
}

unsigned int nr_records(const struct evtlog_buffer_header *h)
{
	struct reading reading;
	struct record record;
	unsigned int n = 0;

	assert_null(reading_begin(&reading, h, evtlog_ring.buffer_bytes));
	while (reading_next(&reading, &record) > 0)
		n++;
	return n;
}
