/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header
 */
#ifndef SHIM_LINUX_LOG2_H
#define SHIM_LINUX_LOG2_H

#define rounddown_pow_of_two(n)	(1U << (31 - __builtin_clz(n)))

#endif /* SHIM_LINUX_LOG2_H */
