// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own counters, written at both ends of a run.
 *
 * Stage: called by run.c with the machine stopped: nothing counts between
 * reading a counter and the end or start of recording, so the difference
 * is exactly what a complete log holds.  `evtlog check` compares.
 */
#include <linux/evtlog.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/kernel_stat.h>
#include <linux/sched/stat.h>
#ifdef CONFIG_X86
#include <asm/hardirq.h>
#endif

#include "counters.h"
#include "ring.h"

#define COUNTER_BITS	5

static void write_counter(bool at_end, enum evtlog_counter counter,
			  unsigned int index, u64 value)
{
	u64 *record;

	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_COUNTER,
			at_end | counter << 1 | index << (1 + COUNTER_BITS)), 2);
	if (record)
		record[1] = value;
}

#ifdef CONFIG_X86
static void write_vector_counters(bool at_end)
{
	const irq_cpustat_t *stat = this_cpu_ptr(&irq_stat);

#ifdef CONFIG_X86_LOCAL_APIC
	write_counter(at_end, EVTLOG_COUNTER_VECTOR, EVTLOG_LOCAL_TIMER_ENTRY,
		      stat->apic_timer_irqs);
	write_counter(at_end, EVTLOG_COUNTER_VECTOR, EVTLOG_IRQ_WORK_ENTRY,
		      stat->apic_irq_work_irqs);
#endif
#ifdef CONFIG_SMP
	write_counter(at_end, EVTLOG_COUNTER_VECTOR, EVTLOG_RESCHEDULE_ENTRY,
		      stat->irq_resched_count);
	/* Also counts call_function_single: the kernel has one counter for both. */
	write_counter(at_end, EVTLOG_COUNTER_VECTOR, EVTLOG_CALL_FUNCTION_ENTRY,
		      stat->irq_call_count);
#endif
}
#else
static void write_vector_counters(bool at_end) { }
#endif

/**
 * evtlog_counters_write() - write this CPU's counters as COUNTER records
 * @at_end:	of the run, rather than at its start
 * @with_global: also what is counted over all CPUs
 *
 * Context: every CPU in stop_machine(), interrupts off.
 */
void evtlog_counters_write(bool at_end, bool with_global)
{
	unsigned int cpu = smp_processor_id();
	struct irq_desc *desc;
	unsigned int i;

	if (!evtlog_hook_on(counter))
		return;
	if (with_global)
		write_counter(at_end, EVTLOG_COUNTER_CTXT, 0,
			      nr_context_switches());
	for (i = 0; i < NR_SOFTIRQS; i++)
		write_counter(at_end, EVTLOG_COUNTER_SOFTIRQ, i,
			      kstat_softirqs_cpu(i, cpu));
	write_vector_counters(at_end);

	for_each_irq_desc(i, desc) {
		/* Nested in a thread they are counted, but are no interrupts. */
		if (desc->action && desc->kstat_irqs &&
		    !(desc->status_use_accessors & IRQ_NESTED_THREAD))
			write_counter(at_end, EVTLOG_COUNTER_IRQ, i,
				      *this_cpu_ptr(desc->kstat_irqs));
	}
}
