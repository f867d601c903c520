// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts of a thread that acts as a CPU. They are deferred while the thread has them off; NMIs
 * are not.
 */
#include "irq.h"

__thread volatile sig_atomic_t shim_irqs_off;
__thread volatile sig_atomic_t shim_irqs_pending;
__thread volatile sig_atomic_t shim_nmi_depth;

void (*shim_irq_handler)(void);
void (*shim_nmi_handler)(void);

/* The handler runs with interrupts off; an interrupt during the handler follows it. */
void shim_irqs_replay(void)
{
	do {
		shim_irqs_pending = 0;
		shim_irqs_off = 1;
		shim_irq_handler();
		shim_irqs_off = 0;
	} while (shim_irqs_pending);
}

void shim_irq_deliver(void)
{
	if (shim_irqs_off)
		shim_irqs_pending = 1;
	else
		shim_irqs_replay();
}

void shim_nmi_deliver(void)
{
	shim_nmi_depth++;
	shim_nmi_handler();
	shim_nmi_depth--;
}
