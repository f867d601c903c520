/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The per-CPU ring of buffers and its writers.
 *
 * Hooks write events here; the reader of /proc/evtlog/cpuN takes whole buffers.  This code does not
 * depend on the meaning of events, on runs over several CPUs, or on how a reader is woken.
 *
 *	  buffer 0          buffer 1          ...          buffer nr-1
 *	+--------+-------+--------+-------+              +--------+------+
 *	| header | words | header | words |              | header | free |
 *	+--------+-------+--------+---+---+              +--------+------+
 *	 ^tail: the reader's           ^pos    ^end: of the current buffer
 *
 *	tail <= head <= closed <= tail + nr.  All count up forever: 64 bits do not
 *	wrap, which is required if nr is not a power of two.  Buffer n is in slot
 *	n % nr.  Buffers [tail, head) are full and belong to the reader.  The
 *	writer's current buffer, if there is one, is number "closed".
 *
 * There is one writer at a time and no lock: only the ring's own CPU writes, with interrupts off.
 * So a record is never seen incomplete and needs no atomic instruction.  In the most important
 * hooks interrupts are off already (__schedule(), interrupt entry).  Elsewhere, turning them off
 * for a dozen instructions is cheaper than a compare-and-swap and the count of unfinished records
 * that it would need.  NMIs cannot be kept out, so they never write: their records are counted as
 * lost.
 *
 * The clock is read after the position is fixed, and nothing can interrupt in between.  So the
 * records of a ring are in time order.
 *
 * tests/unit compiles this file and ring.c unmodified in user space.
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

/* The 32 bits of a record's first word that are not time */
#define EVTLOG_TAG(type, data)	((u32)(type) | (u32)(data) << EVTLOG_TYPE_BITS)

/*
 * The state that all CPUs are to follow: the run's number, and whether it is recorded.  One store
 * starts or stops a run; each CPU follows at its next event (join.c).  A ring's own epoch is the
 * last one that its CPU followed, and has two more flags.
 */
#define EVTLOG_EPOCH_RECORDING	0x1ULL
#define EVTLOG_EPOCH_LEAVING	0x2ULL	/* the stop was seen, but the CPU still records */
#define EVTLOG_EPOCH_CLAIMED	0x4ULL	/* another CPU completes this ring */
#define EVTLOG_EPOCH_RUN_SHIFT	3
#define EVTLOG_EPOCH_NONE	(~0ULL)	/* different from every epoch */

extern u64 evtlog_epoch;

struct evtlog_ring;

/*
 * struct evtlog_ring_owner - owner of a ring that does not belong to runs
 * @name:	in the header of each buffer, in place of the run's name
 * @handed_over: called instead of evtlog_ring_handed_over()
 * @is_global:	all CPUs write to the ring, one at a time.  Buffers have a flag for it and name no
 *		task
 *
 * Such a ring does not follow evtlog_epoch.  Its owner enables the fast path, and writes all other
 * records with evtlog_ring_write_row().
 */
struct evtlog_ring_owner {
	char name[EVTLOG_RUN_NAME_LEN];
	void (*handed_over)(struct evtlog_ring *r);
	bool is_global;
};

