/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: alignment to cache lines.
 */
#ifndef SHIM_LINUX_CACHE_H
#define SHIM_LINUX_CACHE_H

#define ____cacheline_aligned	__attribute__((__aligned__(64)))
#define __read_mostly

#endif /* SHIM_LINUX_CACHE_H */
