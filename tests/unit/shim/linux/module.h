/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: what is compiled here is no module
 */
#ifndef SHIM_LINUX_MODULE_H
#define SHIM_LINUX_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#define THIS_MODULE	NULL

static inline bool try_module_get(void *module)
{
	return true;
}

static inline void module_put(void *module)
{
}

#endif /* SHIM_LINUX_MODULE_H */
