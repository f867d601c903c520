// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening, closing and handing over buffers; what happens when none is free.
 *
 * Stage: behind the writers of ring.h, before the reader of proc-cpu.c.  The
 * fast writers come here once per buffer, once per 2^32 ticks, and for each
 * record while no buffer is free.  Does not wake anybody: notify.c does.
 */
#include <linux/atomic.h>
#include <linux/string.h>

#include "context.h"
#include "ring.h"

DEFINE_PER_CPU_ALIGNED(struct evtlog_ring, evtlog_ring);

u8 evtlog_boot_id[16];
struct evtlog_run_label evtlog_run_label;

/* The words of a TIME record, which may precede any other. */
#define TIME_WORDS	2
#define LOST_WORDS	4

static bool ring_has_free(const struct evtlog_ring *r)
{
	/* Pairs with the release in evtlog_ring_release(): the reader is done. */
	return r->closed - smp_load_acquire(&r->tail) < r->nr_buffers;
}

static void ring_hand_over(struct evtlog_ring *r)
{
	/* Pairs with the acquire in evtlog_ring_peek(): the buffer is complete. */
	smp_store_release(&r->head, r->closed);
	evtlog_ring_handed_over(r);
}

/* Reports losses of the gap before this buffer in its header and first record. */
static u64 *ring_tell_loss(struct evtlog_ring *r, struct evtlog_buffer_header *h,
			   u64 *pos)
{
	u64 count = r->lost[EVTLOG_LOST_FULL];

	if (!count)
		return pos;
	evtlog_store_word(pos, (u32)h->begin_ticks,
			  EVTLOG_TAG(EVTLOG_LOST, EVTLOG_LOST_FULL));
	pos[1] = count;
	pos[2] = r->lost_first;
	pos[3] = r->lost_last;

	h->lost[EVTLOG_LOST_FULL] = count;
	r->lost[EVTLOG_LOST_FULL] = 0;
	return pos + LOST_WORDS;
}

/*
 * Fills in the next free buffer's header; the caller knows there is one.  Does not
 * touch what the fast writers look at: evtlog_ring_finish() calls this from any CPU.
 */
static u64 *ring_prepare(struct evtlog_ring *r, const struct evtlog_clock_set *clock)
{
	struct evtlog_buffer_header *h = r->buffer[r->closed % r->nr_buffers];

	memset(h, 0, sizeof(*h));
	h->magic = EVTLOG_BUFFER_MAGIC;
	h->abi_version = EVTLOG_ABI_VERSION;
	h->header_bytes = sizeof(*h);
	h->flags = r->sequence ? 0 : EVTLOG_BUFFER_FIRST;
	h->cpu = r->cpu;
	h->run = r->run;
	h->sequence = r->sequence++;
	h->ticks_hz = evtlog_ticks_hz();
	h->begin = *clock;
	/* Records are stamped later than this, on the same CPU. */
	h->begin_ticks = clock->ticks;
	h->begin_pid = EVTLOG_PID_UNKNOWN;
	memcpy(h->boot_id, evtlog_boot_id, sizeof(h->boot_id));
	memcpy(h->run_name, evtlog_run_label.name, sizeof(h->run_name));
	h->reference_ticks = evtlog_run_label.reference_ticks;
	return ring_tell_loss(r, h, (u64 *)(h + 1));
}

/* Makes the next free buffer current; on the ring's CPU. */
static void ring_open(struct evtlog_ring *r, const struct evtlog_clock_set *clock)
{
	struct evtlog_buffer_header *h = r->buffer[r->closed % r->nr_buffers];

	r->pos = ring_prepare(r, clock);
	r->end = (void *)h + r->buffer_bytes;
	r->high = (u32)(h->begin_ticks >> 32);
	r->current_header = h;
}

/* Completes a buffer whose records end at @pos; also from any CPU. */
static void ring_complete(struct evtlog_ring *r, struct evtlog_buffer_header *h,
			  const u64 *pos, u32 flags,
			  const struct evtlog_clock_set *clock)
{
	h->flags |= flags;
	if (!evtlog_ticks_trusted())
		h->flags |= EVTLOG_BUFFER_TSC_BAD;
	h->used_bytes = (u8 *)pos - (u8 *)h;
	h->end = *clock;
	h->end_ticks = clock->ticks;
	/* An NMI may count on while this runs; it is told with the next buffer. */
	h->lost[EVTLOG_LOST_NMI] = xchg(&r->lost[EVTLOG_LOST_NMI], 0);

	r->total_lost[EVTLOG_LOST_NMI] += h->lost[EVTLOG_LOST_NMI];
	r->total_bytes += h->used_bytes;
	r->total_buffers++;
	r->closed++;
}

