// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares the ring with its model: random writers, readers, runs, clocks and NMIs.
 *
 * Everything happens in one thread, so a seed repeats it exactly. Each buffer from the ring is
 * compared with the predicted buffer in every field and record, and again when it is given back.
 * Per run, records written must be records read plus records reported as lost. ring_steps.c tests
 * interrupts at any instruction, ring_threads.c a reader on another CPU, ring_probes.c probes within
 * the ring.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "ring.h"

#include "expect.h"
#include "limits.h"
#include "random.h"
#include "ring_judge.h"
#include "ring_model.h"
#include "ring_read.h"

#define CANARY_BYTES	64
#define CANARY		0x5a

static struct random rng;
static struct limits limits = { .ops = 20 * 1000 * 1000 };
static u64 op;

static struct model model;
static u8 *memory[EVTLOG_BUFFERS_MAX];
static void *held_copy;
static bool held;
static u32 next_slot;
static u64 serial;

/* A record touches one cache line of the ring; writer and reader do not share theirs. */
#define LINE_OF(member)	(offsetof(struct evtlog_ring, member) / 64)
_Static_assert(LINE_OF(softirqs_due) == 0 && LINE_OF(run) == 1, "the fast writers' line");
_Static_assert(offsetof(struct evtlog_ring, head) % 64 == 0 &&
	       offsetof(struct evtlog_ring, tail) % 64 == 0 && LINE_OF(head) != LINE_OF(tail),
	       "lines of head and tail");

/* Rates of this episode: one in this number */
static struct {
	u32 read, release, nmi_inside, nmi, jump, stop, flush, large, event;
} rarity;
static bool reader_stalled;

/* What has happened at all: a test without losses proves little about losses. */
static struct {
	u64 nmis, due, runs, returns, late_unread, counter_wraps, boundary,
	    episodes, full, placed;
} seen;

static u64 now;
static u64 reads_to_jump;
static u64 handed_over;

void fail(const char *format, ...)
{
	va_list list;

	printf("FAIL: seed 0x%llx, operation %llu: ", (unsigned long long)limits.seed,
	       (unsigned long long)op);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n");
	exit(1);
}

static void nmi(void)
{
	shim_nmi_depth++;
	evtlog_drop_nmi();
	shim_nmi_depth--;
	model.nmis++;
	seen.nmis++;
}

static void perhaps_nmi(void)
{
	if (random_one_in(&rng, rarity.nmi_inside))
		nmi();
}

static void clock_jump(void)
{
	const u64 upper = 1ULL << 32;

	switch (random_below(&rng, 6)) {
	case 0:
		now |= upper - 1;
		now -= random_below(&rng, 4);
		break;
	case 1:
		now += upper;
		break;
	case 2:
		now += upper * (2 + random_below(&rng, 1000));
		break;
	case 3:
		now += upper - 1 - random_below(&rng, 1000);
		break;
	case 4:
		now = (now | (upper - 1)) + 1;
		break;
	default:
		now += random_next(&rng) >> 28;
		break;
	}
}

/* Called by the ring */

u64 shim_ticks(void)
{
	u64 before = now;

	perhaps_nmi();
	now += random_below(&rng, 200);
	if (!--reads_to_jump) {
		u64 slow = now;

		clock_jump();
		if (now < slow)
			now = slow;
		reads_to_jump = 1 + random_below(&rng, 2 * rarity.jump);
	}
	expect(now >= before);
	return now;
}

void evtlog_clock_set_read(struct evtlog_clock_set *set)
{
	set->ticks = shim_ticks();
	set->width_ticks = random_below(&rng, 1000);
	set->tai_offset_s = (s32)random_below(&rng, 100) - 50;
	set->raw_ns = random_next(&rng);
	set->real_ns = random_next(&rng);
	perhaps_nmi();
	model_clock_was_read(&model, set);
}

u64 evtlog_ticks_hz(void)
{
	return JUDGE_TICKS_HZ;
}

bool evtlog_ticks_trusted(void)
{
	return judge_ticks_trusted;
}

void evtlog_context_fill(struct evtlog_buffer_header *h)
{
	perhaps_nmi();
	h->begin_pid = judge_begin_pid(h->sequence);
}

void evtlog_ring_handed_over(struct evtlog_ring *r)
{
	expect(r == &evtlog_ring);
	perhaps_nmi();
	handed_over++;
}

/* Reading */

