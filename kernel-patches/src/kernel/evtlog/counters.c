// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own counters, written by each CPU where its part of a run begins and ends.
 *
 * Stage: called by join.c in the first and the last event that a CPU has to do with a run:
 * the difference is exactly what a complete log holds of this CPU.
 * `evtlog check` compares.
 *
 * All are a CPU's own.  A switch, a softirq's entry and a device interrupt are counted before
 * their hooks: where such an event is the first or the one not recorded any more, it is
 * taken off.  Between a softirq's count and its hook an interrupt may come: its
 * counters are read where that cannot be.
 */
#include <linux/evtlog.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/kernel_stat.h>
#include <linux/sched/cputime.h>
#include <linux/slab.h>
#ifdef CONFIG_X86
#include <asm/hardirq.h>
#endif

#include "../sched/sched.h"
#include "counters.h"
#include "ring.h"

#define COUNTER_BITS	5
#define INDEX_BITS	20

/* A machine with more lines in use has the rest unwitnessed. */
#define IRQS_MAX	4096

/* Device interrupts in use when the kernel was armed; changed while nobody records. */
static u32 *irqs;
static unsigned int irq_count;

/* One CPU's, read by another; guarded by evtlog_run_lock. */
static u64 *others;

/* Numbers of counters: switches, softirqs, vectors, then @irqs. */
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

#define IRQ_FIRST	(VECTOR_FIRST + VECTORS)

static bool irq_is_witness(const struct irq_desc *desc)
{
	/*
	 * Nested in a thread they are counted, but are no interrupts.  A line that is given back or
	 * set up meanwhile, under a lock that must not be taken here, may be told or not.
	 */
	return data_race(desc->action) && desc->kstat_irqs &&
	       !(data_race(desc->status_use_accessors) & IRQ_NESTED_THREAD);
}

/**
 * evtlog_counters_prepare() - take note of the device interrupts in use
 *
 * Context: task context; the run's lock is held, and nobody records.
 * Return: 0 or -ENOMEM.
 */
int evtlog_counters_prepare(void)
{
	struct irq_desc *desc;
	unsigned int i;

	if (!irqs)
		irqs = kvcalloc(IRQS_MAX, sizeof(*irqs), GFP_KERNEL);
	if (!others)
		others = kvcalloc(IRQ_FIRST + IRQS_MAX, sizeof(*others), GFP_KERNEL);
	if (!irqs || !others)
		return -ENOMEM;
	irq_count = 0;
	rcu_read_lock();
	for_each_irq_desc(i, desc) {
		if (i < 1 << INDEX_BITS && irq_count < IRQS_MAX && irq_is_witness(desc))
			irqs[irq_count++] = i;
	}
	rcu_read_unlock();
	return 0;
}

static u64 irq_value(unsigned int cpu, unsigned int irq)
{
	const struct irq_desc *desc = irq_to_desc(irq);

	/* Also while nobody has the line: what it counted stays, or a start would be told as 0. */
	return desc && desc->kstat_irqs ? *per_cpu_ptr(desc->kstat_irqs, cpu) : 0;
}

static u64 value_of(unsigned int number, unsigned int cpu)
{
	if (number < SOFTIRQ_FIRST)
		return cpu_rq(cpu)->nr_switches;
	if (number < VECTOR_FIRST)
		return kstat_softirqs_cpu(number - SOFTIRQ_FIRST, cpu);
	if (number < IRQ_FIRST)
		return vector_count(cpu, vectors[number - VECTOR_FIRST]);
	return irq_value(cpu, irqs[number - IRQ_FIRST]);
}

/* Of an event with @tag, which is not recorded before the counters: its own count. */
static u64 counted_already(unsigned int number, u32 tag)
{
	unsigned int type = tag & EVTLOG_TYPE_MAX, data = tag >> EVTLOG_TYPE_BITS;

	if (number < SOFTIRQ_FIRST)
		return type == EVTLOG_SCHED_SWITCH;
	if (number < VECTOR_FIRST)
		return type == EVTLOG_SOFTIRQ_ENTRY && data == number - SOFTIRQ_FIRST;
	if (number < IRQ_FIRST)
		return 0;
	return type == EVTLOG_IRQ_HANDLER_ENTRY && data == irqs[number - IRQ_FIRST];
}

/* @clock: of a ring that was claimed; NULL: it is this CPU's, and the time is now */
static void write_counter(struct evtlog_ring *r, bool at_end, unsigned int number, u64 value,
			  const struct evtlog_clock_set *clock)
{
	u32 counter, index, tag;
	u64 *record;

	if (number < SOFTIRQ_FIRST) {
		counter = EVTLOG_COUNTER_SWITCHES;
		index = 0;
	} else if (number < VECTOR_FIRST) {
		counter = EVTLOG_COUNTER_SOFTIRQ;
		index = number - SOFTIRQ_FIRST;
	} else if (number < IRQ_FIRST) {
		counter = EVTLOG_COUNTER_VECTOR;
		index = vectors[number - VECTOR_FIRST];
	} else {
		/* Most lines interrupt few CPUs; what is not told is 0. */
		if (!value)
			return;
		counter = EVTLOG_COUNTER_IRQ;
		index = irqs[number - IRQ_FIRST];
	}
	tag = EVTLOG_TAG(EVTLOG_COUNTER,
			 at_end | counter << 1 | index << (1 + COUNTER_BITS));
	record = clock ? evtlog_ring_write_claimed(r, tag, 2, clock) :
			 evtlog_ring_write_busy(r, tag, 2);
	if (record)
		record[1] = value;
}

static bool is_softirq(unsigned int number)
{
	return number >= SOFTIRQ_FIRST && number < VECTOR_FIRST;
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

	for (i = 0; i < IRQ_FIRST + irq_count; i++) {
		if (which & (is_softirq(i) ? EVTLOG_COUNTERS_SOFTIRQS : EVTLOG_COUNTERS_OTHERS))
			write_counter(r, at_end, i,
				      value_of(i, r->cpu) - counted_already(i, tag), NULL);
	}
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

	/* Lines may be given back meanwhile. */
	rcu_read_lock();
	for (i = 0; i < IRQ_FIRST + irq_count; i++)
		others[i] = data_race(value_of(i, cpu));
	rcu_read_unlock();
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

	for (i = 0; i < IRQ_FIRST + irq_count; i++) {
		if (which & (is_softirq(i) ? EVTLOG_COUNTERS_SOFTIRQS : EVTLOG_COUNTERS_OTHERS))
			write_counter(r, at_end, i, others[i], clock);
	}
}
