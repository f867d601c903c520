// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens, closes and hands over buffers, and handles the case that no buffer is free.
 *
 * ring.h has the writers, proc_cpu.c the reader; notify.c wakes the reader.  The fast path comes
 * here once per buffer, once per 2^32 ticks, and for each record while no buffer is free.
 */
#include <linux/atomic.h>
#include <linux/string.h>

#include "context.h"
#include "ring.h"

DEFINE_PER_CPU_ALIGNED(struct evtlog_ring, evtlog_ring);

u8 evtlog_boot_id[16];
u64 evtlog_epoch __read_mostly;
struct evtlog_run_label evtlog_run_label;

/* Length of a TIME record, which may precede any other record */
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
	if (r->owner)
		r->owner->handed_over(r);
	else
		evtlog_ring_handed_over(r);
}

/* Reports losses before this buffer in its header and first record. */
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
 * Returns the begin of a CPU's first buffer.  A CPU joins at its first event after the start.  So
 * it had no event in between, and what it did is known for all of this time.
 */
static u64 ring_first_ticks(const struct evtlog_ring *r, const struct evtlog_clock_set *clock)
{
	u64 start = evtlog_run_label.start_ticks;

	if (READ_ONCE(r->came_ticks) > start || r->owner || !evtlog_run_label.start_is_shared ||
	    start > clock->ticks)
		return clock->ticks;
	return start;
}

/*
 * Fills in the next free buffer's header; the caller has checked that one is free.  Does not change
 * what the fast path reads: evtlog_ring_finish() calls this from any CPU.
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
	/* All records are stamped later than this, on the same CPU. */
	h->begin_ticks = h->sequence ? clock->ticks : ring_first_ticks(r, clock);
	h->begin_pid = EVTLOG_PID_UNKNOWN;
	memcpy(h->boot_id, evtlog_boot_id, sizeof(h->boot_id));
	if (r->owner) {
		h->flags |= EVTLOG_BUFFER_NAMED |
			    (r->owner->is_global ? EVTLOG_BUFFER_GLOBAL : 0);
		memcpy(h->run_name, r->owner->name, sizeof(h->run_name));
	} else {
		memcpy(h->run_name, evtlog_run_label.name, sizeof(h->run_name));
		h->reference_ticks = evtlog_run_label.reference_ticks;
		h->tree_pid = evtlog_run_label.tree_pid;
		h->flags |= h->tree_pid ? EVTLOG_BUFFER_TREE : 0;
	}
	return ring_tell_loss(r, h, (u64 *)(h + 1));
}

/* Makes the next free buffer current.  On the ring's CPU, or the caller has claimed the ring. */
static void ring_open(struct evtlog_ring *r, const struct evtlog_clock_set *clock)
{
	struct evtlog_buffer_header *h = r->buffer[r->closed % r->nr_buffers];

	u64 *pos = ring_prepare(r, clock);

	/* Switches of a claimed CPU are not recorded, so it may run another task by now. */
	if (!(READ_ONCE(r->epoch) & EVTLOG_EPOCH_CLAIMED) && !(r->owner && r->owner->is_global))
		evtlog_context_fill(h);
	r->pos = pos;
	r->limit = (void *)h + r->buffer_bytes;
	r->high = (u32)(h->begin_ticks >> 32);
	r->current_header = h;
}

/*
 * Enables the fast path, unless each record must be checked.  A stop stores its epoch, then NULL to
 * the ring's @end: whichever of the two comes last here, the stop is seen.
 */
static void ring_let_fast_in(struct evtlog_ring *r)
{
	if (r->softirqs_due || READ_ONCE(r->epoch) & EVTLOG_EPOCH_LEAVING)
		return;
	WRITE_ONCE(r->end, r->limit);
	/* Pairs with the one in evtlog_run_publish_stop(). */
	smp_mb();
	if (READ_ONCE(evtlog_epoch) != READ_ONCE(r->epoch))
		WRITE_ONCE(r->end, NULL);
}

