// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own counters, recorded by each CPU where its part of a run begins and ends.
 *
 * join.c calls this in the first and the last event of a CPU in a run.  The difference between both
 * readings is exactly the number of events that a complete log has of this CPU.  `evtlog check`
 * compares them.
 *
 * All counters are per CPU.  The kernel counts a context switch, a softirq entry, a device
 * interrupt and a received ICMP message before their hooks.  If such an event is the first of a
 * run, or the first that is not recorded any more, its own count is subtracted.  An interrupt may
 * come between the count of a softirq or message and its hook: these counters are read only where
 * this is impossible.
 */
#include <linux/bitops.h>
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

/* If a machine has more such lines, its device interrupts cannot be checked. */
#define LINES_MAX	128

/*
 * struct line - a device interrupt that does not always have exactly one record, as of arming
 * @irq:	its number
 * @is_nested:	it has no record, because its handlers run in a thread
 * @counts:	per CPU
 * @desc:	reference, so that @counts stays valid if the line is freed during a run
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

DEFINE_PER_CPU(bool, evtlog_counters_icmp);

u64 evtlog_rejecting;
DEFINE_PER_CPU(struct evtlog_rejected, evtlog_rejected);

#if defined(CONFIG_X86) && defined(CONFIG_X86_LOCAL_APIC)
static const u8 vectors[] = {
	EVTLOG_LOCAL_TIMER_ENTRY, EVTLOG_IRQ_WORK_ENTRY,
#ifdef CONFIG_SMP
	EVTLOG_RESCHEDULE_ENTRY, EVTLOG_CALL_FUNCTION_ENTRY,
#endif
};

static void read_vectors(unsigned int cpu, u64 *values)
{
	const irq_cpustat_t *stat = per_cpu_ptr(&irq_stat, cpu);

	*values++ = stat->apic_timer_irqs;
	*values++ = stat->apic_irq_work_irqs;
#ifdef CONFIG_SMP
	*values++ = stat->irq_resched_count;
	/* Also counts call_function_single: the kernel has one counter for both. */
	*values++ = stat->irq_call_count;
#endif
}

#define VECTORS		ARRAY_SIZE(vectors)
#else
static const u8 vectors[1];

static void read_vectors(unsigned int cpu, u64 *values)
{
}

#define VECTORS		0
#endif

#ifdef CONFIG_INET
#define ICMP_COUNTERS	1

/* Messages that reach the hook: in the first network namespace, with a correct checksum */
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

#if defined(CONFIG_PARAVIRT) && !defined(MODULE)
static bool has_steal(void)
{
	return static_key_false(&paravirt_steal_enabled);
}

static u64 steal_ns(unsigned int cpu)
{
	return paravirt_steal_clock(cpu);
}

/* The value in the last record of this CPU */
static DEFINE_PER_CPU(u64, steal_recorded);

/**
 * __evtlog_counters_steal() - record this CPU's stolen time if it has changed
 *
 * The value changes only while the CPU does not run.  So the first timer interrupt after each gap
 * that the hypervisor caused writes a record.
 *
 * Context: the timer interrupt, interrupts off, before its own record.
 */
void __evtlog_counters_steal(void)
{
	u64 steal = steal_ns(smp_processor_id()), *record;

	if (steal == __this_cpu_read(steal_recorded))
		return;
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_COUNTER, EVTLOG_COUNTER_STEAL << 1), 2);
	if (!record)
		return;
	record[1] = steal;
	__this_cpu_write(steal_recorded, steal);
}
#else
static bool has_steal(void)
{
	return false;
}

static u64 steal_ns(unsigned int cpu)
{
	return 0;
}
#endif

/*
 * struct values - a CPU's counters at one time
 * @irqs:	device interrupts
 * @steal_ns:	time that the hypervisor stole; unknown without has_steal()
 */
struct values {
	u64 switches;
	u64 softirqs[NR_SOFTIRQS];
	u64 vectors[VECTORS];
	u64 icmp;
	u64 irqs;
	u64 steal_ns;
};

/* A CPU's reading of its own counters, interrupts off.  A stack variable may be cleared first. */
static DEFINE_PER_CPU(struct values, read_here);

/* Counters of one CPU, read by another; guarded by evtlog_run_lock */
static struct others {
	struct values values;
	struct evtlog_rejected rejected;
	u64 lines[LINES_MAX];
} *others;

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