/* Completes the current buffer; it stays the writer's until handed over. */
static void ring_close(struct evtlog_ring *r, u32 flags,
		       const struct evtlog_clock_set *clock)
{
	ring_complete(r, r->current_header, r->pos, flags, clock);
	r->pos = NULL;
	r->end = NULL;
	r->current_header = NULL;
}

static void ring_count_lost(struct evtlog_ring *r)
{
	u64 now = evtlog_ticks64();

	if (!r->lost[EVTLOG_LOST_FULL]++)
		r->lost_first = now;
	r->lost_last = now;
	r->total_lost[EVTLOG_LOST_FULL]++;
}

/* Closes the current buffer, if any, and opens the next, if one is free. */
static void ring_swap(struct evtlog_ring *r)
{
	struct evtlog_clock_set clock;

	if (!r->current_header && !ring_has_free(r))
		return;
	evtlog_clock_set_read(&clock);
	if (r->current_header) {
		ring_close(r, 0, &clock);
		ring_hand_over(r);
	}
	if (!ring_has_free(r))
		return;
	ring_open(r, &clock);
	evtlog_context_fill(r->current_header);
}

static bool ring_has_room(const struct evtlog_ring *r, unsigned int words)
{
	return r->current_header && r->end - r->pos >= (long)words;
}

/**
 * evtlog_ring_slow() - write a record where the fast way did not do
 * @r:		this CPU's ring
 * @tag:	EVTLOG_TAG(type, data)
 * @words:	of the whole record
 *
 * Swaps buffers, writes the full time where its upper half changed, or counts a
 * loss.  A record larger than a buffer is lost like one without a buffer.
 *
 * Context: interrupts off, on the ring's CPU, not an NMI.
 * Return: the record, its first word stored, or NULL.
 */
noinline u64 *evtlog_ring_slow(struct evtlog_ring *r, u32 tag, unsigned int words)
{
	u32 low, high;
	u64 *pos;

	if (!r->recording)
		return NULL;

	/* With the time record that may be needed, so that one look is enough. */
	if (!ring_has_room(r, words + TIME_WORDS)) {
		ring_swap(r);
		if (!ring_has_room(r, words + TIME_WORDS)) {
			ring_count_lost(r);
			return NULL;
		}
	}

	evtlog_ticks(&low, &high);
	pos = r->pos;
	if (high != r->high) {
		evtlog_store_word(pos, low, EVTLOG_TAG(EVTLOG_TIME, 0));
		pos[1] = (u64)high << 32 | low;
		pos += TIME_WORDS;
		r->high = high;
	}
	evtlog_store_word(pos, low, tag);
	r->pos = pos + words;
	return pos;
}

/**
 * evtlog_ring_arm() - let a CPU take part in a run from its next record on
 * @r:		the ring, with buffers, not recording, no FINAL buffer due
 * @run:	the run's number; a CPU that took part before goes on
 *
 * Context: interrupts off, on the ring's CPU, or its CPU is not up yet.
 */
void evtlog_ring_arm(struct evtlog_ring *r, u64 run)
{
	if (r->run != run || !r->in_run) {
		r->run = run;
		r->sequence = 0;
		memset(r->total_lost, 0, sizeof(r->total_lost));
		r->total_bytes = 0;
		r->total_buffers = 0;
		/* Only NMIs count while nothing records: those are not ours. */
		memset(r->lost, 0, sizeof(r->lost));
	}
	r->in_run = true;
	r->recording = true;
}

/**
 * evtlog_ring_begin() - begin a CPU's part of a run now
 * @r:		as for evtlog_ring_arm()
 * @run:	ditto
 *
 * Context: interrupts off, on the ring's CPU.
 */
void evtlog_ring_begin(struct evtlog_ring *r, u64 run)
{
	evtlog_ring_arm(r, run);
	ring_swap(r);
}

/**
 * evtlog_ring_flush() - hand over what there is and record no more
 * @r:		the ring
 *
 * For a CPU that goes away during a run: evtlog_ring_begin() continues,
 * evtlog_ring_end() ends the run for it.
 *
 * Context: interrupts off, on the ring's CPU, or its CPU is offline.
 */
void evtlog_ring_flush(struct evtlog_ring *r)
{
	struct evtlog_clock_set clock;

	r->recording = false;
	if (!r->current_header)
		return;
	evtlog_clock_set_read(&clock);
	ring_close(r, EVTLOG_BUFFER_FLUSHED, &clock);
	ring_hand_over(r);
}

