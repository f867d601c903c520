/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that profiles get while tasks run (tasks.c).
 */
#ifndef EVTLOG_CALLPATH_MEMORY_H
#define EVTLOG_CALLPATH_MEMORY_H

#include <linux/types.h>

void *evtlog_profile_alloc(size_t bytes);
long evtlog_profile_memory(void);
void evtlog_profile_memory_add(long bytes);

#endif /* EVTLOG_CALLPATH_MEMORY_H */
