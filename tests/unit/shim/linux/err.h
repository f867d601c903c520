/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header
 */
#ifndef SHIM_LINUX_ERR_H
#define SHIM_LINUX_ERR_H

#include <errno.h>

#define ERR_PTR(error)	((void *)(long)(error))
#define IS_ERR(pointer)	((unsigned long)(pointer) >= -4095UL)

#endif /* SHIM_LINUX_ERR_H */
