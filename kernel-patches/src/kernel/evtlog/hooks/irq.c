// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupt events: softirqs, device interrupts, system vectors.
 *
 * Called from kernel/softirq.c, kernel/irq/ and arch/x86/kernel/ through
 * linux/evtlog.h.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/static_call.h>

#include "counters.h"
#include "ring.h"

/**
 * __evtlog_softirq_entry() - a softirq handler starts
 * @vec:	its vector
 *
 * Context: handle_softirqs(), interrupts on.
 */
void __evtlog_softirq_entry(unsigned int vec)
{
	evtlog_write_irqon(EVTLOG_TAG(EVTLOG_SOFTIRQ_ENTRY, vec));
}
DEFINE_STATIC_CALL(evtlog_softirq_entry, __evtlog_softirq_entry);

/**
 * __evtlog_softirq_exit() - a softirq handler ended
 * @vec:	its vector
 *
 * If a broken handler left interrupts off, this turns them on, as they were before the handler.
 *
 * Context: handle_softirqs(), interrupts on.
 */
void __evtlog_softirq_exit(unsigned int vec)
{
	evtlog_write_irqon(EVTLOG_TAG(EVTLOG_SOFTIRQ_EXIT, vec));
}
DEFINE_STATIC_CALL(evtlog_softirq_exit, __evtlog_softirq_exit);

/**
 * __evtlog_irq_handler_entry() - a device interrupt's handler starts
 * @irq:	Linux interrupt number; on a shared line, once for each handler
 *
 * Context: hard interrupt, interrupts off.
 */
void __evtlog_irq_handler_entry(unsigned int irq)
{
	evtlog_write_irqoff(EVTLOG_TAG(EVTLOG_IRQ_HANDLER_ENTRY, irq));
}
DEFINE_STATIC_CALL(evtlog_irq_handler_entry, __evtlog_irq_handler_entry);

/**
 * __evtlog_irq_handler_exit() - a device interrupt's handler ended
 * @irq:	as at entry
 * @ret:	irqreturn_t: not ours, handled, or its thread is to be woken
 *
 * Context: hard interrupt, interrupts off: the callers have just ensured this.
 */
void __evtlog_irq_handler_exit(unsigned int irq, int ret)
{
	evtlog_write_irqoff(EVTLOG_TAG(EVTLOG_IRQ_HANDLER_EXIT,
				       (irq & 0xffffff) | (ret & 3) << 24));
}
DEFINE_STATIC_CALL(evtlog_irq_handler_exit, __evtlog_irq_handler_exit);

/**
 * __evtlog_irq_percpu_exit() - the handler of a per-CPU interrupt ended
 * @irq:	as at entry
 * @ret:	irqreturn_t
 *
 * Context: hard interrupt; a broken handler may have turned interrupts on.
 */
void __evtlog_irq_percpu_exit(unsigned int irq, int ret)
{
	evtlog_write(EVTLOG_TAG(EVTLOG_IRQ_HANDLER_EXIT,
				(irq & 0xffffff) | (ret & 3) << 24));
}
DEFINE_STATIC_CALL(evtlog_irq_percpu_exit, __evtlog_irq_percpu_exit);

/**
 * __evtlog_vector() - a system vector's handler starts or ended
 * @tag:	type and vector, from EVTLOG_TAG()
 *
 * Context: hard interrupt, interrupts off.
 */
void __evtlog_vector(u32 tag)
{
	evtlog_counters_steal(tag);
	evtlog_write_irqoff(tag);
}

#define X(TYPE, name) DEFINE_STATIC_CALL(evtlog_##name, __evtlog_vector);
EVTLOG_VECTORS(X)
#undef X
