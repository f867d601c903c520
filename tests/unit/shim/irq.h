/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts of a thread that acts as a CPU.
 *
 * shim_irq_deliver() runs the interrupts' handler at once if interrupts are on. If they are off, it
 * runs when they are turned on, as on a real CPU. shim_nmi_deliver() always runs the NMIs' handler.
 */
#ifndef SHIM_IRQ_H
#define SHIM_IRQ_H

#include <signal.h>

extern __thread volatile sig_atomic_t shim_irqs_off;
extern __thread volatile sig_atomic_t shim_irqs_pending;
extern __thread volatile sig_atomic_t shim_nmi_depth;

extern void (*shim_irq_handler)(void);
extern void (*shim_nmi_handler)(void);

void shim_irqs_replay(void);
void shim_irq_deliver(void);
void shim_nmi_deliver(void);

#endif /* SHIM_IRQ_H */