/* Returns false if the line's count equals its number of records. */
static bool look_at(struct irq_desc *desc, unsigned int irq, struct line *line)
{
	unsigned long flags;
	bool is_shared;

	raw_spin_lock_irqsave(&desc->lock, flags);
	is_shared = desc->action && desc->action->flags & IRQF_SHARED;
	*line = (struct line) {
		.irq = irq,
		.is_nested = desc->status_use_accessors & IRQ_NESTED_THREAD,
		/* Since 6.10 the count is the first member of a structure. */
		.counts = (const unsigned int __percpu *)desc->kstat_irqs,
		.desc = desc,
	};
	raw_spin_unlock_irqrestore(&desc->lock, flags);
	return (is_shared || line->is_nested) && line->counts;
}

/**
 * evtlog_counters_release() - release the device interrupts that were noted
 *
 * Context: task context; the run's lock is held, and no run records.
 */
void evtlog_counters_release(void)
{
	while (line_count)
		line_put(lines[--line_count].desc);
}

/**
 * evtlog_counters_prepare() - note the device interrupts that do not always have exactly one record
 *
 * Holds references to them until evtlog_counters_release(), or until the next call.
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
		others = kvzalloc(sizeof(*others), GFP_KERNEL);
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

/* Frees what evtlog_counters_prepare() has allocated. */
void evtlog_counters_exit(void)
{
	evtlog_counters_release();
	kvfree(lines);
	kvfree(others);
}

#ifdef MODULE
#define SWITCH_COUNTERS	evtlog_has_switch_count()
#define switch_count	evtlog_switch_count
#else
#define SWITCH_COUNTERS	1

static u64 switch_count(unsigned int cpu)
{
	return cpu_rq(cpu)->nr_switches;
}
#endif

static void read_values(struct values *values, unsigned int cpu)
{
	unsigned int i;

	values->switches = switch_count(cpu);
	for (i = 0; i < NR_SOFTIRQS; i++)
		values->softirqs[i] = kstat_softirqs_cpu(i, cpu);
	read_vectors(cpu, values->vectors);
	values->icmp = icmp_count(cpu);
	values->irqs = kstat_cpu_irqs_sum(cpu);
	if (has_steal())
		values->steal_ns = steal_ns(cpu);
	evtlog_unseen_take_off(cpu, (u64 *)values, sizeof(*values) / sizeof(u64));
}

#ifdef MODULE
/* As read_values(), of this CPU; interrupts are off. */
const u64 *evtlog_counters_here(unsigned int *count)
{
	struct values *values = this_cpu_ptr(&read_here);

	BUILD_BUG_ON(sizeof(*values) > EVTLOG_COUNTERS_MAX * sizeof(u64));
	read_values(values, smp_processor_id());
	*count = sizeof(*values) / sizeof(u64);
	return (const u64 *)values;
}
#endif

/* Subtracts the count of an event with @tag, as it is not recorded before the counters. */
static void take_off(struct values *values, u32 tag)
{
	switch (tag & EVTLOG_TYPE_MAX) {
	case EVTLOG_SCHED_SWITCH:
		values->switches--;
		break;
	case EVTLOG_SOFTIRQ_ENTRY:
		values->softirqs[tag >> EVTLOG_TYPE_BITS]--;
		break;
	case EVTLOG_ICMP_RX:
		values->icmp -= this_cpu_read(evtlog_counters_icmp);
		break;
	case EVTLOG_IRQ_HANDLER_ENTRY:
		values->irqs--;
		break;
	}
}

/*
 * struct row - records of one time, one for each counter
 * @at:		position of the next record
 * @low:	lower half of their time
 */
struct row {
	u64 *at;
	u32 low;
	bool at_end;
};

static void put(struct row *row, u32 counter, u32 index, u64 value)
{
	evtlog_store_word(row->at, row->low, EVTLOG_TAG(EVTLOG_COUNTER, row->at_end | counter << 1 |
							index << (1 + COUNTER_BITS)));
	row->at[1] = value;
	row->at += 2;
}

/* The difference of a type's REJECTED counter is the number of its rejected records. */
static void put_others(struct row *row, const struct values *values,
		       const struct evtlog_rejected *rejected)
{
	u64 types = evtlog_rejecting;
	const u8 *vector;

	if (SWITCH_COUNTERS)
		put(row, EVTLOG_COUNTER_SWITCHES, 0, values->switches);
	for (vector = vectors; vector < vectors + VECTORS; vector++)
		put(row, EVTLOG_COUNTER_VECTOR, *vector, values->vectors[vector - vectors]);
	for (; types; types &= types - 1)
		put(row, EVTLOG_COUNTER_REJECTED, __ffs64(types),
		    rejected->records[__ffs64(types)]);
	if (are_witnessed)
		put(row, EVTLOG_COUNTER_IRQS, 0, values->irqs);
	if (has_steal())
		put(row, EVTLOG_COUNTER_STEAL, 0, values->steal_ns);
}

