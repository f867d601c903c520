/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: is this the handler of the NMI signal?
 */
#ifndef SHIM_LINUX_PREEMPT_H
#define SHIM_LINUX_PREEMPT_H

#include "../irq.h"

#define in_nmi()	(shim_nmi_depth != 0)

#endif /* SHIM_LINUX_PREEMPT_H */
