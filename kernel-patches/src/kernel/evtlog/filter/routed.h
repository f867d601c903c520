/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters before the hooks of built-in events that go to a named buffer.
 */
#ifndef EVTLOG_FILTER_ROUTED_H
#define EVTLOG_FILTER_ROUTED_H

#include <linux/errno.h>
#include <linux/types.h>

#include "filter/filter.h"

#if defined(EVTLOG_FILTER_HAS_CODE) && defined(CONFIG_MODULES)
int evtlog_filter_routed_check(u64 types, const char *text, char *error, size_t size);
int evtlog_filter_routed_stubs(u64 types, const char *text, u64 __percpu *rejected, void **stubs);
#else
/* No event's fields are known. */
static inline int evtlog_filter_routed_check(u64 types, const char *text, char *error, size_t size)
{
	return 0;
}

static inline int evtlog_filter_routed_stubs(u64 types, const char *text, u64 __percpu *rejected,
					     void **stubs)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* EVTLOG_FILTER_ROUTED_H */
