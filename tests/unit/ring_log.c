// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps what was written to a ring, in the order in which the ring took it.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "ring_log.h"
#include "ring_read.h"

#define ROOM	(1U << 20)

struct entry {
	u64 ticks;
	u32 tag;
};

/* A record being written; an interrupt has its own at the same time. */
struct attempt {
	u32 tag;
	bool logged;
	u64 at;
};

struct log_totals log_totals;

/* For the writer; visible to the reader after the ring hands a buffer over */
static struct entry entry[ROOM];
static u64 tried;
static __thread struct attempt *volatile attempt;
static struct random clock_rng;
static u64 now, jump_every;
static volatile u64 nmis;
static struct evtlog_ring *ring;

/* For the reader; the writer reads @judged to keep its distance. */
static u64 judged, told_lost, header_lost, header_nmis, sequence, finals;

static __attribute__((__noreturn__, __format__(__printf__, 1, 2)))
void fail(const char *format, ...)
{
	char text[512];
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	dprintf(STDERR_FILENO, "FAIL: %.*s\n", n, text);
	_exit(1);
}

static void expect_equal(const char *what, u64 got, u64 wanted)
{
	if (got != wanted)
		fail("%s is %" PRIu64 ", should be %" PRIu64
		     " (entry %" PRIu64 ", buffer %" PRIu64 ")",
		     what, (uint64_t)got, (uint64_t)wanted, (uint64_t)judged,
		     (uint64_t)sequence);
}

/* Called by the ring, with interrupts off */

static u64 next_ticks(void)
{
	now += random_below(&clock_rng, 500);
	if (random_one_in(&clock_rng, (u32)jump_every))
		now += random_next(&clock_rng) >> (20 + random_below(&clock_rng, 30));
	return now;
}

u64 shim_ticks(void)
{
	u64 ticks = next_ticks();
	struct attempt *a = attempt;

	if (!a->logged) {
		a->at = tried++;
		a->logged = true;
	}
	entry[a->at % ROOM] = (struct entry){ ticks, a->tag };
	return ticks;
}

void evtlog_clock_set_read(struct evtlog_clock_set *set)
{
	memset(set, 0, sizeof(*set));
	set->ticks = next_ticks();
}

u64 evtlog_ticks_hz(void)
{
	return 1000;
}

bool evtlog_ticks_trusted(void)
{
	return true;
}

void evtlog_context_fill(struct evtlog_buffer_header *h)
{
	h->begin_pid = 1;
}

void evtlog_ring_handed_over(struct evtlog_ring *r)
{
}

/* Writing */

static u64 payload(u32 tag, u32 word)
{
	return random_mix((u64)tag << 32 | word);
}

/* No room in the log: the reader is slow, and an interrupt cannot wait. */
static bool log_is_full(void)
{
	return tried - __atomic_load_n(&judged, __ATOMIC_ACQUIRE) > ROOM - 64;
}

static struct attempt *attempt_begin(struct attempt *a, u32 tag)
{
	struct attempt *before = attempt;

	a->tag = tag;
	a->logged = false;
	attempt = a;
	barrier();
	return before;
}

static void attempt_end(struct attempt *before)
{
	barrier();
	attempt = before;
}

void log_write(u32 serial)
{
	u32 tag = EVTLOG_TAG(EVTLOG_SCHED_SWITCH, serial);
	struct attempt a, *before;

	if (log_is_full())
		return;
	before = attempt_begin(&a, tag);
	if (serial & 1 && !raw_irqs_disabled())
		evtlog_write_irqon(tag);
	else
		evtlog_write(tag);
	attempt_end(before);
}

void log_write_words(u32 type, u32 serial)
{
	u32 tag = EVTLOG_TAG(type, serial), words = record_words(type), i;
	struct attempt a, *before;
	unsigned long flags;
	u64 *record;

	if (log_is_full())
		return;
	before = attempt_begin(&a, tag);
	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(tag, words);
	for (i = 1; record && i < words; i++)
		record[i] = payload(tag, i);
	if (record && evtlog_record_ticks(record) != entry[a.at % ROOM].ticks)
		fail("evtlog_record_ticks() is wrong");
	raw_local_irq_restore(flags);
	attempt_end(before);
}