/* The value of a loss counter of the ring's own CPU that means no loss yet */
static u64 ring_lost_none(const struct evtlog_ring *r)
{
	return r->owner ? READ_ONCE(r->run) << EVTLOG_LOST_RUN_SHIFT : evtlog_lost_none();
}

/* Returns how many losses, counted by the ring's own CPU in this run, are not reported yet. */
static u64 ring_untold(const struct evtlog_ring *r, unsigned int cause, u64 lost)
{
	u64 told = READ_ONCE(r->told[cause]);

	if (!evtlog_lost_is_of(lost, ring_lost_none(r)))
		return 0;
	return evtlog_lost_is_of(lost, told) ? lost - told : (u32)lost;
}

/* Returns the unreported losses.  Losses counted meanwhile are reported with the next buffer. */
static u64 ring_tell(struct evtlog_ring *r, unsigned int cause)
{
	u64 lost = READ_ONCE(r->lost[cause]), untold = ring_untold(r, cause, lost);

	WRITE_ONCE(r->told[cause], lost);
	return untold;
}

/* Completes a buffer whose records end at @pos; may run on any CPU. */
static void ring_complete(struct evtlog_ring *r, struct evtlog_buffer_header *h,
			  const u64 *pos, u32 flags,
			  const struct evtlog_clock_set *clock)
{
	unsigned int cause;

	h->flags |= flags;
	if (!evtlog_ticks_trusted())
		h->flags |= EVTLOG_BUFFER_TSC_BAD;
	h->used_bytes = (u8 *)pos - (u8 *)h;
	h->end = *clock;
	h->end_ticks = clock->ticks;
	for (cause = EVTLOG_LOST_NMI; cause <= EVTLOG_LOST_LARGE; cause++) {
		h->lost[cause] = r->final_due ? r->stop_lost[cause] : ring_tell(r, cause);
		r->total_lost[cause] += h->lost[cause];
	}
	r->total_bytes += h->used_bytes;
	r->total_buffers++;
	r->closed++;
}

/* Completes the current buffer; it belongs to the writer until it is handed over. */
static void ring_close(struct evtlog_ring *r, u32 flags,
		       const struct evtlog_clock_set *clock)
{
	WRITE_ONCE(r->end, NULL);
	ring_complete(r, r->current_header, r->pos, flags, clock);
	r->pos = NULL;
	r->limit = NULL;
	r->current_header = NULL;
}

static void ring_count_lost(struct evtlog_ring *r, u64 now, unsigned int records)
{
	if (!r->lost[EVTLOG_LOST_FULL])
		r->lost_first = now;
	r->lost[EVTLOG_LOST_FULL] += records;
	r->lost_last = now;
	r->total_lost[EVTLOG_LOST_FULL] += records;
}

/*
 * Closes the current buffer, if any, at @end, and opens the next, if one is free, at @begin.  A
 * probe that writes records itself may trace the functions called here.  So the fast path is
 * disabled before the clock is read, and handing over, which calls the most functions, comes last.
 */
static void ring_swap_at(struct evtlog_ring *r, u32 flags, const struct evtlog_clock_set *end,
			 const struct evtlog_clock_set *begin)
{
	struct evtlog_buffer_header *closed = r->current_header;

	if (closed) {
		ring_close(r, flags, end);
		closed->end_ticks = begin->ticks;
	}
	if (ring_has_free(r))
		ring_open(r, begin);
	if (closed)
		ring_hand_over(r);
}

static void ring_swap(struct evtlog_ring *r)
{
	struct evtlog_clock_set clock;

	if (!r->current_header && !ring_has_free(r))
		return;
	WRITE_ONCE(r->end, NULL);
	evtlog_clock_set_read(&clock);
	ring_swap_at(r, 0, &clock, &clock);
}

static bool ring_has_room(const struct evtlog_ring *r, unsigned int words)
{
	return r->current_header && r->limit - r->pos >= (long)words;
}

