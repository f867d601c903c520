/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: nothing is asserted.
 */
#ifndef SHIM_LINUX_LOCKDEP_H
#define SHIM_LINUX_LOCKDEP_H

#define lockdep_assert_irqs_disabled()	do { } while (0)

#endif /* SHIM_LINUX_LOCKDEP_H */
