// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: every record written to a ring is read once, or reported as lost.
 *
 * No run records meanwhile, so the hooks are off and the test can use this CPU's ring.  Clock and
 * interrupts are real.  Tests in user space cover jumps of the clock and broken readers.
 *
 * "ring_kunit.seed=N" on the kernel's command line repeats a run.
 */
#include <kunit/test.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/vmalloc.h>

#include "buffers.h"
#include "proc.h"
#include "ring.h"
#include "run.h"

static unsigned int seed;
module_param(seed, uint, 0);
MODULE_PARM_DESC(seed, "what random trials start from; 0: a random number");

/* Types that abi.h does not use: SIZED + n has n words. */
#define SIZED		36
#define SIZED_MAX	24
#define LOG_ROOM	100000

/* A record that was written, or tried: its time is in [before, after]. */
struct attempt {
	u64 before;
	u64 after;
	u32 words;
};

struct trial {
	struct kunit *test;
	struct evtlog_ring *ring;
	struct rnd_state random;
	struct attempt *log;
	u32 tried;		/* records in @log */
	u32 judged;		/* of these, read or reported as lost */
	u32 told_lost;
	u64 nmis;
	u64 header_nmis;
	u64 header_lost;
	u64 sequence;
	u32 times;
	u32 finals;
	u32 wrong;
	struct hrtimer timer;
	u32 ticks;
};

#define FIRST_RUN	77

static u32 below(struct trial *t, u32 n)
{
	return prandom_u32_state(&t->random) % n;
}