/*
 * struct evtlog_ring - one CPU's buffers
 *
 * First cache line, all that a record touches:
 * @pos:	position of the next record
 * @end:	limit of the fast path: @limit; or NULL, which sends each record to the slow path.
 *		Any CPU may store NULL, so that a stop is seen at the next event
 * @idle_epoch:	while evtlog_epoch has this value, there is nothing to do for a record
 * @epoch:	the last epoch that the CPU followed
 * @high:	upper half of the last record's ticks
 * @current_header: header of the current buffer; NULL if there is none
 * @limit:	end of the current buffer
 *
 * Used by the writer once per buffer:
 * @closed:	number of buffers closed since boot
 * @busy:	nesting depth of code that runs the slow path, or blocks it while it fills in a
 *		record.  An event that needs the slow path meanwhile is lost and counted
 * @recording:	true between start and stop; otherwise records are ignored
 * @in_run:	the CPU took part in @run, and its FINAL buffer has not been handed over
 * @final_due:	no buffer was free at the stop.  The next buffer that the reader returns becomes the
 *		FINAL buffer, which reports the loss, with @stop_clock and @stop_lost
 * @softirqs_due: the start values of the softirq and ICMP counters are still to be recorded
 * @came_ticks:	time since when the CPU is online; U64_MAX: it is coming up.  A CPU that completes
 *		another CPU's ring may read it meanwhile
 * @owner:	NULL: the ring belongs to runs
 * @lost:	lost records by cause.  FULL: not yet reported in a buffer.  Other causes: as
 *		counted by evtlog_lost_add_one(); @told is the part that buffers have reported
 * @lost_first, @lost_last: time of the first and the last loss by EVTLOG_LOST_FULL
 * @slow_ticks:	time of the last record that evtlog_ring_slow() wrote
 * @total_lost, @total_bytes, @total_buffers: of this run, for the status file
 *
 * The writer stores @head, the reader stores @tail, both with release.  The other side loads with
 * acquire: what was written to a buffer before is visible after.  Each is on its own cache line.
 *
 * Intended data races: the status file reads @pos, @current_header, @run and the totals while they
 * change.  They are marked only there, because a word's store is never seen half done.  Any CPU
 * stores to @end.  A CPU whose ring another CPU has just claimed may read @idle_epoch and @epoch.
 * The fast path needs no marks: it accesses its own CPU's members, with one instruction each.
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

/* In every buffer header, because run numbers start again at each boot */
extern u8 evtlog_boot_id[16];

/*
 * Common to all buffers of a run.  Changed only while no ring takes part in a run: all FINAL
 * buffers were handed over before.
 * @start_ticks, @stop_ticks: times of the start and the stop
 * @start_is_shared: all CPUs share the counter of @start_ticks; else each begins when it joins
 * @tree_pid:	pid of the first root of the run's tree; 0: the run records all tasks
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

/* A CPU handed over a buffer; defined in notify.c.  Interrupts are off. */
void evtlog_ring_handed_over(struct evtlog_ring *r);

/*
 * Makes a CPU follow evtlog_epoch; defined in join.c.  Interrupts are off, on the ring's CPU, with
 * @busy set.  Returns true if the event with @tag is recorded.
 */
bool evtlog_ring_follow(struct evtlog_ring *r, u64 epoch, u32 tag);

/* Records what evtlog_ring_follow() left for a suitable event.  Same context. */
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

/* The precondition of all writers; checked only in debug kernels */
#ifdef CONFIG_EVTLOG_DEBUG
#define evtlog_assert_alone() \
	WARN_ON_ONCE(!raw_irqs_disabled() || in_nmi())
#else
#define evtlog_assert_alone()	do { } while (0)
#endif

/* One aligned 64-bit store, or two 32-bit stores: no reader sees half a word. */
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
 * The instructions that access the ring for each record, in addition to the record's own store.
 * They use the per-CPU area directly, where the compiler would go through a register.  If @ring is
 * constant, they contain its address.
 */
#if defined(CONFIG_X86_64) && defined(CONFIG_SMP) && !defined(CONFIG_UML)
/* Since 6.8 an operand's address space can be the per-CPU area's, in the place of a prefix. */
#ifndef __my_cpu_var
#define __my_cpu_var(variable)	(variable)
#endif

static __always_inline bool evtlog_ring_is_full_at(const struct evtlog_ring __percpu *ring,
						   const u64 *pos)
{
	bool full;

	asm volatile("cmpq " __percpu_arg([end]) ", %[pos]"
		     : CC_OUT(ae) (full)
		     : [pos] "r" (pos), [end] "m" (__my_cpu_var(ring->end)));
	return full;
}

static __always_inline bool evtlog_ring_high_differs(const struct evtlog_ring __percpu *ring,
						     u32 high)
{
	bool differs;

	asm volatile("cmpl " __percpu_arg([ours]) ", %[high]"
		     : CC_OUT(ne) (differs)
		     : [high] "r" (high), [ours] "m" (__my_cpu_var(ring->high)));
	return differs;
}

static __always_inline void evtlog_ring_advance(struct evtlog_ring __percpu *ring, u64 *pos,
						unsigned int words)
{
	asm volatile("addq %[bytes], " __percpu_arg([pos])
		     : [pos] "+m" (__my_cpu_var(ring->pos))
		     : [bytes] "er" ((u64)words * sizeof(*pos)));
}
#else
/* @ring is not const, because this_cpu_read() would make a const copy of a const member. */
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
 * evtlog_ring_is_idle() - return true if there is nothing to do for any record now
 *
 * The kernel is armed, but no start has been seen.  Arming costs least if a hook checks this before
 * it prepares a record.
 */
