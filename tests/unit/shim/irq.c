// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts of a thread that acts as a CPU: signals. Interrupts are deferred while the thread has
 * them off; NMIs are not.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "irq.h"

__thread volatile sig_atomic_t shim_irqs_off;
__thread volatile sig_atomic_t shim_irqs_pending;
__thread volatile sig_atomic_t shim_nmi_depth;

static void (*irq_handler)(void);
static void (*nmi_handler)(void);

/* The handler runs with interrupts off; an interrupt during the handler follows it. */
void shim_irqs_replay(void)
{
	do {
		shim_irqs_pending = 0;
		shim_irqs_off = 1;
		irq_handler();
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
	nmi_handler();
	shim_nmi_depth--;
}

static void on_irq(int signal)
{
	int saved = errno;

	shim_irq_deliver();
	errno = saved;
}

static void on_nmi(int signal)
{
	int saved = errno;

	shim_nmi_deliver();
	errno = saved;
}

static void handle(int signal, void (*on)(int), int flags, bool alone)
{
	struct sigaction action = { .sa_handler = on, .sa_flags = flags };

	if (alone)
		sigfillset(&action.sa_mask);
	if (sigaction(signal, &action, NULL)) {
		fprintf(stderr, "sigaction: %s\n", strerror(errno));
		exit(1);
	}
}

/* Only shim_irqs_off masks interrupts; nothing interrupts an NMI. */
void shim_irq_handle(int signal, void (*handler)(void))
{
	irq_handler = handler;
	handle(signal, on_irq, SA_RESTART | SA_NODEFER, false);
}

void shim_nmi_handle(int signal, void (*handler)(void))
{
	nmi_handler = handler;
	handle(signal, on_nmi, SA_RESTART, true);
}
