/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The per-CPU ring of buffers and its writers.
 *
 * A hook writes its event; the reader behind /proc/evtlog/cpuN takes whole buffers.  Nothing
 * here knows what events mean, runs over several CPUs, or how a reader is woken.
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
#include <linux/irqflags.h>
#include <linux/percpu.h>
#ifdef CONFIG_EVTLOG_DEBUG
#include <linux/bug.h>
#include <linux/preempt.h>
#endif

#include "clock.h"

#define EVTLOG_BUFFERS_MIN	2
#define EVTLOG_BUFFERS_MAX	64

/* The 32 bits of a record's first word that are not time. */
#define EVTLOG_TAG(type, data)	((u32)(type) | (u32)(data) << EVTLOG_TYPE_BITS)

/*
 * What all CPUs are to do: the run's number, and whether it is recorded.  One store starts or
 * stops a run; each CPU follows at its next event (join.c).  A ring's own epoch says
 * how far its CPU has followed, with two flags more.
 */
#define EVTLOG_EPOCH_RECORDING	0x1ULL
#define EVTLOG_EPOCH_LEAVING	0x2ULL	/* saw the stop, still has to record */
#define EVTLOG_EPOCH_CLAIMED	0x4ULL	/* another CPU completes this ring */
#define EVTLOG_EPOCH_RUN_SHIFT	3
#define EVTLOG_EPOCH_NONE	(~0ULL)	/* equals no epoch */

extern u64 evtlog_epoch;

struct evtlog_ring;

/*
 * struct evtlog_ring_owner - whose a ring is, if it is not one of runs
 * @name:	in the header of each buffer, where that of a run would be
 * @handed_over: called in place of evtlog_ring_handed_over()
 * @is_global:	all CPUs write the ring, one at a time: buffers say so, and name no task
 *
 * Nothing of such a ring follows evtlog_epoch.  Its owner lets the fast writers in, and
 * writes all other records by evtlog_ring_write_row().
 */
struct evtlog_ring_owner {
	char name[EVTLOG_RUN_NAME_LEN];
	void (*handed_over)(struct evtlog_ring *r);
	bool is_global;
};

/*
 * struct evtlog_ring - one CPU's buffers
 *
 * First line, all that a record touches:
 * @pos:	where the next record goes
 * @end:	where the fast writers stop: @limit; or NULL, which sends each record the
 *		slow way.  Any CPU may store NULL: so a stop is seen at the next event
 * @idle_epoch:	while evtlog_epoch has this value there is nothing to do for a record
 * @epoch:	the last one that the CPU follows
 * @high:	upper half of the last record's ticks
 * @current_header: the current buffer, NULL when there is none
 * @limit:	end of the current buffer
 *
 * The writer's, touched once a buffer:
 * @closed:	buffers closed since boot
 * @busy:	how many users, one within another, have the slow way in use or closed while they
 *		fill in a record: an event that would take it is lost and counted
 * @recording:	between start and stop; else records fall through unseen
 * @in_run:	the CPU took part in @run, and its FINAL buffer is to come
 * @final_due:	stopped while no buffer was free: the reader's next return
 *		makes room for the FINAL buffer, which tells the loss, as of @stop_clock
 *		and @stop_lost
 * @softirqs_due: the start's counters of softirqs and ICMP are still to be told
 * @came_ticks:	since when the CPU is online; U64_MAX: it is coming up.  Who completes another CPU's ring may
 *		read it meanwhile
 * @owner:	NULL: it is one of runs
 * @lost:	by cause: FULL, not yet reported in a buffer; the others as evtlog_lost_add_one()
 *		counts them, of which @told is what buffers have reported
 * @lost_first, @lost_last: when, for EVTLOG_LOST_FULL
 * @slow_ticks: when the last record was that evtlog_ring_slow() wrote
 * @total_lost, @total_bytes, @total_buffers: of this run, for status
 *
 * @head is stored by the writer, @tail by the reader, each with release, and
 * loaded by the other with acquire: what was written to a buffer
 * before is seen after.  Each on a line of its own.
 *
 * Races that are meant: status reads @pos, @current_header, @run and the totals while they
 * change, marked there alone, for a word's store is never read half; any CPU stores to @end,
 * and a CPU that another one has just claimed looks at @idle_epoch and @epoch.  The fast
 * writers need no marks: what they access is their own CPU's, each by one instruction.
 */
struct evtlog_ring {
	u64 *pos;
	u64 *end;
	u64 idle_epoch;
	u64 epoch;
	struct evtlog_buffer_header *current_header;
	u64 *limit;
	u32 high;
	u32 nr_buffers;
	u8 busy;
	bool recording;
	bool in_run;
	bool final_due;
	bool softirqs_due;

