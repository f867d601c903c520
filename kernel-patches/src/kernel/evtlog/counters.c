// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own counters, written by each CPU where its part of a run begins and ends.
 *
 * Called by join.c in the first and the last event that a CPU has to do with a run:
 * the difference is exactly what a complete log holds of this CPU.
 * `evtlog check` compares.
 *
 * All are a CPU's own.  A switch, a softirq's entry, a device interrupt and a received ICMP
 * message are counted before their hooks: where such an event is the first or the one not
 * recorded any more, it is taken off.  Between the count of a softirq, or of a message,
 * and its hook an interrupt may come: these counters are read where that cannot be.
 */
#include <linux/evtlog.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/kernel_stat.h>
#include <linux/sched/cputime.h>
#include <linux/slab.h>
#ifdef CONFIG_INET
#include <net/icmp.h>
#include <net/net_namespace.h>
#endif
#ifdef CONFIG_X86
#include <asm/hardirq.h>
#endif

#include "../sched/sched.h"
#include "counters.h"
#include "ring.h"

#define COUNTER_BITS	5
#define INDEX_BITS	20

/* A machine with more such lines has its device interrupts unwitnessed. */
#define LINES_MAX	128

/*
 * struct line - a device interrupt that has not one record each time, when the kernel was armed
 * @irq:	its number
 * @is_nested:	it has none: its handlers run in a thread
 * @counts:	of each CPU
 * @desc:	held, so that @counts stays when the line is given back: what a start told is not 0 at
 *		the end
 */
struct line {
	u32 irq;
	bool is_nested;
	const unsigned int __percpu *counts;
	struct irq_desc *desc;
};

/* Changed while no run records, under evtlog_run_lock. */
static struct line *lines;
static unsigned int line_count;
static bool are_witnessed;

/* One CPU's, read by another; guarded by evtlog_run_lock. */
static u64 *others;

DEFINE_PER_CPU(bool, evtlog_counters_icmp);

u64 evtlog_rejecting;
DEFINE_PER_CPU(struct evtlog_rejected, evtlog_rejected);
static struct evtlog_rejected others_rejected;

/* Numbers of counters: switches, softirqs, vectors, ICMP, device interrupts; then @lines. */
#define SOFTIRQ_FIRST	1
#define VECTOR_FIRST	(SOFTIRQ_FIRST + NR_SOFTIRQS)

#if defined(CONFIG_X86) && defined(CONFIG_X86_LOCAL_APIC)
static const u8 vectors[] = {
	EVTLOG_LOCAL_TIMER_ENTRY, EVTLOG_IRQ_WORK_ENTRY,
#ifdef CONFIG_SMP
	EVTLOG_RESCHEDULE_ENTRY, EVTLOG_CALL_FUNCTION_ENTRY,
#endif
};

static u64 vector_count(unsigned int cpu, u8 type)
{
	const irq_cpustat_t *stat = per_cpu_ptr(&irq_stat, cpu);

	switch (type) {
	case EVTLOG_LOCAL_TIMER_ENTRY:
		return stat->apic_timer_irqs;
	case EVTLOG_IRQ_WORK_ENTRY:
		return stat->apic_irq_work_irqs;
#ifdef CONFIG_SMP
	case EVTLOG_RESCHEDULE_ENTRY:
		return stat->irq_resched_count;
	case EVTLOG_CALL_FUNCTION_ENTRY:
		/* Also counts call_function_single: the kernel has one counter for both. */
		return stat->irq_call_count;
#endif
	}
	return 0;
}

#define VECTORS		ARRAY_SIZE(vectors)
#else
static const u8 vectors[1];

static u64 vector_count(unsigned int cpu, u8 type)
{
	return 0;
}

#define VECTORS		0
#endif

#define ICMP_FIRST	(VECTOR_FIRST + VECTORS)

#ifdef CONFIG_INET
#define ICMP_COUNTERS	1

/* As many as come to their hook: the first namespace's with a right checksum. */
static u64 icmp_count(unsigned int cpu)
{
	const struct icmp_mib *mib = per_cpu_ptr(init_net.mib.icmp_statistics, cpu);

	return mib->mibs[ICMP_MIB_INMSGS] - mib->mibs[ICMP_MIB_CSUMERRORS];
}
#else
#define ICMP_COUNTERS	0

static u64 icmp_count(unsigned int cpu)
{
	return 0;
}
#endif

#define IRQS		(ICMP_FIRST + ICMP_COUNTERS)
#define FIXED		(IRQS + 1)

#ifdef CONFIG_SPARSE_IRQ
static bool line_hold(struct irq_desc *desc)
{
	return kobject_get_unless_zero(&desc->kobj);
}