/**
 * evtlog_ring_end() - end a CPU's part of a run
 * @r:		the ring
 *
 * The FINAL buffer is closed, or noted as due, but not handed over yet:
 * evtlog_ring_finish() does that once it is known how many CPUs took part.
 *
 * Context: interrupts off, on the ring's CPU, or its CPU is offline.
 */
void evtlog_ring_end(struct evtlog_ring *r)
{
	if (!r->in_run)
		return;
	r->recording = false;
	evtlog_clock_set_read(&r->stop_clock);
	/* Lost behind this buffer's last record: only one more can tell. */
	if (r->current_header && r->lost[EVTLOG_LOST_FULL]) {
		ring_close(r, EVTLOG_BUFFER_FLUSHED, &r->stop_clock);
		ring_hand_over(r);
	}
	if (r->current_header)
		ring_close(r, EVTLOG_BUFFER_FLUSHED | EVTLOG_BUFFER_FINAL,
			   &r->stop_clock);
	else
		r->final_due = true;
}

/**
 * evtlog_ring_finish() - hand over the FINAL buffer
 * @r:		a ring that evtlog_ring_end() ended
 * @cpus_in_run: CPUs that took part, kept in the buffer's header
 *
 * Called again by the reader after it returned a buffer, while @r->final_due.
 *
 * Context: any CPU; the caller holds the lock of the run's state.
 */
void evtlog_ring_finish(struct evtlog_ring *r, u32 cpus_in_run)
{
	struct evtlog_buffer_header *h;

	if (!r->in_run)
		return;
	if (r->final_due) {
		/* Pairs with the one in evtlog_run_reader_returned(). */
		smp_mb();
		if (!ring_has_free(r))
			return;
		r->final_due = false;
		/* Hooks may still look at @pos and @end: they stay NULL. */
		h = r->buffer[r->closed % r->nr_buffers];
		ring_complete(r, h, ring_prepare(r, &r->stop_clock),
			      EVTLOG_BUFFER_FLUSHED | EVTLOG_BUFFER_FINAL,
			      &r->stop_clock);
	}
	h = r->buffer[(r->closed - 1) % r->nr_buffers];
	h->cpus_in_run = cpus_in_run;
	r->in_run = false;
	ring_hand_over(r);
}

/**
 * evtlog_ring_peek() - the oldest full buffer
 * @r:		the ring
 * @slot:	its place in @r->buffer, if not NULL
 *
 * Context: the ring's one reader.
 * Return: the buffer, the reader's until evtlog_ring_release(), or NULL.
 */
const struct evtlog_buffer_header *evtlog_ring_peek(struct evtlog_ring *r,
						    u32 *slot)
{
	u64 tail = READ_ONCE(r->tail);

	/* Pairs with the release in ring_hand_over(). */
	if (smp_load_acquire(&r->head) == tail)
		return NULL;
	if (slot)
		*slot = tail % r->nr_buffers;
	return r->buffer[tail % r->nr_buffers];
}

/**
 * evtlog_ring_release() - give the oldest full buffer back to the writer
 * @r:		the ring
 *
 * Context: the ring's one reader, after evtlog_ring_peek() gave a buffer.
 */
void evtlog_ring_release(struct evtlog_ring *r)
{
	/* Pairs with the acquire in ring_has_free(). */
	smp_store_release(&r->tail, READ_ONCE(r->tail) + 1);
}

/**
 * evtlog_ring_has_place() - would a record be written now, or lost?
 * @r:		this CPU's ring
 * @words:	of the record
 *
 * Context: interrupts off, on the ring's CPU.
 */
bool evtlog_ring_has_place(const struct evtlog_ring *r, unsigned int words)
{
	u32 needed = r->current_header ? 1 : 0;

	return ring_has_room(r, words + TIME_WORDS) ||
	       r->closed + needed - smp_load_acquire(&r->tail) < r->nr_buffers;
}

/**
 * evtlog_ring_position() - where the next record goes
 * @r:		this CPU's ring
 * @position:	filled in
 *
 * Context: interrupts off, on the ring's CPU.
 */
void evtlog_ring_position(const struct evtlog_ring *r,
			  struct evtlog_position *position)
{
	const struct evtlog_buffer_header *h = r->current_header;

	memset(position, 0, sizeof(*position));
	if (r->recording) {
		position->run = r->run;
		position->sequence = h ? h->sequence : r->sequence;
		position->offset = h ? (u8 *)r->pos - (u8 *)h : sizeof(*h);
	}
	position->ticks = evtlog_ticks64();
}

/** evtlog_ring_waiting() - full buffers the reader has not returned yet */
u32 evtlog_ring_waiting(const struct evtlog_ring *r)
{
	return (u32)(smp_load_acquire(&r->head) - READ_ONCE(r->tail));
}
