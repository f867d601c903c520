/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: groups of members with a name
 */
#ifndef SHIM_LINUX_STDDEF_H
#define SHIM_LINUX_STDDEF_H

#include <stddef.h>

#define struct_group(name, ...)						\
	union {								\
		struct { __VA_ARGS__ };					\
		struct { __VA_ARGS__ } name;				\
	}

#endif /* SHIM_LINUX_STDDEF_H */