static void line_put(struct irq_desc *desc)
{
	kobject_put(&desc->kobj);
}
#else
static bool line_hold(struct irq_desc *desc)
{
	return true;
}

static void line_put(struct irq_desc *desc)
{
}
#endif

/* False: its count is that of its records. */
static bool look_at(struct irq_desc *desc, unsigned int irq, struct line *line)
{
	unsigned long flags;
	bool is_shared;

	raw_spin_lock_irqsave(&desc->lock, flags);
	is_shared = desc->action && desc->action->flags & IRQF_SHARED;
	*line = (struct line) {
		.irq = irq,
		.is_nested = desc->status_use_accessors & IRQ_NESTED_THREAD,
		.counts = desc->kstat_irqs,
		.desc = desc,
	};
	raw_spin_unlock_irqrestore(&desc->lock, flags);
	return (is_shared || line->is_nested) && line->counts;
}

/**
 * evtlog_counters_release() - forget the device interrupts that were noted
 *
 * Context: task context; the run's lock is held, and no run records.
 */
void evtlog_counters_release(void)
{
	while (line_count)
		line_put(lines[--line_count].desc);
}

/**
 * evtlog_counters_prepare() - take note of the device interrupts that have not one record each time
 *
 * Until evtlog_counters_release(), or until this is called again, they are kept in memory.
 *
 * Context: task context; the run's lock is held, and no run records.
 * Return: 0 or -ENOMEM.
 */
int evtlog_counters_prepare(void)
{
	struct irq_desc *desc;
	struct line line;
	unsigned int i;

	if (!lines)
		lines = kvcalloc(LINES_MAX, sizeof(*lines), GFP_KERNEL);
	if (!others)
		others = kvcalloc(FIXED + LINES_MAX, sizeof(*others), GFP_KERNEL);
	if (!lines || !others)
		return -ENOMEM;
	evtlog_counters_release();
	are_witnessed = true;
	rcu_read_lock();
	for_each_irq_desc(i, desc) {
		if (!look_at(desc, i, &line))
			continue;
		if (i < 1 << INDEX_BITS && line_count < LINES_MAX && line_hold(desc))
			lines[line_count++] = line;
		else
			are_witnessed = false;
	}
	rcu_read_unlock();
	return 0;
}

static u64 fixed_value(unsigned int number, unsigned int cpu)
{
	if (number < SOFTIRQ_FIRST)
		return cpu_rq(cpu)->nr_switches;
	if (number < VECTOR_FIRST)
		return kstat_softirqs_cpu(number - SOFTIRQ_FIRST, cpu);
	if (number < ICMP_FIRST)
		return vector_count(cpu, vectors[number - VECTOR_FIRST]);
	return number < IRQS ? icmp_count(cpu) : kstat_cpu_irqs_sum(cpu);
}

/* Of an event with @tag, which is not recorded before the counters: its own count. */
static u64 counted_already(unsigned int number, u32 tag)
{
	unsigned int type = tag & EVTLOG_TYPE_MAX, data = tag >> EVTLOG_TYPE_BITS;

	if (number < SOFTIRQ_FIRST)
		return type == EVTLOG_SCHED_SWITCH;
	if (number < VECTOR_FIRST)
		return type == EVTLOG_SOFTIRQ_ENTRY && data == number - SOFTIRQ_FIRST;
	if (number < ICMP_FIRST)
		return 0;
	return type == EVTLOG_ICMP_RX && this_cpu_read(evtlog_counters_icmp);
}

/* @clock: of a ring that was claimed; NULL: it is this CPU's, and the time is now */
static void write_one(struct evtlog_ring *r, bool at_end, u32 counter, u32 index, u64 value,
		      const struct evtlog_clock_set *clock)
{
	u32 tag = EVTLOG_TAG(EVTLOG_COUNTER, at_end | counter << 1 | index << (1 + COUNTER_BITS));
	u64 *record = clock ? evtlog_ring_write_claimed(r, tag, 2, clock) :
			      evtlog_ring_write_busy(r, tag, 2);

	if (record)
		record[1] = value;
}

static void write_fixed(struct evtlog_ring *r, bool at_end, unsigned int number, u64 value,
			const struct evtlog_clock_set *clock)
{
	if (number < SOFTIRQ_FIRST)
		write_one(r, at_end, EVTLOG_COUNTER_SWITCHES, 0, value, clock);
	else if (number < VECTOR_FIRST)
		write_one(r, at_end, EVTLOG_COUNTER_SOFTIRQ, number - SOFTIRQ_FIRST, value, clock);
	else if (number < ICMP_FIRST)
		write_one(r, at_end, EVTLOG_COUNTER_VECTOR, vectors[number - VECTOR_FIRST], value,
			  clock);
	else
		write_one(r, at_end, EVTLOG_COUNTER_ICMP, 0, value, clock);
}

