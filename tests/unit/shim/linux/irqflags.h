/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: interrupts are signals (see ../irq.h).
 */
#ifndef SHIM_LINUX_IRQFLAGS_H
#define SHIM_LINUX_IRQFLAGS_H

#include <linux/compiler.h>

#include "../irq.h"

#define raw_local_irq_disable()						\
do {									\
	shim_irqs_off = 1;						\
	barrier();							\
} while (0)

#define raw_local_irq_enable()						\
do {									\
	barrier();							\
	shim_irqs_off = 0;						\
	if (unlikely(shim_irqs_pending))				\
		shim_irqs_replay();					\
} while (0)

#define raw_local_irq_save(flags)					\
do {									\
	(flags) = (unsigned long)shim_irqs_off;				\
	raw_local_irq_disable();					\
} while (0)

#define raw_local_irq_restore(flags)					\
do {									\
	if (!(flags))							\
		raw_local_irq_enable();					\
} while (0)

#define raw_irqs_disabled()	(shim_irqs_off != 0)

#endif /* SHIM_LINUX_IRQFLAGS_H */