void log_write_random(struct random *rng, u32 *serial)
{
	if (random_one_in(rng, 3))
		log_write_words(RECORD_SIZED + 1 + random_below(rng, 12),
				(*serial)++);
	else
		log_write((*serial)++);
}

void log_nmi(void)
{
	evtlog_drop_nmi();
	nmis++;
}

/* Reading */

static void judge_record(const struct record *record)
{
	const struct entry *e = &entry[judged % ROOM];
	u32 i;

	expect_equal("a record's type", record->type, e->tag & EVTLOG_TYPE_MAX);
	expect_equal("a record's data", record->data, e->tag >> EVTLOG_TYPE_BITS);
	expect_equal("a record's time", record->ticks, e->ticks);
	for (i = 1; i < record->words; i++)
		expect_equal("a record's word", record->word[i],
			     payload(e->tag, i));
	__atomic_store_n(&judged, judged + 1, __ATOMIC_RELEASE);
	log_totals.read++;
}

static void judge_loss(const struct record *record)
{
	u64 count = record->word[1];

	if (!count || count > ROOM)
		fail("a loss of %" PRIu64, (uint64_t)count);
	expect_equal("the first lost record's time", record->word[2],
		     entry[judged % ROOM].ticks);
	expect_equal("the last lost record's time", record->word[3],
		     entry[(judged + count - 1) % ROOM].ticks);
	__atomic_store_n(&judged, judged + count, __ATOMIC_RELEASE);
	told_lost += count;
	log_totals.gaps++;
}

void log_judge(const struct evtlog_buffer_header *h)
{
	struct reading reading;
	struct record record;
	const char *wrong;
	u64 before = h->begin_ticks;
	int more;

	wrong = reading_begin(&reading, h, ring->buffer_bytes);
	if (wrong)
		fail("a header's %s", wrong);
	expect_equal("a buffer's sequence", h->sequence, sequence);
	expect_equal("a buffer's run", h->run, 1);
	sequence++;
	header_lost += h->lost[EVTLOG_LOST_FULL];
	header_nmis += h->lost[EVTLOG_LOST_NMI];
	finals += !!(h->flags & EVTLOG_BUFFER_FINAL);

	while ((more = reading_next(&reading, &record)) > 0) {
		if (record.ticks < before || record.ticks > h->end_ticks)
			fail("a record out of its time");
		before = record.ticks;
		switch (record.type) {
		case EVTLOG_TIME:
			log_totals.times++;
			break;
		case EVTLOG_LOST:
			judge_loss(&record);
			break;
		default:
			judge_record(&record);
		}
	}
	if (more)
		fail("not a record: %" PRIx64, (uint64_t)*reading.at);
}

void log_begin(uint64_t seed, u32 buffers, u32 words, u32 jump_rarity)
{
	u32 i;

	clock_rng.state = seed;
	jump_every = jump_rarity;
	now = random_next(&clock_rng) >> 4;
	tried = judged = told_lost = header_lost = header_nmis = 0;
	sequence = finals = 0;
	nmis = 0;
	ring = &evtlog_ring;
	memset(ring, 0, sizeof(*ring));
	ring->buffer_bytes = sizeof(struct evtlog_buffer_header) + 8 * words;
	for (i = 0; i < buffers; i++) {
		ring->buffer[i] = malloc(ring->buffer_bytes);
		if (!ring->buffer[i])
			fail("out of memory");
		memset(ring->buffer[i], 0xa5, ring->buffer_bytes);
	}
	ring->nr_buffers = buffers;
}

void log_end(void)
{
	u32 i;

	expect_equal("records read or told as lost", judged, tried);
	expect_equal("losses in headers", header_lost, told_lost);
	expect_equal("losses in total", ring->total_lost[EVTLOG_LOST_FULL],
		     told_lost);
	expect_equal("NMIs in headers", header_nmis, nmis);
	expect_equal("NMIs in total", ring->total_lost[EVTLOG_LOST_NMI], nmis);
	expect_equal("FINAL buffers", finals, 1);
	for (i = 0; i < ring->nr_buffers; i++)
		free(ring->buffer[i]);
	log_totals.tried += tried;
	log_totals.lost += told_lost;
	log_totals.nmis += nmis;
	log_totals.buffers += sequence;
}