/* The caller has checked that there is room, including a TIME record. */
static u64 *ring_write(struct evtlog_ring *r, u32 tag, unsigned int words, u32 low, u32 high)
{
	u64 *pos = r->pos;

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
 * evtlog_ring_write_row() - write records of the same time on the slow path
 * @r:		this CPU's ring, its @busy set; or another CPU's ring, claimed by the caller
 * @tag:	EVTLOG_TAG(type, data) of the first record
 * @words:	length of each record
 * @records:	number of records
 * @clock:	NULL: now.  For a claimed ring: the time, not before the last record's.  If buffers
 *		are swapped, all its clocks are used
 *
 * Swaps buffers, writes a TIME record if the upper half of the time changed, or counts a loss.  A
 * row that is larger than a buffer is lost as if no buffer was free.
 *
 * Context: interrupts off, on the ring's CPU or with it claimed, not an NMI.
 * Return: the first record, with its first word (time and tag) stored; or NULL.
 */
u64 *evtlog_ring_write_row(struct evtlog_ring *r, u32 tag, unsigned int words,
			   unsigned int records, const struct evtlog_clock_set *clock)
{
	u64 now;

	/* Includes the TIME record that may be needed, so that one check is enough. */
	if (!ring_has_room(r, words * records + TIME_WORDS)) {
		if (clock)
			ring_swap_at(r, 0, clock, clock);
		else
			ring_swap(r);
		if (!ring_has_room(r, words * records + TIME_WORDS)) {
			ring_count_lost(r, clock ? clock->ticks : evtlog_ticks64(), records);
			return NULL;
		}
	}
	now = clock ? clock->ticks : evtlog_ticks64();
	return ring_write(r, tag, words * records, (u32)now, (u32)(now >> 32));
}

/*
 * Follows a start or a stop, at an event.  Returns true if the event is recorded.  @busy is set.
 */
static bool ring_follows(struct evtlog_ring *r, u64 epoch, u32 tag)
{
	/* Pairs with the release in is_over(): @recording, if another CPU completed the ring. */
	if (unlikely(epoch != smp_load_acquire(&r->epoch)) && !evtlog_ring_follow(r, epoch, tag))
		return false;
	if (!READ_ONCE(r->recording))
		return false;
	if (unlikely(r->softirqs_due))
		evtlog_ring_apply_epoch(r, tag);
	return true;
}

/**
 * evtlog_ring_slow() - write a record that the fast path could not write
 * @tag:	EVTLOG_TAG(type, data)
 * @words:	length of the whole record
 *
 * Here a CPU follows a start or a stop, after which this event may not be recorded.
 *
 * Context: interrupts off, on the ring's CPU, not an NMI.
 * Return: the record, its first word stored, or NULL.
 */
noinline u64 *evtlog_ring_slow(struct evtlog_ring *r, u32 tag, unsigned int words)
{
	/* Pairs with the release in evtlog_run_publish_start(): the run's label is complete. */
	u64 epoch = smp_load_acquire(&evtlog_epoch);
	u64 *record = NULL;

	if (likely(epoch == READ_ONCE(r->idle_epoch)))
		return NULL;
	if (unlikely(r->busy)) {
		WRITE_ONCE(r->lost[EVTLOG_LOST_NESTED],
			   evtlog_lost_add_one(r->lost[EVTLOG_LOST_NESTED]));
		return NULL;
	}
	r->busy++;
	barrier();
	if (ring_follows(r, epoch, tag)) {
		record = evtlog_ring_write_row(r, tag, words, 1, NULL);
		if (record)
			r->slow_ticks = (u64)r->high << 32 | (u32)*record;
		if (r->current_header && READ_ONCE(r->end) != r->limit)
			ring_let_fast_in(r);
	}
	barrier();
	r->busy--;
	return record;
}

/**
 * evtlog_ring_look() - follow a start or a stop without an event
 *
 * Context: interrupts off, on the ring's CPU, not an NMI.
 */
void evtlog_ring_look(struct evtlog_ring *r)
{
	/* Pairs with the release in evtlog_run_publish_start(). */
	u64 epoch = smp_load_acquire(&evtlog_epoch);

	if (epoch == READ_ONCE(r->idle_epoch) || epoch == READ_ONCE(r->epoch) || r->busy)
		return;
	r->busy++;
	barrier();
	evtlog_ring_follow(r, epoch, 0);
	barrier();
	r->busy--;
}

/**
 * evtlog_ring_pass_over() - follow a start or a stop at an event that a filter rejects
 * @tag:	EVTLOG_TAG(type, data) of the record that is not written
 *
 * As evtlog_ring_slow() up to the record: the counters are read at the same places.
 *
 * Context: interrupts off, on the ring's CPU, not an NMI.
 * Return: true if the record would have been part of a run.
 */
bool evtlog_ring_pass_over(struct evtlog_ring *r, u32 tag)
{
	/* Pairs with the release in evtlog_run_publish_start(). */
	u64 epoch = smp_load_acquire(&evtlog_epoch);
	bool is_of_run;

	if (epoch == READ_ONCE(r->idle_epoch))
		return false;
	if (r->busy)
		return READ_ONCE(r->recording);
	r->busy++;
	barrier();
	is_of_run = ring_follows(r, epoch, tag);
	if (is_of_run && r->current_header && READ_ONCE(r->end) != r->limit)
		ring_let_fast_in(r);
	barrier();
	r->busy--;
	return is_of_run;
}

static void ring_take_part(struct evtlog_ring *r, u64 run)
{
	if (r->run != run || !r->in_run) {
		r->run = run;
		r->sequence = 0;
		memset(r->total_lost, 0, sizeof(r->total_lost));
		r->total_bytes = 0;
		r->total_buffers = 0;
		/* From a run whose end was not read */
		r->lost[EVTLOG_LOST_FULL] = 0;
	}
	r->in_run = true;
}

/**
 * evtlog_ring_arm() - let a CPU take part in a run from its next record on
 * @r:		the ring, with buffers, not recording, no FINAL buffer due
 * @run:	the run's number; a CPU that took part before continues its part
 *
 * Context: interrupts off, on the ring's CPU, or its CPU is not up yet.
 */
void evtlog_ring_arm(struct evtlog_ring *r, u64 run)
{
	ring_take_part(r, run);
	r->recording = true;
	WRITE_ONCE(r->idle_epoch, EVTLOG_EPOCH_NONE);
}

/**
 * evtlog_ring_begin() - begin a CPU's part of a run now
 * @r:		as for evtlog_ring_arm()
 * @run:	as for evtlog_ring_arm()
 *
 * Context: interrupts off, on the ring's CPU.
 */
void evtlog_ring_begin(struct evtlog_ring *r, u64 run)
{
	evtlog_ring_arm(r, run);
	ring_swap(r);
	if (r->current_header)
		ring_let_fast_in(r);
}

/**
 * evtlog_ring_pass_on() - hand over the current buffer although it is not full
 *
 * The next record opens another buffer.
 *
 * Context: interrupts off, on the ring's CPU, or its CPU is offline.
 */
void evtlog_ring_pass_on(struct evtlog_ring *r)
{
	struct evtlog_clock_set clock;

	if (!r->current_header)
		return;
	WRITE_ONCE(r->end, NULL);
	evtlog_clock_set_read(&clock);
	evtlog_ring_pass_on_at(r, &clock);
}

/**
 * evtlog_ring_pass_on_at() - as evtlog_ring_pass_on(), at an instant already read
 * @clock:	the instant, not before the last record
 *
 * Context: as for evtlog_ring_pass_on(), or the ring's writers are kept out.
 */
void evtlog_ring_pass_on_at(struct evtlog_ring *r, const struct evtlog_clock_set *clock)
{
	if (!r->current_header)
		return;
	ring_close(r, EVTLOG_BUFFER_FLUSHED, clock);
	ring_hand_over(r);
}

/**
 * evtlog_ring_may_pass_on() - return true if a buffer would be free for the next record
 * @r:		the ring, with a current buffer
 *
 * Context: as for evtlog_ring_pass_on().
 */
bool evtlog_ring_may_pass_on(const struct evtlog_ring *r)
{
	/* Pairs with the release in evtlog_ring_release(). */
	return r->closed + 1 - smp_load_acquire(&r->tail) < r->nr_buffers;
}

/**
 * evtlog_ring_step() - swap buffers at a step of a clock
 * @before, @after: readings before and after the step, in this order, taken now
 *
 * A buffer ends with @before and the next one begins with @after, if one is free.
 *
 * Context: interrupts off, on the ring's CPU, not an NMI.
 */
void evtlog_ring_step(struct evtlog_ring *r, const struct evtlog_clock_set *before,
		      const struct evtlog_clock_set *after)
{
	evtlog_ring_look(r);
	if (r->busy || !READ_ONCE(r->recording) || !r->current_header || !evtlog_ring_may_pass_on(r))
		return;
	r->busy++;
	barrier();
	ring_swap_at(r, EVTLOG_BUFFER_FLUSHED, before, after);
	ring_let_fast_in(r);
	barrier();
	r->busy--;
}

/**
 * evtlog_ring_flush() - hand over the current buffer and stop recording
 *
 * For a CPU that goes offline during a run.  evtlog_ring_begin() continues its part,
 * evtlog_ring_end() ends it.
 *
 * Context: interrupts off, on the ring's CPU, or its CPU is offline.
 */
void evtlog_ring_flush(struct evtlog_ring *r)
{
	r->recording = false;
	evtlog_ring_pass_on(r);
}

/* Notes that the FINAL buffer must be written as soon as there is room. */
static void ring_owes_final(struct evtlog_ring *r)
{
	unsigned int cause;

	for (cause = EVTLOG_LOST_NMI; cause <= EVTLOG_LOST_LARGE; cause++)
		r->stop_lost[cause] = ring_tell(r, cause);
	WRITE_ONCE(r->final_due, true);
}

/**
 * evtlog_ring_end() - end a CPU's part of a run
 *
 * The FINAL buffer is closed, or noted as due, but not handed over yet: evtlog_ring_finish() hands
 * it over when the number of CPUs that took part is known.
 *
 * Context: interrupts off, on the ring's CPU, or its CPU is offline.
 */
void evtlog_ring_end(struct evtlog_ring *r)
{
	struct evtlog_clock_set clock;

	/* As in ring_swap(): no record of a probe is later than the end. */
	WRITE_ONCE(r->end, NULL);
	evtlog_clock_set_read(&clock);
	evtlog_ring_end_at(r, &clock);
}

/**
 * evtlog_ring_end_at() - as evtlog_ring_end(), at an instant already read
 * @clock:	the instant, not before the last record
 *
 * Context: as for evtlog_ring_end(), or the caller has claimed the ring.
 */
void evtlog_ring_end_at(struct evtlog_ring *r, const struct evtlog_clock_set *clock)
{
	if (!r->in_run)
		return;
	WRITE_ONCE(r->recording, false);
	r->stop_clock = *clock;
	/* Records were lost after this buffer's last one: only another buffer can report them. */
	if (r->current_header && r->lost[EVTLOG_LOST_FULL]) {
		ring_close(r, EVTLOG_BUFFER_FLUSHED, &r->stop_clock);
		ring_hand_over(r);
	}
	if (r->current_header)
		ring_close(r, EVTLOG_BUFFER_FLUSHED | EVTLOG_BUFFER_FINAL,
			   &r->stop_clock);
	else
		ring_owes_final(r);
}

/**
 * evtlog_ring_end_unused() - end a run's part for a CPU that had no event in it
 * @r:		the ring, claimed by the caller, with buffers, not in a run
 * @run:	the run's number
 * @clock:	end of the run
 *
 * Context: any CPU, interrupts off.
 */
void evtlog_ring_end_unused(struct evtlog_ring *r, u64 run,
			    const struct evtlog_clock_set *clock)
{
	struct evtlog_buffer_header *h;
	const u64 *pos;

	/* Never set @recording: the CPU may read it, if it was delayed since before the run. */
	ring_take_part(r, run);
	r->stop_clock = *clock;
	if (!ring_has_free(r)) {
		ring_owes_final(r);
		return;
	}
	h = r->buffer[r->closed % r->nr_buffers];
	pos = ring_prepare(r, clock);
	evtlog_context_fill_other(h, r->cpu);
	ring_complete(r, h, pos, EVTLOG_BUFFER_FLUSHED | EVTLOG_BUFFER_FINAL, clock);
	/* What the CPU did after the stop was not observed. */
	if (h->begin_ticks <= evtlog_run_label.stop_ticks && h->begin_ticks != clock->ticks)
		h->end_ticks = evtlog_run_label.stop_ticks;
}

/**
 * evtlog_ring_finish() - hand over the FINAL buffer
 * @r:		a ring that evtlog_ring_end() ended
 * @cpus_in_run: number of CPUs that took part, stored in the buffer's header
 *
 * While @r->final_due, called again after the reader has returned a buffer.
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
		/* Hooks may still read @pos and @end: they stay NULL. */
		h = r->buffer[r->closed % r->nr_buffers];
		ring_complete(r, h, ring_prepare(r, &r->stop_clock),
			      EVTLOG_BUFFER_FLUSHED | EVTLOG_BUFFER_FINAL,
			      &r->stop_clock);
		WRITE_ONCE(r->final_due, false);
	}
	h = r->buffer[(r->closed - 1) % r->nr_buffers];
	h->cpus_in_run = cpus_in_run;
	r->in_run = false;
	ring_hand_over(r);
}

