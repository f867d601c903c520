/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: a warning of the kernel ends the test
 */
#ifndef SHIM_LINUX_BUG_H
#define SHIM_LINUX_BUG_H

#include <stdio.h>
#include <stdlib.h>

#define BUILD_BUG_ON(condition)	_Static_assert(!(condition), #condition)

#define WARN_ON_ONCE(condition)						\
do {									\
	if (__builtin_expect(!!(condition), 0)) {			\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,	\
			#condition);					\
		abort();						\
	}								\
} while (0)

#endif /* SHIM_LINUX_BUG_H */