	u64 run ____cacheline_aligned;
	u64 closed;
	u64 came_ticks;
	u32 cpu;
	u32 buffer_bytes;
	u64 sequence;
	u64 lost[EVTLOG_LOST_CAUSES];
	u64 told[EVTLOG_LOST_CAUSES];
	u64 lost_first;
	u64 lost_last;
	u64 slow_ticks;
	u64 total_lost[EVTLOG_LOST_CAUSES];
	u64 total_bytes;
	u64 total_buffers;
	struct evtlog_clock_set stop_clock;
	u64 stop_lost[EVTLOG_LOST_CAUSES];
	const struct evtlog_ring_owner *owner;
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
 * @start_ticks, @stop_ticks: when the run was started and stopped
 * @start_is_shared: in a counter that all CPUs share; else each begins when it joins
 * @tree_pid: of the first root of the tree that the run is of; 0: it is of all tasks
 */
struct evtlog_run_label {
	char name[EVTLOG_RUN_NAME_LEN];
	u64 reference_ticks;
	u64 start_ticks;
	u64 stop_ticks;
	bool start_is_shared;
	u32 tree_pid;
};

extern struct evtlog_run_label evtlog_run_label;

/* A CPU handed a buffer over; supplied by notify.c.  Interrupts are off. */
void evtlog_ring_handed_over(struct evtlog_ring *r);

/*
 * Brings a CPU to what evtlog_epoch asks for; supplied by join.c.  Interrupts are off, on the
 * ring's CPU, its @busy is set.  Returns whether the event with @tag is recorded.
 */
bool evtlog_ring_follow(struct evtlog_ring *r, u64 epoch, u32 tag);

/* Tells what evtlog_ring_follow() left for an event like this; the same. */
void evtlog_ring_apply_epoch(struct evtlog_ring *r, u32 tag);

u64 *evtlog_ring_slow(struct evtlog_ring *r, u32 tag, unsigned int words);
u64 *evtlog_ring_write_row(struct evtlog_ring *r, u32 tag, unsigned int words,
			   unsigned int records, const struct evtlog_clock_set *clock);
void evtlog_ring_look(struct evtlog_ring *r);
bool evtlog_ring_pass_over(struct evtlog_ring *r, u32 tag);
void evtlog_ring_arm(struct evtlog_ring *r, u64 run);
void evtlog_ring_begin(struct evtlog_ring *r, u64 run);
void evtlog_ring_pass_on(struct evtlog_ring *r);
void evtlog_ring_pass_on_at(struct evtlog_ring *r, const struct evtlog_clock_set *clock);
bool evtlog_ring_may_pass_on(const struct evtlog_ring *r);
void evtlog_ring_step(struct evtlog_ring *r, const struct evtlog_clock_set *before,
		      const struct evtlog_clock_set *after);
void evtlog_ring_flush(struct evtlog_ring *r);
void evtlog_ring_end(struct evtlog_ring *r);
void evtlog_ring_end_at(struct evtlog_ring *r, const struct evtlog_clock_set *clock);
void evtlog_ring_end_unused(struct evtlog_ring *r, u64 run,
			    const struct evtlog_clock_set *clock);
void evtlog_ring_finish(struct evtlog_ring *r, u32 cpus_in_run);
const struct evtlog_buffer_header *evtlog_ring_peek(struct evtlog_ring *r,
						    u32 *slot);
void evtlog_ring_release(struct evtlog_ring *r);
u32 evtlog_ring_waiting(const struct evtlog_ring *r);
u64 evtlog_ring_lost(const struct evtlog_ring *r, unsigned int cause);
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

/*
 * The two instructions that touch the ring per record, beside the record's own store, use
 * the per-CPU area directly where the compiler would go through a register.  A constant @ring is
 * an address in them.
 */
#if defined(CONFIG_X86_64) && defined(CONFIG_SMP) && !defined(CONFIG_UML)
static __always_inline bool evtlog_ring_is_full_at(const struct evtlog_ring __percpu *ring,
						   const u64 *pos)
{
	bool full;

	asm volatile("cmpq " __percpu_arg([end]) ", %[pos]"
		     : CC_OUT(ae) (full)
		     : [pos] "r" (pos), [end] "m" (ring->end));
	return full;
}

static __always_inline bool evtlog_ring_high_differs(const struct evtlog_ring __percpu *ring,
						     u32 high)
{
	bool differs;

	asm volatile("cmpl " __percpu_arg([ours]) ", %[high]"
		     : CC_OUT(ne) (differs)
		     : [high] "r" (high), [ours] "m" (ring->high));
	return differs;
}

static __always_inline void evtlog_ring_advance(struct evtlog_ring __percpu *ring, u64 *pos,
						unsigned int words)
{
	asm volatile("addq %[bytes], " __percpu_arg([pos])
		     : [pos] "+m" (ring->pos)
		     : [bytes] "er" ((u64)words * sizeof(*pos)));
}
#else
/* Not const: a copy of what they read would be, too. */
static __always_inline bool evtlog_ring_is_full_at(struct evtlog_ring __percpu *ring,
						   const u64 *pos)
{
	return (unsigned long)pos >= (unsigned long)this_cpu_read(ring->end);
}

static __always_inline bool evtlog_ring_high_differs(struct evtlog_ring __percpu *ring,
						     u32 high)
{
	return high != this_cpu_read(ring->high);
}

static __always_inline void evtlog_ring_advance(struct evtlog_ring __percpu *ring, u64 *pos,
						unsigned int words)
{
	this_cpu_write(ring->pos, pos + words);
}
#endif

static __always_inline bool evtlog_ring_is_full(const u64 *pos)
{
	return evtlog_ring_is_full_at(&evtlog_ring, pos);
}

/*
 * evtlog_ring_is_idle() - is there nothing to do for any record now?
 *
 * Armed, and no start seen.  Where this is asked before a record is made up, arming
 * costs least.
 */
static __always_inline bool evtlog_ring_is_idle(void)
{
	return READ_ONCE(evtlog_epoch) == this_cpu_read(evtlog_ring.idle_epoch);
}

/* The fast writer once it is known that there is room at @pos. */
static __always_inline bool
evtlog_ring_try_write_at(struct evtlog_ring __percpu *ring, u64 *pos, u32 tag, unsigned int words)
{
	u32 low, high;

	evtlog_assert_alone();
	evtlog_ticks(&low, &high);
	if (unlikely(evtlog_ring_high_differs(ring, high)))
		return false;
	evtlog_store_word(pos, low, tag);
	evtlog_ring_advance(ring, pos, words);
	return true;
}

/**
 * evtlog_ring_try_reserve() - begin a record if that is quickly done
 * @ring:	per-CPU: that of runs, or a named buffer's
 * @tag:	EVTLOG_TAG(type, data)
 * @words:	of the whole record, the first included; best a constant
 *
 * Context: interrupts off, not an NMI; they stay off until the caller has
 * stored the further words.
 * Return: the record, its first word stored, or NULL: nothing was done.
 */
static __always_inline u64 *
evtlog_ring_try_reserve(struct evtlog_ring __percpu *ring, u32 tag, unsigned int words)
{
	u64 *pos = this_cpu_read(ring->pos);

	if (unlikely(evtlog_ring_is_full_at(ring, pos + words - 1)))
		return NULL;
	return evtlog_ring_try_write_at(ring, pos, tag, words) ? pos : NULL;
}

/* The same once a hook has seen that there is room at @pos. */
static __always_inline bool evtlog_try_write_at_irqoff(u64 *pos, u32 tag)
{
	return evtlog_ring_try_write_at(&evtlog_ring, pos, tag, 1);
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

	return likely(!evtlog_ring_is_full(pos)) && evtlog_try_write_at_irqoff(pos, tag);
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
	if (unlikely(!evtlog_try_write_irqoff(tag)) && !evtlog_ring_is_idle())
		evtlog_ring_slow(this_cpu_ptr(&evtlog_ring), tag, 1);
}

/**
 * evtlog_reserve_irqoff() - begin a record of several words
 * @tag:	EVTLOG_TAG(type, data)
 * @words:	of the whole record, the first included; best a constant
 *
 * Context: interrupts off, not an NMI; they stay off until the caller has
 * stored the further words.
 * Return: the record, its first word stored, or NULL: not recording, or lost
 * and counted.
 */
static __always_inline u64 *evtlog_reserve_irqoff(u32 tag, unsigned int words)
{
	u64 *record = evtlog_ring_try_reserve(&evtlog_ring, tag, words);

	if (likely(record))
		return record;
	if (evtlog_ring_is_idle())
		return NULL;
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

/*
 * Losses that a CPU counts for itself, whatever another one does with its ring: the run's
 * number above, so that each is of the run in which it was, also before the CPU's first
 * record there; below how many, which nobody takes back.
 */
#define EVTLOG_LOST_RUN_SHIFT	32

static __always_inline u64 evtlog_lost_none(void)
{
	return READ_ONCE(evtlog_epoch) >> EVTLOG_EPOCH_RUN_SHIFT << EVTLOG_LOST_RUN_SHIFT;
}

static __always_inline bool evtlog_lost_is_of(u64 lost, u64 other)
{
	return lost >> EVTLOG_LOST_RUN_SHIFT == other >> EVTLOG_LOST_RUN_SHIFT;
}

static __always_inline u64 evtlog_lost_add_one(u64 lost)
{
	u64 none = evtlog_lost_none();

	return (evtlog_lost_is_of(lost, none) ? lost : none) + 1;
}

/* An NMI's event: counted, never written.  Any context. */
static __always_inline void evtlog_drop_nmi(void)
{
	this_cpu_write(evtlog_ring.lost[EVTLOG_LOST_NMI],
		       evtlog_lost_add_one(this_cpu_read(evtlog_ring.lost[EVTLOG_LOST_NMI])));
}

/* An event larger than a record may be; interrupts off, not an NMI. */
static __always_inline void evtlog_drop_large(void)
{
	this_cpu_write(evtlog_ring.lost[EVTLOG_LOST_LARGE],
		       evtlog_lost_add_one(this_cpu_read(evtlog_ring.lost[EVTLOG_LOST_LARGE])));
}

/* An event of what a record's maker called meanwhile; as above. */
static __always_inline void evtlog_drop_nested(void)
{
	this_cpu_write(evtlog_ring.lost[EVTLOG_LOST_NESTED],
		       evtlog_lost_add_one(this_cpu_read(evtlog_ring.lost[EVTLOG_LOST_NESTED])));
}

#endif /* EVTLOG_RING_H */