/**
 * evtlog_ring_peek() - return the oldest full buffer
 * @slot:	set to its index in @r->buffer, if not NULL
 *
 * Context: the ring's one reader.
 * Return: the buffer, which belongs to the reader until evtlog_ring_release(), or NULL.
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
 * evtlog_ring_release() - return the oldest full buffer to the writer
 *
 * Context: the ring's one reader, after evtlog_ring_peek() returned a buffer.
 */
void evtlog_ring_release(struct evtlog_ring *r)
{
	/* Pairs with the acquire in ring_has_free(). */
	smp_store_release(&r->tail, READ_ONCE(r->tail) + 1);
}

/**
 * evtlog_ring_has_place() - return true if a record would be written now, false if it would be lost
 * @words:	length of the record
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
 * evtlog_ring_position() - return the position of the next record
 * @position:	filled in
 *
 * If this CPU was idle at the stop, another CPU may be completing its ring.  The ring is then left
 * alone, because it records no more.  A ring is not claimed while its CPU executes this.
 *
 * Context: interrupts off, on the ring's CPU, after evtlog_ring_look().
 */
void evtlog_ring_position(const struct evtlog_ring *r,
			  struct evtlog_position *position)
{
	const struct evtlog_buffer_header *h;

	memset(position, 0, sizeof(*position));
	/* Pairs with the release in is_over(): by then it is not recording. */
	if (!(smp_load_acquire(&r->epoch) & EVTLOG_EPOCH_CLAIMED) && r->recording) {
		h = r->current_header;
		position->run = r->run;
		position->sequence = h ? h->sequence : r->sequence;
		position->offset = h ? (u32)((u8 *)r->pos - (u8 *)h) : sizeof(*h);
	}
	position->ticks = evtlog_ticks64();
}

/**
 * evtlog_ring_waiting() - return the number of full buffers that the reader has not returned yet
 *
 * Both ends are read at one instant: the loop repeats while the reader returns buffers.
 */
u32 evtlog_ring_waiting(const struct evtlog_ring *r)
{
	u64 head, tail;

	do {
		/* Pair with the releases in evtlog_ring_release() and ring_hand_over(). */
		tail = smp_load_acquire(&r->tail);
		head = smp_load_acquire(&r->head);
	} while (READ_ONCE(r->tail) != tail);
	return (u32)(head - tail);
}

/**
 * evtlog_ring_lost() - return the number of events that the run has lost
 * @cause:	EVTLOG_LOST_*
 *
 * Includes losses of a buffer that is not closed yet.
 *
 * Context: any; the numbers change meanwhile.
 */
u64 evtlog_ring_lost(const struct evtlog_ring *r, unsigned int cause)
{
	u64 lost = READ_ONCE(r->total_lost[cause]);

	if (cause != EVTLOG_LOST_FULL && READ_ONCE(r->current_header))
		lost += ring_untold(r, cause, READ_ONCE(r->lost[cause]));
	return lost;
}
