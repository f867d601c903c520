/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts of a thread that stands for a CPU: signals.
 *
 * A handler registered with shim_irq_handle() runs at once where interrupts are
 * on, at any instruction; where they are off it runs when they are turned on
 * again, as on a real CPU. One registered with shim_nmi_handle() runs always.
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