/* Reports at most ten errors: a broken ring breaks every record. */
#define expect_equal(t, got, wanted)					\
do {									\
	u64 got_ = (got), wanted_ = (wanted);				\
	if (got_ != wanted_ && (t)->wrong++ < 10)			\
		KUNIT_FAIL((t)->test, "%s is %llu, %s is %llu\n",	\
			   #got, got_, #wanted, wanted_);		\
} while (0)

static u64 payload(u32 serial, u32 word)
{
	return (u64)serial * 0x9e3779b97f4a7c15ULL + word;
}

static bool ring_make(struct trial *t, u32 buffers, u32 words)
{
	struct evtlog_ring *r = t->ring;
	u32 i;

	memset(r, 0, sizeof(*r));
	r->cpu = smp_processor_id();
	r->buffer_bytes = sizeof(struct evtlog_buffer_header) + 8 * words;
	/* Near the end of 32 bits, because more than two buffers must survive an overflow. */
	r->head = r->tail = r->closed = U32_MAX - below(t, 100);
	for (i = 0; i < buffers; i++) {
		r->buffer[i] = kmalloc(r->buffer_bytes, GFP_KERNEL);
		if (!r->buffer[i])
			return false;
		r->nr_buffers++;
	}
	return true;
}

static void ring_destroy(struct evtlog_ring *r)
{
	u32 i;

	for (i = 0; i < r->nr_buffers; i++)
		kfree(r->buffer[i]);
	memset(r, 0, sizeof(*r));
}

/* From here to trial_end(), nothing sleeps except on the run's lock. */
static bool trial_begin(struct trial *t, struct kunit *test, u32 buffers, u32 words)
{
	memset(t, 0, sizeof(*t));
	t->test = test;
	if (!seed)
		seed = get_random_u32() | 1;
	prandom_seed_state(&t->random, seed);
	kunit_info(test, "seed %u\n", seed);

	t->log = vmalloc(LOG_ROOM * sizeof(*t->log));
	if (!t->log) {
		KUNIT_FAIL(test, "out of memory");
		return false;
	}
	rt_mutex_lock(&evtlog_run_lock);
	if (evtlog_run.recording || evtlog_proc_cpu_is_kept()) {
		KUNIT_FAIL(test, "a run records, or somebody reads");
		goto unlock;
	}
	evtlog_buffers_free_all();
	migrate_disable();
	t->ring = this_cpu_ptr(&evtlog_ring);
	if (ring_make(t, buffers, words))
		return true;
	KUNIT_FAIL(test, "out of memory");
	ring_destroy(t->ring);
	migrate_enable();
unlock:
	rt_mutex_unlock(&evtlog_run_lock);
	vfree(t->log);
	return false;
}

static void judge_record(struct trial *t, const u64 *record, u32 words, u64 ticks)
{
	const struct attempt *a = &t->log[t->judged];
	u32 i;

	if (t->judged >= t->tried) {
		expect_equal(t, t->judged, t->tried - 1);
		return;
	}
	expect_equal(t, *record >> EVTLOG_DATA_SHIFT,
		     t->judged & EVTLOG_DATA_MAX);
	expect_equal(t, words, a->words);
	expect_equal(t, ticks >= a->before && ticks <= a->after, true);
	for (i = 1; i < words; i++)
		expect_equal(t, record[i], payload(t->judged, i));
	t->judged++;
}

static void judge_loss(struct trial *t, const u64 *record)
{
	u64 count = record[1];
	const struct attempt *first = &t->log[t->judged];
	const struct attempt *last;

	if (!count || count > t->tried - t->judged) {
		expect_equal(t, count, t->tried - t->judged);
		return;
	}
	last = first + count - 1;
	expect_equal(t, record[2] >= first->before && record[2] <= first->after,
		     true);
	expect_equal(t, record[3] >= last->before && record[3] <= last->after,
		     true);
	t->judged += count;
	t->told_lost += count;
}

static void judge_buffer(struct trial *t, const struct evtlog_buffer_header *h)
{
	const u64 *at = (const void *)h + sizeof(*h);
	const u64 *end = (const void *)h + h->used_bytes;
	u64 upper = h->begin_ticks >> 32, before = h->begin_ticks, ticks;

	expect_equal(t, h->magic, EVTLOG_BUFFER_MAGIC);
	expect_equal(t, h->run, FIRST_RUN);
	expect_equal(t, h->sequence, t->sequence);
	expect_equal(t, !!(h->flags & EVTLOG_BUFFER_FIRST), !t->sequence);
	t->sequence++;
	t->header_nmis += h->lost[EVTLOG_LOST_NMI];
	t->header_lost += h->lost[EVTLOG_LOST_FULL];
	if (h->flags & EVTLOG_BUFFER_FINAL) {
		expect_equal(t, h->cpus_in_run, 1);
		t->finals++;
	}

	while (at < end) {
		u32 type = *at >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
		u32 words = type == EVTLOG_TIME || type == EVTLOG_LOST ?
			    evtlog_record_words(*at) : type > SIZED && type <= SIZED + SIZED_MAX ?
			    type - SIZED : 0;

		if (!words || words > end - at) {
			KUNIT_FAIL(t->test, "not a record: %llx\n", *at);
			t->wrong++;
			return;
		}
		if (type == EVTLOG_TIME) {
			upper = at[1] >> 32;
			t->times++;
		}
		ticks = upper << 32 | (u32)*at;
		expect_equal(t, ticks >= before && ticks <= h->end_ticks, true);
		before = ticks;
		if (type == EVTLOG_LOST)
			judge_loss(t, at);
		else if (type != EVTLOG_TIME)
			judge_record(t, at, words, ticks);
		at += words;
	}
}

static bool trial_read(struct trial *t)
{
	const struct evtlog_buffer_header *h = evtlog_ring_peek(t->ring, NULL);

	if (!h)
		return false;
	judge_buffer(t, h);
	evtlog_ring_release(t->ring);
	return true;
}

/* Any context but NMI */
static void trial_write(struct trial *t, u32 words, bool one_word)
{
	struct attempt a = { .words = words };
	unsigned long flags;
	u64 *record = NULL;
	u32 tag, i;

	local_irq_save(flags);
	if (t->tried < LOG_ROOM) {
		tag = EVTLOG_TAG(SIZED + words, t->tried & EVTLOG_DATA_MAX);
		a.before = evtlog_ticks64();
		if (one_word)
			evtlog_write(tag);
		else
			record = evtlog_reserve_irqoff(tag, words);
		a.after = evtlog_ticks64();
		for (i = 1; record && i < words; i++)
			record[i] = payload(t->tried, i);
		t->log[t->tried++] = a;
	}
	local_irq_restore(flags);
}

static void trial_write_random(struct trial *t)
{
	u32 words = below(t, 3) ? 1 : 1 + below(t, SIZED_MAX);

	trial_write(t, words, words == 1 && below(t, 2));
}

static void begin(struct trial *t)
{
	unsigned long flags;

	local_irq_save(flags);
	evtlog_ring_begin(t->ring, FIRST_RUN);
	local_irq_restore(flags);
}

/* Ends the run, reads the remaining records, and compares the totals. */
static void trial_end(struct trial *t)
{
	unsigned long flags;

	local_irq_save(flags);
	evtlog_ring_end(t->ring);
	local_irq_restore(flags);
	evtlog_ring_finish(t->ring, 1);
	while (trial_read(t)) {
		if (t->ring->final_due)
			evtlog_ring_finish(t->ring, 1);
	}
	expect_equal(t, t->judged, t->tried);
	expect_equal(t, t->told_lost, t->header_lost);
	expect_equal(t, t->nmis, t->header_nmis);
	expect_equal(t, t->finals, 1);
	kunit_info(t->test, "%u records, %u of them lost, %u full times, %llu buffers, %u wrong\n",
		   t->tried, t->told_lost, t->times, t->sequence, t->wrong);
	ring_destroy(t->ring);
	migrate_enable();
	rt_mutex_unlock(&evtlog_run_lock);
	vfree(t->log);
}

static void nmi(struct trial *t)
{
	unsigned long flags;

	local_irq_save(flags);
	evtlog_drop_nmi();
	t->nmis++;
	local_irq_restore(flags);
}

/* As if 2^32 ticks had passed since the last record, which takes a second */
static void forget_upper_half(struct trial *t)
{
	unsigned long flags;

	local_irq_save(flags);
	t->ring->high ^= 1 + below(t, 1000);
	local_irq_restore(flags);
}

static void flush_and_return(struct trial *t)
{
	unsigned long flags;

	local_irq_save(flags);
	evtlog_ring_flush(t->ring);
	evtlog_ring_begin(t->ring, FIRST_RUN);
	local_irq_restore(flags);
}

static void step(struct trial *t)
{
	struct evtlog_clock_set before, after;
	unsigned long flags;

	local_irq_save(flags);
	evtlog_clock_set_read(&before);
	evtlog_clock_set_read(&after);
	evtlog_ring_step(t->ring, &before, &after);
	local_irq_restore(flags);
}

static void random_trial(struct kunit *test, u32 buffers, u32 words)
{
	struct trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	u32 i, rarity;

	KUNIT_ASSERT_NOT_NULL(test, t);
	if (!trial_begin(t, test, buffers, words))
		return;
	begin(t);
	rarity = 1;
	for (i = 0; i < 20000; i++) {
		trial_write_random(t);
		if (!below(t, 1000))
			rarity = 1 + below(t, 200);
		if (!below(t, rarity))
			trial_read(t);
		if (!below(t, 50))
			nmi(t);
		if (!below(t, 100))
			forget_upper_half(t);
		if (!below(t, 500))
			flush_and_return(t);
		if (!below(t, 200))
			step(t);
	}
	KUNIT_EXPECT_GT(test, t->told_lost, 0U);
	KUNIT_EXPECT_GT(test, t->times, 0U);
	trial_end(t);
}

static void two_small_buffers_lose_nothing_untold(struct kunit *test)
{
	random_trial(test, 2, 40);
}

static void three_buffers_lose_nothing_untold(struct kunit *test)
{
	random_trial(test, 3, 100);
}

static void seven_pages_lose_nothing_untold(struct kunit *test)
{
	random_trial(test, 7, 480);
}

static enum hrtimer_restart timer_fires(struct hrtimer *timer)
{
	struct trial *t = container_of(timer, struct trial, timer);

	t->ticks++;
	trial_write(t, 1 + t->ticks % 4, false);
	trial_write(t, 1, true);
	hrtimer_forward_now(timer, ns_to_ktime(50 * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static void hard_interrupts_write_between_a_tasks_records(struct kunit *test)
{
	struct trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned long end;

	KUNIT_ASSERT_NOT_NULL(test, t);
	if (!trial_begin(t, test, 3, 200))
		return;
	begin(t);
	hrtimer_init(&t->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	t->timer.function = timer_fires;
	hrtimer_start(&t->timer, ns_to_ktime(50 * NSEC_PER_USEC),
		      HRTIMER_MODE_REL_PINNED_HARD);

	end = jiffies + HZ;
	while (time_before(jiffies, end) && READ_ONCE(t->tried) < LOG_ROOM - 8) {
		trial_write_random(t);
		if (!below(t, 20))
			trial_read(t);
		if (!below(t, 50))
			nmi(t);
	}
	hrtimer_cancel(&t->timer);
	KUNIT_EXPECT_GT(test, t->ticks, 0U);
	kunit_info(test, "%u interrupts wrote\n", t->ticks);
	trial_end(t);
}

static void a_full_ring_tells_how_many_and_between_which_times(struct kunit *test)
{
	struct trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	if (!trial_begin(t, test, 2, 16))
		return;
	begin(t);
	for (i = 0; i < 100; i++)
		trial_write(t, 1, true);
	expect_equal(t, evtlog_ring_waiting(t->ring), 2);
	trial_end(t);
	KUNIT_EXPECT_EQ(test, t->told_lost, 100U - 32);
}

static void a_record_larger_than_a_buffer_is_told_as_lost(struct kunit *test)
{
	struct trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	if (!trial_begin(t, test, 4, 16))
		return;
	begin(t);
	trial_write(t, 1, true);
	trial_write(t, SIZED_MAX, false);
	trial_end(t);
	KUNIT_EXPECT_EQ(test, t->told_lost, 1U);
}

static void nothing_is_written_before_begin_or_after_flush(struct kunit *test)
{
	struct trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned long flags;

	KUNIT_ASSERT_NOT_NULL(test, t);
	if (!trial_begin(t, test, 2, 16))
		return;
	evtlog_write(EVTLOG_TAG(SIZED + 1, 0));
	begin(t);
	trial_write(t, 1, true);
	local_irq_save(flags);
	evtlog_ring_flush(t->ring);
	KUNIT_EXPECT_NULL(test, evtlog_reserve_irqoff(
				EVTLOG_TAG(SIZED + 2, 0), 2));
	local_irq_restore(flags);
	trial_end(t);
	KUNIT_EXPECT_EQ(test, t->told_lost, 0U);
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(two_small_buffers_lose_nothing_untold),
	KUNIT_CASE(three_buffers_lose_nothing_untold),
	KUNIT_CASE(seven_pages_lose_nothing_untold),
	KUNIT_CASE(hard_interrupts_write_between_a_tasks_records),
	KUNIT_CASE(a_full_ring_tells_how_many_and_between_which_times),
	KUNIT_CASE(a_record_larger_than_a_buffer_is_told_as_lost),
	KUNIT_CASE(nothing_is_written_before_begin_or_after_flush),
	{}
};

static struct kunit_suite ring_suite = {
	.name = "evtlog_ring",
	.test_cases = ring_cases,
};
kunit_test_suite(ring_suite);
