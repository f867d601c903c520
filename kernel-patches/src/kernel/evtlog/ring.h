/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The per-CPU ring of buffers and its writers.
 *
 * Stage: between a hook, which has an event, and the reader behind
 * /proc/evtlog/cpuN, which takes whole buffers.  Knows nothing of what events
 * mean, of runs over several CPUs, or of waking anybody.
 *
 *	  buffer 0          buffer 1          ...          buffer nr-1
 *	+--------+-------+--------+-------+              +--------+------+
 *	| header | words | header | words |              | header | free |
 *	+--------+-------+--------+---+---+              +--------+------+
 *	 ^tail: the reader's           ^pos    ^end: of the current buffer
 *
 *	tail <= head <= closed <= tail + nr, all counting up for ever: 64 bits
 *	do not wrap, which a number nr that is no power of two needs.  Buffer n
 *	lives in slot n % nr.  [tail, head) is full and the reader's; the
 *	writer's current buffer, if it has one, is number "closed".
 *
 * One writer at a time and no lock: all writing is done by the ring's own CPU
 * with interrupts off, so that a record is never seen half made and
 * needs no atomic instruction.  In the places that matter interrupts are off
 * already (__schedule(), interrupt entry); elsewhere turning them off for a dozen
 * instructions is cheaper than a compare-and-swap and the count of unfinished
 * records that it would need.  What cannot be kept out, an NMI, never
 * writes: it counts its record as lost.
 *
 * The clock is read after the place is known and nothing can come in between,
 * so a ring's records are in time order.
 *
 * This file and ring.c are compiled unmodified in user space by tests/unit.
 */
#ifndef EVTLOG_RING_H
#define EVTLOG_RING_H

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/types.h>
#ifdef CONFIG_EVTLOG_DEBUG
#include <linux/bug.h>
#include <linux/preempt.h>
#endif
#include <uapi/linux/evtlog.h>

#include "clock.h"

#define EVTLOG_BUFFERS_MIN	2
#define EVTLOG_BUFFERS_MAX	64

/* The 32 bits of a record's first word that are not time. */
#define EVTLOG_TAG(type, data)	((u32)(type) | (u32)(data) << EVTLOG_TYPE_BITS)

/*
 * struct evtlog_ring - one CPU's buffers
 *
 * First line, all that a record touches:
 * @pos:	where the next record goes; not below @end when there is no place
 * @end:	end of the current buffer
 * @high:	upper half of the last record's ticks
 * @current_header: the current buffer, NULL when there is none
 *
 * The writer's, touched once a buffer:
 * @closed:	buffers closed since boot
 * @recording:	between start and stop; else records fall through unseen
 * @in_run:	the CPU took part in @run, and its FINAL buffer is to come
 * @final_due:	stopped while no buffer was free: the reader's next return
 *		makes room for the FINAL buffer, which tells the loss
 * @lost:	not yet reported in a buffer, by cause
 * @lost_first, @lost_last: when, for EVTLOG_LOST_FULL
 * @total_lost, @total_bytes, @total_buffers: of this run, for status
 *
 * @head is stored by the writer, @tail by the reader, each with release, and
 * loaded by the other with acquire: what was written to a buffer
 * before is seen after.  Each on a line of its own.
 */
struct evtlog_ring {
	u64 *pos;
	u64 *end;
	u32 high;
	bool recording;
	bool in_run;
	bool final_due;
	struct evtlog_buffer_header *current_header;
	u64 closed;
	u32 cpu;
	u32 nr_buffers;
	u32 buffer_bytes;

	u64 run ____cacheline_aligned;
	u64 sequence;
	u64 lost[EVTLOG_LOST_CAUSES];
	u64 lost_first;
	u64 lost_last;
	u64 total_lost[EVTLOG_LOST_CAUSES];
	u64 total_bytes;
	u64 total_buffers;
	struct evtlog_clock_set stop_clock;
	void *buffer[EVTLOG_BUFFERS_MAX];

	u64 head ____cacheline_aligned;
	u64 tail ____cacheline_aligned;
};

DECLARE_PER_CPU_ALIGNED(struct evtlog_ring, evtlog_ring);

/* In every buffer's header: run numbers begin anew at each boot. */
extern u8 evtlog_boot_id[16];

/*
 * What every buffer of the run carries.  Changed only while no ring takes part in
 * a run: all FINAL buffers are handed over before.
 */
struct evtlog_run_label {
	char name[EVTLOG_RUN_NAME_LEN];
	u64 reference_ticks;
};

extern struct evtlog_run_label evtlog_run_label;

/* A CPU handed a buffer over; supplied by notify.c.  Interrupts are off. */
void evtlog_ring_handed_over(struct evtlog_ring *r);

