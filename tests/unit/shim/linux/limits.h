/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: the largest numbers.
 */
#ifndef SHIM_LINUX_LIMITS_H
#define SHIM_LINUX_LIMITS_H

#include_next <linux/limits.h>

#define U64_MAX		(~0ULL)
#define S16_MAX		0x7fff

#endif /* SHIM_LINUX_LIMITS_H */