static __always_inline bool evtlog_ring_is_idle(void)
{
	return READ_ONCE(evtlog_epoch) == this_cpu_read(evtlog_ring.idle_epoch);
}

/* The fast path, after the check that there is room at @pos */
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
 * evtlog_ring_try_reserve() - begin a record on the fast path
 * @ring:	per-CPU ring of runs, or of a named buffer
 * @tag:	EVTLOG_TAG(type, data)
 * @words:	length of the record including the first word, preferably a constant
 *
 * Context: interrupts off, not an NMI; they stay off until the caller has stored the other words.
 * Return: the record, its first word stored; NULL: nothing was done.
 */
static __always_inline u64 *
evtlog_ring_try_reserve(struct evtlog_ring __percpu *ring, u32 tag, unsigned int words)
{
	u64 *pos = this_cpu_read(ring->pos);

	if (unlikely(evtlog_ring_is_full_at(ring, pos + words - 1)))
		return NULL;
	return evtlog_ring_try_write_at(ring, pos, tag, words) ? pos : NULL;
}

/* As evtlog_try_write_irqoff(), after a hook has checked that there is room at @pos */
static __always_inline bool evtlog_try_write_at_irqoff(u64 *pos, u32 tag)
{
	return evtlog_ring_try_write_at(&evtlog_ring, pos, tag, 1);
}

/**
 * evtlog_try_write_irqoff() - write a record of one word on the fast path
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
 * Context: interrupts off, not an NMI.  A record without room is counted as lost.
 */
static __always_inline void evtlog_write_irqoff(u32 tag)
{
	if (unlikely(!evtlog_try_write_irqoff(tag)) && !evtlog_ring_is_idle())
		evtlog_ring_slow(this_cpu_ptr(&evtlog_ring), tag, 1);
}

/**
 * evtlog_reserve_irqoff() - begin a record of several words
 * @tag:	EVTLOG_TAG(type, data)
 * @words:	length of the record including the first word, preferably a constant
 *
 * Context: interrupts off, not an NMI; they stay off until the caller has stored the other words.
 * Return: the record, its first word stored; NULL: not recording, or lost and counted.
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
 * Context: interrupts are known to be on.
 */
static __always_inline void evtlog_write_irqon(u32 tag)
{
	raw_local_irq_disable();
	evtlog_write_irqoff(tag);
	raw_local_irq_enable();
}

/* The full time of the record just written; interrupts must still be off. */
static __always_inline u64 evtlog_record_ticks(const u64 *record)
{
	return (u64)this_cpu_read(evtlog_ring.high) << 32 | (u32)*record;
}

/*
 * Losses that a CPU counts itself, independently of what another CPU does with its ring.  Upper
 * half: the run's number, so that each loss belongs to its run, even before the CPU's first record
 * in it.  Lower half: the count, which is never reset within the run.
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

/* Counts an event in an NMI, which is never recorded.  Any context. */
static __always_inline void evtlog_drop_nmi(void)
{
	this_cpu_write(evtlog_ring.lost[EVTLOG_LOST_NMI],
		       evtlog_lost_add_one(this_cpu_read(evtlog_ring.lost[EVTLOG_LOST_NMI])));
}

/* Counts an event that is larger than a record can be.  Interrupts off, not an NMI. */
static __always_inline void evtlog_drop_large(void)
{
	this_cpu_write(evtlog_ring.lost[EVTLOG_LOST_LARGE],
		       evtlog_lost_add_one(this_cpu_read(evtlog_ring.lost[EVTLOG_LOST_LARGE])));
}

/* Counts an event in a function that the writer of a record called meanwhile.  Same context. */
static __always_inline void evtlog_drop_nested(void)
{
	this_cpu_write(evtlog_ring.lost[EVTLOG_LOST_NESTED],
		       evtlog_lost_add_one(this_cpu_read(evtlog_ring.lost[EVTLOG_LOST_NESTED])));
}

#endif /* EVTLOG_RING_H */