/* Takes the oldest full buffer, if any, and checks it. */
static bool reader_take(void)
{
	const struct evtlog_buffer_header *h;
	u32 slot = ~0U;

	h = evtlog_ring_peek(&evtlog_ring, &slot);
	expect_equal(!!h, !!model.full);
	if (!h)
		return false;
	expect_equal(slot, next_slot);
	expect(h == evtlog_ring.buffer[slot]);
	judge_buffer(h, evtlog_ring.buffer_bytes, model.full, model.nmis);
	memcpy(held_copy, h, evtlog_ring.buffer_bytes);
	held = true;
	return true;
}

/* The reader's buffer must be unchanged. */
static void reader_give_back(void)
{
	const struct evtlog_buffer_header *h = evtlog_ring_peek(&evtlog_ring, NULL);

	expect(h);
	expect(!memcmp(h, held_copy, evtlog_ring.buffer_bytes));
	if ((u32)evtlog_ring.tail == ~0U)
		seen.counter_wraps++;
	/* The buffer belongs to the writer again: fill it with random bytes. */
	memset((void *)h, random_below(&rng, 256), evtlog_ring.buffer_bytes);
	evtlog_ring_release(&evtlog_ring);
	model_release(&model);
	next_slot = (next_slot + 1) % evtlog_ring.nr_buffers;
	held = false;
}

static void finish(void)
{
	u32 cpus = 1 + random_below(&rng, 1000);

	evtlog_ring_finish(&evtlog_ring, cpus);
	model_finish(&model, cpus);
}

static void reader_step(void)
{
	if (reader_stalled)
		return;
	if (!held) {
		if (random_one_in(&rng, rarity.read))
			reader_take();
	} else if (random_one_in(&rng, rarity.release)) {
		reader_give_back();
		if (evtlog_ring.final_due && random_one_in(&rng, 2)) {
			seen.due++;
			finish();
		}
	}
}

/* Writing */

/* An EVENT can have any size. */
static u32 random_words(u32 type)
{
	if (type != EVTLOG_EVENT)
		return record_words(type);
	return random_one_in(&rng, 8) ? RECORD_EVENT_WORDS - random_below(&rng, 2) :
	       1 + random_below(&rng, random_one_in(&rng, 2) ? 16 : RECORD_EVENT_WORDS);
}

static u32 random_type(void)
{
	if (random_one_in(&rng, rarity.event))
		return EVTLOG_EVENT;
	if (random_one_in(&rng, rarity.large))
		return RECORD_LARGE + random_below(&rng, 2);
	if (random_one_in(&rng, 4))
		return RECORD_SIZED + 1 +
		       random_below(&rng, RECORD_LARGE - RECORD_SIZED - 1);
	return EVTLOG_SCHED_SWITCH + random_below(&rng, 26);
}

static u64 *write_one_word(u32 tag)
{
	unsigned long flags;

	switch (random_below(&rng, 3)) {
	case 0:
		evtlog_write(tag);
		break;
	case 1:
		evtlog_write_irqon(tag);
		break;
	default:
		raw_local_irq_save(flags);
		evtlog_write_irqoff(tag);
		raw_local_irq_restore(flags);
	}
	return NULL;
}

static u64 *write_words(u32 tag, u32 words)
{
	unsigned long flags;
	u64 *record;
	u32 i;

	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(tag, words);
	if (record) {
		expect_equal(evtlog_record_ticks(record), now);
		for (i = 1; i < words; i++)
			record[i] = judge_payload(serial, i);
	}
	raw_local_irq_restore(flags);
	return record;
}

static void write_record(void)
{
	u32 type = random_type(), words = random_words(type);
	u32 tag = EVTLOG_TAG(type, judge_data(type, serial, words));
	bool has_place, one = words == 1 && !random_one_in(&rng, 4), written;
	u64 *record;

	has_place = evtlog_ring_has_place(&evtlog_ring, words);
	record = one ? write_one_word(tag) : write_words(tag, words);
	if (model.recording)
		judge_attempt(model.run);
	written = model_write(&model, type, words, serial, now);
	if (!one)
		expect_equal(!!record, written);
	/* After the two records that may open a buffer */
	if (has_place && model.recording && words + 6 <= model.buffer_words)
		expect(written);
	seen.placed += has_place && written;
	seen.full += !has_place && model.recording && !written;
	if (evtlog_ring.pos && evtlog_ring.pos == evtlog_ring.end)
		seen.boundary++;
	serial++;
}

/* Runs */