/* Its difference is exactly what lacks of these types, and why. */
static void write_rejected(struct evtlog_ring *r, bool at_end,
			   const struct evtlog_rejected *rejected,
			   const struct evtlog_clock_set *clock)
{
	unsigned int type;

	if (likely(!evtlog_rejecting))
		return;
	for (type = 0; type <= EVTLOG_TYPE_MAX; type++) {
		if (evtlog_rejecting >> type & 1)
			write_one(r, at_end, EVTLOG_COUNTER_REJECTED, type,
				  rejected->records[type], clock);
	}
}

static bool is_among(unsigned int number, unsigned int which)
{
	bool waits = (number >= SOFTIRQ_FIRST && number < VECTOR_FIRST) ||
		     (number >= ICMP_FIRST && number < IRQS);

	return which & (waits ? EVTLOG_COUNTERS_SOFTIRQS : EVTLOG_COUNTERS_OTHERS);
}

/*
 * Device interrupts: @all of a CPU, and those of @lines by their place there; of an interrupt with
 * @tag, which is not recorded before the counters, its own count is taken off.
 */
static void write_irqs(struct evtlog_ring *r, bool at_end, u64 all, const u64 *values, u32 tag,
		       const struct evtlog_clock_set *clock)
{
	bool is_irq = (tag & EVTLOG_TYPE_MAX) == EVTLOG_IRQ_HANDLER_ENTRY;
	const struct line *line;
	u32 value;

	for (line = lines; line < lines + line_count; line++) {
		value = values ? values[line - lines] : *this_cpu_ptr(line->counts);
		all -= value;
		if (line->is_nested)
			continue;
		if (is_irq && tag == EVTLOG_TAG(EVTLOG_IRQ_HANDLER_ENTRY, line->irq)) {
			value--;
			is_irq = false;
		}
		if (value)
			write_one(r, at_end, EVTLOG_COUNTER_IRQ, line->irq, value, clock);
	}
	if (are_witnessed)
		write_one(r, at_end, EVTLOG_COUNTER_IRQS, 0, all - is_irq, clock);
}

/**
 * evtlog_counters_write() - write this CPU's counters as COUNTER records
 * @r:		its ring, @busy set
 * @at_end:	of the run, rather than at its start
 * @which:	EVTLOG_COUNTERS_*
 * @tag:	of the event in which that is done, and which is recorded after it or not
 *		at all; 0: in none
 *
 * Context: interrupts off, on the ring's CPU, perhaps with its run queue locked.
 */
void evtlog_counters_write(struct evtlog_ring *r, bool at_end, unsigned int which, u32 tag)
{
	unsigned int i;

	for (i = 0; i < IRQS; i++) {
		if (is_among(i, which))
			write_fixed(r, at_end, i,
				    fixed_value(i, r->cpu) - counted_already(i, tag), NULL);
	}
	if (!(which & EVTLOG_COUNTERS_OTHERS))
		return;
	write_rejected(r, at_end, this_cpu_ptr(&evtlog_rejected), NULL);
	write_irqs(r, at_end, fixed_value(IRQS, r->cpu), NULL, tag, NULL);
}

/**
 * evtlog_counters_read_other() - read an idle CPU's counters
 * @cpu:	whose
 *
 * Context: the run's lock is held; the caller sees to it that the CPU was idle throughout.
 */
void evtlog_counters_read_other(unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < FIXED; i++)
		others[i] = data_race(fixed_value(i, cpu));
	others_rejected = data_race(*per_cpu_ptr(&evtlog_rejected, cpu));
	for (i = 0; i < line_count; i++)
		others[FIXED + i] = data_race(*per_cpu_ptr(lines[i].counts, cpu));
}

/**
 * evtlog_counters_write_other() - write what evtlog_counters_read_other() read
 * @r:		the CPU's ring, which the caller has claimed
 * @at_end:	of the run, rather than at its start
 * @which:	EVTLOG_COUNTERS_*
 * @clock:	when they were read
 *
 * Context: the run's lock is held, interrupts off.
 */
void evtlog_counters_write_other(struct evtlog_ring *r, bool at_end, unsigned int which,
				 const struct evtlog_clock_set *clock)
{
	unsigned int i;

	for (i = 0; i < IRQS; i++) {
		if (is_among(i, which))
			write_fixed(r, at_end, i, others[i], clock);
	}
	if (!(which & EVTLOG_COUNTERS_OTHERS))
		return;
	write_rejected(r, at_end, &others_rejected, clock);
	write_irqs(r, at_end, others[IRQS], others + FIXED, 0, clock);
}
