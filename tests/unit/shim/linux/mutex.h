/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: declarations with a mutex are unused
 */
#ifndef SHIM_LINUX_MUTEX_H
#define SHIM_LINUX_MUTEX_H

struct mutex;

#endif /* SHIM_LINUX_MUTEX_H */