static void begin(u64 run)
{
	u64 nmis = model.nmis;
	bool new = !model.in_run;

	if (new) {
		judge_run_begins(run, nmis);
		seen.runs++;
	} else {
		seen.returns++;
	}
	shim_irqs_off = 1;
	evtlog_epoch = evtlog_ring.epoch = run << EVTLOG_EPOCH_RUN_SHIFT;
	/* This NMI belongs to the run, but precedes the CPU's first record. */
	perhaps_nmi();
	if (random_one_in(&rng, 3)) {
		evtlog_ring_arm(&evtlog_ring, run);
		model_arm(&model, run, nmis);
	} else {
		evtlog_ring_begin(&evtlog_ring, run);
		model_begin(&model, run, nmis);
	}
	shim_irqs_off = 0;
}

static void flush(void)
{
	shim_irqs_off = 1;
	evtlog_ring_flush(&evtlog_ring);
	shim_irqs_off = 0;
	model_flush(&model);
}

static void end(void)
{
	shim_irqs_off = 1;
	evtlog_ring_end(&evtlog_ring);
	shim_irqs_off = 0;
	model_end(&model);
	if (model.final_due)
		seen.late_unread++;
}

static void run_step(void)
{
	if (model.recording) {
		if (random_one_in(&rng, rarity.stop))
			end();
		else if (random_one_in(&rng, rarity.flush))
			flush();
	} else if (!model.in_run) {
		if (random_one_in(&rng, 8))
			begin(model.run + 1);
	} else if (model.final || model.final_due) {
		if (random_one_in(&rng, 8))
			finish();
	} else if (random_one_in(&rng, 8)) {
		begin(model.run);
	} else if (random_one_in(&rng, 16)) {
		end();
	}
}

static void compare_position(void)
{
	const struct evtlog_position wanted = model_position(&model);
	struct evtlog_position got;

	memset(&got, 0xff, sizeof(got));
	evtlog_ring_position(&evtlog_ring, &got);
	expect_equal(got.run, wanted.run);
	expect_equal(got.sequence, wanted.sequence);
	expect_equal(got.offset, wanted.offset);
	expect_equal(got.reserved, 0);
	expect_equal(got.ticks, now);
}

static void compare_states(void)
{
	const struct evtlog_ring *r = &evtlog_ring;

	expect_equal(model.nr_clocks, 0);
	expect_equal(r->recording, model.recording);
	expect_equal(r->in_run, model.in_run);
	expect_equal(r->final_due, model.final_due);
	expect_equal(evtlog_ring_waiting(r), model.nr_full);
	expect_equal(handed_over, model.handed_over);
	expect_equal(r->total_lost[EVTLOG_LOST_FULL], model.total_full);
	expect_equal(r->total_lost[EVTLOG_LOST_NMI], model.total_nmi);
	expect_equal(evtlog_ring_lost(r, EVTLOG_LOST_FULL), model.total_full);
	expect_equal(evtlog_ring_lost(r, EVTLOG_LOST_NMI), model_lost_nmis(&model));
	expect_equal(r->total_bytes, model.total_bytes);
	expect_equal(r->total_buffers, model.total_buffers);
}

static void step(void)
{
	op++;
	if (random_one_in(&rng, 1000))
		reader_stalled = random_one_in(&rng, 2);
	reader_step();
	run_step();
	if (random_one_in(&rng, rarity.nmi))
		nmi();
	write_record();
	compare_states();
	if (random_one_in(&rng, 8))
		compare_position();
}

/* Episodes: each has another geometry and other rates */

static u32 some(const u32 *choices, u32 n)
{
	return choices[random_below(&rng, n)];
}
#define SOME(...) some((const u32[]){ __VA_ARGS__ }, \
		       sizeof((u32[]){ __VA_ARGS__ }) / sizeof(u32))

