/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header.
 */
#ifndef SHIM_LINUX_BITOPS_H
#define SHIM_LINUX_BITOPS_H

#define __ffs64(word)	((unsigned long)__builtin_ctzll(word))
#define hweight64(word)	((unsigned int)__builtin_popcountll(word))

#endif /* SHIM_LINUX_BITOPS_H */