static void put_softirqs(struct row *row, const struct values *values)
{
	unsigned int i;

	for (i = 0; i < NR_SOFTIRQS; i++)
		put(row, EVTLOG_COUNTER_SOFTIRQ, i, values->softirqs[i]);
	if (ICMP_COUNTERS)
		put(row, EVTLOG_COUNTER_ICMP, 0, values->icmp);
}

/* Subtracts the count of an interrupt with @tag, as it is not recorded before the counters. */
static u32 count_of(const struct line *line, const u64 *counts, u32 tag)
{
	u32 count = counts ? counts[line - lines] : *this_cpu_ptr(line->counts);

	if (!line->is_nested && tag == EVTLOG_TAG(EVTLOG_IRQ_HANDLER_ENTRY, line->irq))
		count--;
	return count;
}

/* Subtracts all @lines from @irqs.  Returns how many have a record: those that interrupted. */
static unsigned int count_lines(u64 *irqs, const u64 *counts, u32 tag)
{
	unsigned int records = 0;
	const struct line *line;
	u32 count;

	for (line = lines; line < lines + line_count; line++) {
		count = count_of(line, counts, tag);
		*irqs -= count;
		records += count && !line->is_nested;
	}
	return records;
}

static void put_lines(struct row *row, const u64 *counts, u32 tag)
{
	const struct line *line;
	u32 count;

	for (line = lines; line < lines + line_count; line++) {
		count = count_of(line, counts, tag);
		if (count && !line->is_nested)
			put(row, EVTLOG_COUNTER_IRQ, line->irq, count);
	}
}

/*
 * @counts:	of @lines, in their order; NULL: this CPU's counts
 * @clock:	time, for a ring that was claimed; NULL: the ring is this CPU's, and the time is now
 */
static void write_all(struct evtlog_ring *r, bool at_end, unsigned int which,
		      struct values *values, const u64 *counts, u32 tag,
		      const struct evtlog_rejected *rejected, const struct evtlog_clock_set *clock)
{
	struct row row = { .at_end = at_end };
	unsigned int records = 0;

	if (which & EVTLOG_COUNTERS_SOFTIRQS)
		records += NR_SOFTIRQS + ICMP_COUNTERS;
	if (which & EVTLOG_COUNTERS_OTHERS)
		records += count_lines(&values->irqs, counts, tag) + SWITCH_COUNTERS + VECTORS +
			   hweight64(evtlog_rejecting) + are_witnessed + has_steal();
	row.at = evtlog_ring_write_row(r, EVTLOG_TAG(EVTLOG_COUNTER, 0), 2, records, clock);
	if (!row.at)
		return;
	row.low = (u32)*row.at;
	if (which & EVTLOG_COUNTERS_OTHERS) {
		put_lines(&row, counts, tag);
		put_others(&row, values, rejected);
	}
	if (which & EVTLOG_COUNTERS_SOFTIRQS)
		put_softirqs(&row, values);
}

/**
 * evtlog_counters_write() - write this CPU's counters as COUNTER records
 * @r:		its ring, @busy set
 * @at_end:	true at the end of the run, false at its start
 * @which:	EVTLOG_COUNTERS_*
 * @tag:	of the current event, recorded after the counters or not at all; 0: no event
 *
 * Context: interrupts off, on the ring's CPU, perhaps with its run queue locked.
 */
void evtlog_counters_write(struct evtlog_ring *r, bool at_end, unsigned int which, u32 tag)
{
	struct values *values = this_cpu_ptr(&read_here);

	read_values(values, r->cpu);
	take_off(values, tag);
	write_all(r, at_end, which, values, NULL, tag, this_cpu_ptr(&evtlog_rejected), NULL);
}

/**
 * evtlog_counters_read_other() - read the counters of an idle or dead CPU
 * @cpu:	its number
 *
 * Context: the run's lock is held; the caller ensures that the CPU was idle throughout.
 */
void evtlog_counters_read_other(unsigned int cpu)
{
	unsigned int i;

	(void)data_race((read_values(&others->values, cpu), 0));
	others->rejected = data_race(*per_cpu_ptr(&evtlog_rejected, cpu));
	for (i = 0; i < line_count; i++)
		others->lines[i] = data_race(*per_cpu_ptr(lines[i].counts, cpu));
}

/**
 * evtlog_counters_write_other() - write what evtlog_counters_read_other() read
 * @r:		the CPU's ring, claimed by the caller
 * @at_end:	true at the end of the run, false at its start
 * @which:	EVTLOG_COUNTERS_*
 * @clock:	time of the reading
 *
 * Context: the run's lock is held, interrupts off.
 */
void evtlog_counters_write_other(struct evtlog_ring *r, bool at_end, unsigned int which,
				 const struct evtlog_clock_set *clock)
{
	struct values values = others->values;

	write_all(r, at_end, which, &values, others->lines, 0, &others->rejected, clock);
}