u64 *evtlog_ring_slow(struct evtlog_ring *r, u32 tag, unsigned int words);
void evtlog_ring_arm(struct evtlog_ring *r, u64 run);
void evtlog_ring_begin(struct evtlog_ring *r, u64 run);
void evtlog_ring_flush(struct evtlog_ring *r);
void evtlog_ring_end(struct evtlog_ring *r);
void evtlog_ring_finish(struct evtlog_ring *r, u32 cpus_in_run);
const struct evtlog_buffer_header *evtlog_ring_peek(struct evtlog_ring *r,
						    u32 *slot);
void evtlog_ring_release(struct evtlog_ring *r);
u32 evtlog_ring_waiting(const struct evtlog_ring *r);
bool evtlog_ring_has_place(const struct evtlog_ring *r, unsigned int words);
void evtlog_ring_position(const struct evtlog_ring *r,
			  struct evtlog_position *position);

/* The writers' one condition; checked in kernels made for finding bugs. */
#ifdef CONFIG_EVTLOG_DEBUG
#define evtlog_assert_alone() \
	WARN_ON_ONCE(!raw_irqs_disabled() || in_nmi())
#else
#define evtlog_assert_alone()	do { } while (0)
#endif

/* One aligned 64-bit store, or two of 32: half a word is never read. */
static __always_inline void evtlog_store_word(u64 *at, u32 low, u32 tag)
{
	u32 *half = (u32 *)at;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	half[0] = tag;
	half[1] = low;
#else
	half[0] = low;
	half[1] = tag;
#endif
}

/**
 * evtlog_try_write_irqoff() - write a record of one word if that is quickly done
 * @tag:	EVTLOG_TAG(type, data)
 *
 * Context: as for evtlog_write_irqoff().
 * Return: false: nothing was done, evtlog_ring_slow() is needed.
 */
static __always_inline bool evtlog_try_write_irqoff(u32 tag)
{
	u64 *pos = this_cpu_read(evtlog_ring.pos);
	u32 low, high;

	evtlog_assert_alone();
	if (unlikely(pos >= this_cpu_read(evtlog_ring.end)))
		return false;
	evtlog_ticks(&low, &high);
	if (unlikely(high != this_cpu_read(evtlog_ring.high)))
		return false;
	evtlog_store_word(pos, low, tag);
	this_cpu_write(evtlog_ring.pos, pos + 1);
	return true;
}

/**
 * evtlog_write_irqoff() - write a record of one word
 * @tag:	EVTLOG_TAG(type, data)
 *
 * Context: interrupts off, not an NMI.  A record for which there is no place
 * is counted as lost.
 */
static __always_inline void evtlog_write_irqoff(u32 tag)
{
	if (unlikely(!evtlog_try_write_irqoff(tag)))
		evtlog_ring_slow(this_cpu_ptr(&evtlog_ring), tag, 1);
}

/**
 * evtlog_reserve_irqoff() - begin a record of several words
 * @tag:	EVTLOG_TAG(type, data)
 * @words:	of the whole record, the first included; a constant
 *
 * Context: interrupts off, not an NMI; they stay off until the caller has
 * stored the further words.
 * Return: the record, its first word stored, or NULL: not recording, or lost
 * and counted.
 */
static __always_inline u64 *evtlog_reserve_irqoff(u32 tag, unsigned int words)
{
	u64 *pos = this_cpu_read(evtlog_ring.pos);
	u32 low, high;

	evtlog_assert_alone();
	if (unlikely(this_cpu_read(evtlog_ring.end) - pos < (long)words))
		goto slow;
	evtlog_ticks(&low, &high);
	if (unlikely(high != this_cpu_read(evtlog_ring.high)))
		goto slow;
	evtlog_store_word(pos, low, tag);
	this_cpu_write(evtlog_ring.pos, pos + words);
	return pos;
slow:
	return evtlog_ring_slow(this_cpu_ptr(&evtlog_ring), tag, words);
}

/**
 * evtlog_write() - write a record of one word in any context but an NMI
 * @tag:	EVTLOG_TAG(type, data)
 */
static __always_inline void evtlog_write(u32 tag)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	evtlog_write_irqoff(tag);
	raw_local_irq_restore(flags);
}

/**
 * evtlog_write_irqon() - write a record of one word where interrupts are on
 * @tag:	EVTLOG_TAG(type, data)
 *
 * Context: interrupts known to be on.
 */
static __always_inline void evtlog_write_irqon(u32 tag)
{
	raw_local_irq_disable();
	evtlog_write_irqoff(tag);
	raw_local_irq_enable();
}

/* The full time of the record just written; interrupts still off. */
static __always_inline u64 evtlog_record_ticks(const u64 *record)
{
	return (u64)this_cpu_read(evtlog_ring.high) << 32 | (u32)*record;
}

/* An NMI's event: counted, never written.  Any context. */
static __always_inline void evtlog_drop_nmi(void)
{
	this_cpu_inc(evtlog_ring.lost[EVTLOG_LOST_NMI]);
}

#endif /* EVTLOG_RING_H */