static void ring_make(void)
{
	struct evtlog_ring *r = &evtlog_ring;
	u64 start = random_one_in(&rng, 2) ?
		    (1ULL << 32) - random_below(&rng, 200) :
		    random_below(&rng, 1000);
	u32 i, words;

	/* A buffer must have room for a LOST record. */
	words = random_one_in(&rng, 3) ? 4 + random_below(&rng, 12) :
		SOME(16, 33, 64, 128, 256, 480, 992);
	memset(r, 0, sizeof(*r));
	r->cpu = JUDGE_CPU;
	r->nr_buffers = SOME(2, 2, 2, 3, 4, 5, 7, 8, 13, 64);
	r->buffer_bytes = sizeof(struct evtlog_buffer_header) + 8 * words;
	r->head = r->tail = r->closed = start;
	for (i = 0; i < r->nr_buffers; i++) {
		memory[i] = malloc(r->buffer_bytes + 2 * CANARY_BYTES);
		if (!memory[i])
			fail("out of memory");
		memset(memory[i], CANARY, r->buffer_bytes + 2 * CANARY_BYTES);
		r->buffer[i] = memory[i] + CANARY_BYTES;
	}
	next_slot = start % r->nr_buffers;
	expect((uintptr_t)r % 64 == 0);
	held_copy = malloc(r->buffer_bytes);
	if (!held_copy)
		fail("out of memory");
	model_init(&model, r->nr_buffers, words);
	for (i = 0; i < sizeof(evtlog_boot_id); i++)
		evtlog_boot_id[i] = (u8)random_next(&rng);
	handed_over = 0;
	held = false;
	reader_stalled = false;
}

static void ring_destroy(void)
{
	const struct evtlog_ring *r = &evtlog_ring;
	u32 i, k;

	for (i = 0; i < r->nr_buffers; i++) {
		for (k = 0; k < CANARY_BYTES; k++) {
			expect_equal(memory[i][k], CANARY);
			expect_equal(memory[i][CANARY_BYTES +
					       r->buffer_bytes + k], CANARY);
		}
		free(memory[i]);
	}
	free(held_copy);
	model_finalise(&model);
}

static void read_the_rest(void)
{
	if (held)
		reader_give_back();
	while (reader_take())
		reader_give_back();
}

static void episode(u32 steps)
{
	rarity.read = SOME(1, 1, 3, 10, 100);
	rarity.release = SOME(1, 1, 3, 10, 100, 1000);
	rarity.nmi_inside = SOME(5, 100, 10000);
	rarity.nmi = SOME(10, 1000);
	rarity.jump = SOME(3, 20, 300, 10000);
	rarity.stop = SOME(100, 2000, 100000);
	rarity.flush = SOME(100, 2000, 100000);
	rarity.large = SOME(10, 1000, 100000);
	rarity.event = SOME(2, 8, 100, 100000);
	reads_to_jump = 1;
	now = random_next(&rng) >> 8;
	judge_ticks_trusted = random_one_in(&rng, 2);

	ring_make();
	begin(1);
	while (steps--)
		step();
	if (model.in_run) {
		if (!model.final && !model.final_due)
			end();
		finish();
	}
	read_the_rest();
	if (model.in_run)
		finish();
	read_the_rest();
	expect(!model.in_run);
	compare_states();
	ring_destroy();
	seen.episodes++;
}

int main(int argc, char **argv)
{
	limits_parse(&limits, argc, argv);
	rng.state = limits.seed;
	do {
		u32 steps = 1000 + random_below(&rng, 40000);

		if (limits.seconds == 0 && steps > limits.ops - op)
			steps = limits.ops - op;
		episode(steps);
	} while (limits.seconds > 0 ? limits_elapsed() < limits.seconds :
		 op < limits.ops);

	printf("%llu operations in %.1f s, %llu episodes, %llu runs\n"
	       "read %llu records, %llu EVENTs, %llu of them of %u words\n"
	       "%llu full times, %llu buffers, %llu of them final\n"
	       "lost %llu records in %llu gaps, %llu NMIs; %llu runs ended without a buffer\n"
	       "filled to the last word %llu times, counters went past 32 bits %llu times\n",
	       (unsigned long long)op, limits_elapsed(),
	       (unsigned long long)seen.episodes, (unsigned long long)seen.runs,
	       (unsigned long long)judge_seen.records, (unsigned long long)judge_seen.events,
	       (unsigned long long)judge_seen.largest, RECORD_EVENT_WORDS,
	       (unsigned long long)judge_seen.times,
	       (unsigned long long)judge_seen.buffers, (unsigned long long)judge_seen.finals,
	       (unsigned long long)judge_seen.lost, (unsigned long long)judge_seen.losses,
	       (unsigned long long)seen.nmis,
	       (unsigned long long)seen.late_unread,
	       (unsigned long long)seen.boundary,
	       (unsigned long long)seen.counter_wraps);
	if (op >= 1000 * 1000) {
		expect(judge_seen.events && judge_seen.largest && judge_seen.times && judge_seen.losses && seen.nmis && seen.due &&
		       seen.full && seen.placed && seen.returns && seen.late_unread && seen.boundary);
	}
	return 0;
}
