/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts of a thread that acts as a CPU: signals.
 *
 * A handler of shim_irq_handle() runs at once if interrupts are on, at any instruction. If they are
 * off, it runs when they are turned on, as on a real CPU. A handler of shim_nmi_handle() always
 * runs.
 */
#ifndef SHIM_IRQ_H
#define SHIM_IRQ_H

#include <signal.h>

extern __thread volatile sig_atomic_t shim_irqs_off;
extern __thread volatile sig_atomic_t shim_irqs_pending;
extern __thread volatile sig_atomic_t shim_nmi_depth;

void shim_irqs_replay(void);
void shim_irq_deliver(void);
void shim_nmi_deliver(void);
void shim_irq_handle(int signal, void (*handler)(void));
void shim_nmi_handle(int signal, void (*handler)(void));

#endif /* SHIM_IRQ_H */
